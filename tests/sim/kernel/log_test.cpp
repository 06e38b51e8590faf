// SPDX-License-Identifier: Apache-2.0
#include "sim/kernel/log.hpp"

#include <spdlog/sinks/ostream_sink.h>

#include <sstream>

#include "tests/support/catch.hpp"

namespace ndsim::test::log_test {

using namespace std::chrono_literals;

TEST_CASE("log: a line begins with the simulated time and the name of who writes it") {
    std::ostringstream text;
    auto sink = std::make_shared<spdlog::sinks::ostream_sink_st>(text);
    sink->set_pattern("%l %v");
    spdlog::logger parent("parent", sink);
    parent.set_level(spdlog::level::info);
    const auto log = make_log(parent, "A.driver", [] { return Picoseconds(97us + 675ns); });
    log->info("QP {:#x} has failed", 0x11);
    log->debug("below the parent's level");
    // 97 675 000 ps: microseconds with three digits behind the point.
    CHECK(text.str() == "info [     97.675 us] A.driver: QP 0x11 has failed\n");
}

}  // namespace ndsim::test::log_test
