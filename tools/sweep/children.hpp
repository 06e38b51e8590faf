// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace ndsim::sweep {

// How a child process ended.
struct ChildEnd {
    std::size_t job = 0;
    std::string text;  // what it returned; empty if it died
    std::string died;  // of what
};

struct ChildWork {
    std::size_t jobs = 0;
    unsigned at_once = 1;
    std::function<std::string(std::size_t job)> run;    // in the child
    std::function<void(const ChildEnd&)> on_end;        // as they end, in whatever order that is
    std::function<void()> on_wait = [] {};              // several times a second
    std::function<bool()> stop = [] { return false; };  // asked just as often; children under way are then ended
};

// Runs each job in a process of its own, some at once, the first ones first. False if it was stopped. A child takes
// nothing with it when it dies, and none lives longer than this process. std::system_error if there can be none.
bool run_in_children(const ChildWork& work);

// Cores that this process may use.
[[nodiscard]] unsigned cores();

}  // namespace ndsim::sweep
