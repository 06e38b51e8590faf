// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>

namespace ndsim {

// What a program does last: its exit handlers, the newest first, and closing what freopen opened.
void wind_up();

// What an uncaught exception does before the program aborts: it calls the handler of set_terminate, or else it is told.
// Called where the exception is being handled.
void uncaught() noexcept;

// Calls what a thread does. An exception that leaves it ends the program, but not while it is handled: it would be
// under way for ever.
template <class Function>
auto thread_result(const Function& function) {
    try {
        return function();
    } catch (...) {
        uncaught();
    }
    std::abort();
}

}  // namespace ndsim
