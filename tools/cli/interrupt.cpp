// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/interrupt.hpp"

#include <atomic>
#include <csignal>
#include <initializer_list>

namespace ndsim::cli {

namespace {

std::atomic<bool> asked = false;  // written by a signal handler, which has no other way to report

void ask(int signal) {
    if (asked.exchange(true)) {
        static_cast<void>(std::signal(signal, SIG_DFL));
        static_cast<void>(std::raise(signal));
    }
}

}  // namespace

void catch_interrupts() {
    struct sigaction action {};
    action.sa_handler = ask;
    action.sa_flags = SA_RESTART;
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction before {};
        ::sigaction(signal, nullptr, &before);
        if (signal != SIGHUP || before.sa_handler != SIG_IGN) {  // nohup ignores it
            ::sigaction(signal, &action, nullptr);
        }
    }
}

bool interrupted() {
    return asked;
}

}  // namespace ndsim::cli
