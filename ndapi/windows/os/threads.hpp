// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ndapi/windows/os/synchronization.hpp"

namespace ndsim::os {

// Threads: a program's threads, each on a core of its own. The core of callbacks counts as a thread while it calls
// functions of the program, but goes on with others' calls when the program has ended.
class Threads {
public:
    // The end of the last thread is reported with its code.
    Threads(core::Driver& driver, std::span<Core* const> cores, std::function<void(DWORD)> last_ended)
        : driver_(driver), cores_(cores), last_ended_(std::move(last_ended)) {}

    // None if no core is free.
    [[nodiscard]] std::shared_ptr<Thread> start(std::function<DWORD()> body);
    // The calling thread.
    [[nodiscard]] const std::shared_ptr<Thread>& current();
    // The thread of this number, if it has not ended or has a handle.
    [[nodiscard]] std::shared_ptr<Thread> find(DWORD id) const;
    // The mutexes of a thread that ends are abandoned.
    void end(Thread& thread, DWORD code);
    void watch(const std::shared_ptr<Mutex>& mutex);
    // The calling thread goes no further.
    [[noreturn]] void stop();
    // The other threads stop where they are.
    void halt_others();
    // What a thread waits for, for the message when nothing can ever happen again.
    [[nodiscard]] std::string waiting() const;

private:
    core::Driver& driver_;
    const std::span<Core* const> cores_;
    const std::function<void(DWORD)> last_ended_;
    std::vector<std::shared_ptr<Thread>> threads_;
    std::shared_ptr<Thread> upcalls_;  // as which the callback core calls functions of the program
    std::vector<std::weak_ptr<Mutex>> mutexes_;
    DWORD next_id_ = 1000;
};

}  // namespace ndsim::os
