// SPDX-License-Identifier: Apache-2.0
// Signals of a program. They are its own: raise and abort call its handlers, and those of the simulator stay.
#include "ndapi/windows/program/signals.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <utility>

#include "ndapi/windows/program/instance.hpp"

namespace ndsim {
namespace {

// The signals that Windows has.
constexpr std::array kSignals{SIGABRT, SIGFPE, SIGILL, SIGINT, SIGSEGV, SIGTERM};
static_assert(kSignals.size() == Instance::kSignals);

SignalHandler* handler_of(int number) {
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
        if (kSignals[i] == number) {
            return &instance().signal_handlers[i];
        }
    }
    return nullptr;
}

}  // namespace

// A handler is called once, unless it asks again.
bool call_signal_handler(int number) {
    SignalHandler* const place = handler_of(number);
    if (place == nullptr || *place == SIG_DFL || *place == SIG_IGN) {
        return place != nullptr && *place == SIG_IGN;
    }
    std::exchange(*place, SIG_DFL)(number);
    return true;
}

}  // namespace ndsim

extern "C" {

ndsim::SignalHandler signal(int number, ndsim::SignalHandler handler) noexcept {
    ndsim::SignalHandler* const place = ndsim::handler_of(number);
    if (place == nullptr) {
        errno = EINVAL;
        return SIG_ERR;
    }
    return std::exchange(*place, handler);
}

int raise(int number) noexcept {
    constexpr int kEnded = 3;  // the exit code of a signal without a handler
    if (ndsim::handler_of(number) == nullptr) {
        errno = EINVAL;
        return -1;
    }
    if (!ndsim::call_signal_handler(number)) {
        ::_exit(kEnded);
    }
    return 0;
}
}
