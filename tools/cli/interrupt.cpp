// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/interrupt.hpp"

#include <csignal>
#include <initializer_list>

namespace ndsim::cli {

namespace {

volatile std::sig_atomic_t asked = 0;  // written by a signal's handler, which has no other way to tell

void ask(int signal) {
    if (asked != 0) {
        static_cast<void>(std::signal(signal, SIG_DFL));
        static_cast<void>(std::raise(signal));
    }
    asked = 1;
}

}  // namespace

void catch_interrupts() {
    struct sigaction action {};
    action.sa_handler = ask;
    action.sa_flags = SA_RESTART;
    for (const int signal : {SIGINT, SIGTERM}) {
        ::sigaction(signal, &action, nullptr);
    }
}

bool interrupted() {
    return asked != 0;
}

}  // namespace ndsim::cli
