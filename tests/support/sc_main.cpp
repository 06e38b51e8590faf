// SPDX-License-Identifier: Apache-2.0
// The main program of every test executable: runs Catch inside SystemC. A warning of SystemC fails
// the test, and so does a name that fits no test case.
#define CATCH_CONFIG_RUNNER
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <systemc>

#include "tests/support/catch.hpp"

namespace {

// Errors are thrown, so they fail a test that does not expect them.
bool has_warned() {
    return sc_core::sc_report_handler::get_count(sc_core::SC_WARNING) > 0;
}

}  // namespace

int sc_main(int argc, char** argv) {
    Catch::Session session;
    if (const int refused = session.applyCommandLine(argc, argv); refused != 0) {
        return refused;
    }
#if CATCH_VERSION_MAJOR < 3
    session.configData().warnings = Catch::WarnAbout::NoTests;
    if (session.configData().listTestNamesOnly) {
        // The number of tests; 0 would make catch_discover_tests warn that there are none.
        return std::max(1, session.run());
    }
#endif
    const int failed = session.run();
    if (failed == 0 && has_warned()) {
        std::fputs("SystemC has warned\n", stderr);
        return 1;
    }
    return failed;
}

// SystemC's own main, without its banner in every test.
int main(int argc, char** argv) {
    ::setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
    return sc_core::sc_elab_and_sim(argc, argv);
}
