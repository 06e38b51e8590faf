// SPDX-License-Identifier: Apache-2.0
#include "ndapi/windows/os/threads.hpp"

#include <algorithm>
#include <utility>

#include "sim/base/invariant_error.hpp"

namespace ndsim::os {

std::shared_ptr<Thread> Threads::start(std::function<DWORD()> body) {
    const auto free = std::ranges::find_if(cores_, [](const Core* each) { return each->is_free(); });
    if (free == cores_.end()) {
        return nullptr;
    }
    auto thread = std::make_shared<Thread>(driver_, **free, next_id_++);
    std::erase_if(threads_, [](const auto& each) { return each->exit_code() && !each->is_open(); });
    threads_.push_back(thread);
    (*free)->start([this, thread, body = std::move(body)] { end(*thread, body()); }, driver_.core().clock());
    return thread;
}

const std::shared_ptr<Thread>& Threads::current() {
    if (driver_.callbacks().is_calling()) {
        if (upcalls_ == nullptr) {
            upcalls_ = std::make_shared<Thread>(driver_, driver_.core(), next_id_++);
        }
        return upcalls_;
    }
    const auto found = std::ranges::find_if(
        threads_, [this](const auto& thread) { return &thread->core == &driver_.core() && !thread->exit_code(); });
    if (found == threads_.end()) {
        throw InvariantError("process", driver_.now(), "a call that only a thread of the program may make");
    }
    return *found;
}

std::shared_ptr<Thread> Threads::find(DWORD id) const {
    if (upcalls_ != nullptr && upcalls_->id == id) {
        return upcalls_;
    }
    const auto found = std::ranges::find(threads_, id, [](const auto& thread) { return thread->id; });
    return found == threads_.end() ? nullptr : *found;
}

void Threads::end(Thread& thread, DWORD code) {
    for (const auto& each : mutexes_) {
        const auto mutex = each.lock();
        if (mutex != nullptr && mutex->is_owned_by(thread.core)) {
            thread.core.sync();
            mutex->abandon();
        }
    }
    thread.end(code);
    if (std::ranges::all_of(threads_, [](const auto& each) { return each->exit_code().has_value(); })) {
        last_ended_(code);
    }
}

void Threads::watch(const std::shared_ptr<Mutex>& mutex) {
    std::erase_if(mutexes_, [](const auto& each) { return each.expired(); });
    mutexes_.push_back(mutex);
}

void Threads::stop() {
    if (driver_.callbacks().is_calling()) {
        driver_.callbacks().run();
    }
    driver_.core().halt();
    throw InvariantError("process", driver_.now(), "a thread that has ended goes on");
}

void Threads::halt_others() {
    for (const auto& thread : threads_) {
        if (&thread->core != &driver_.core() && !thread->exit_code()) {
            thread->core.halt();
        }
    }
}

std::string Threads::waiting() const {
    for (const auto& thread : threads_) {
        if (!thread->exit_code() && !thread->core.waiting().empty()) {
            return thread->core.waiting();
        }
    }
    return {};
}

}  // namespace ndsim::os
