// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace ndsim {

// The end of a child process.
struct ChildEnd {
    std::size_t job = 0;
    std::string text;  // its result; empty if it died
    std::string died;  // cause of its death
};

// Jobs for child processes.
struct ChildWork {
    std::size_t jobs = 0;
    unsigned at_once = 1;
    std::function<std::string(std::size_t job)> run;    // runs in the child
    std::function<void(const ChildEnd&)> on_end;        // called as they end, in any order
    std::function<void()> on_wait = [] {};              // several times a second
    std::function<bool()> stop = [] { return false; };  // asked just as often; children under way are then killed
};

// Runs each job in its own process, several at once, the first ones first. False if it was stopped. A dying child
// affects nothing else, and no child outlives this process. std::system_error if none can be started.
bool run_in_children(const ChildWork& work);

// The number of cores that this process may use.
[[nodiscard]] unsigned cores();

}  // namespace ndsim
