// SPDX-License-Identifier: Apache-2.0
#include "ndapi/windows/os/process.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ndapi/windows/abi/constants.h"
#include "sim/base/error.hpp"

// A program's life, its threads and its clock; what it waits for is in process_waits.cpp.
namespace ndsim::os {

int Process::run(const std::function<int()>& program) {
    Core& starter = core();
    waits_for_end_ = &starter;
    (void)start_thread([this, program] {
        end(program());
        return DWORD{0};
    });
    starter.waits_for("its program to end");
    while (!ended_) {
        starter.sleep();
    }
    starter.waits_for({});
    return exit_code_;
}

std::shared_ptr<Thread> Process::start_thread(std::function<DWORD()> body) {
    const auto free = std::ranges::find_if(around_.cores, [](const Core* each) { return each->is_free(); });
    if (free == around_.cores.end()) {
        return nullptr;
    }
    auto thread = std::make_shared<Thread>(around_.driver, **free, next_thread_++);
    threads_.push_back(thread);
    (*free)->start([this, thread, body = std::move(body)] { end_thread(*thread, body()); }, core().clock());
    return thread;
}

Thread& Process::current() {
    if (around_.driver.callbacks().is_calling()) {
        if (upcalls_ == nullptr) {
            upcalls_ = std::make_shared<Thread>(around_.driver, core(), next_thread_++);
        }
        return *upcalls_;
    }
    const auto found = std::ranges::find_if(
        threads_, [this](const auto& thread) { return &thread->core == &core() && !thread->exit_code(); });
    if (found == threads_.end()) {
        throw InvariantError("process", around_.driver.now(), "a call that only a thread of the program may make");
    }
    return **found;
}

HANDLE Process::create_thread(ThreadStart start, void* argument, DWORD* id) {
    const auto thread = start_thread([start, argument] { return start(argument); });
    if (thread == nullptr) {
        set_last_error(ERROR_NOT_ENOUGH_MEMORY);
        return nullptr;
    }
    if (id != nullptr) {
        *id = thread->id;
    }
    return handles_.add(thread);
}

// The mutexes of a thread that ends are abandoned.
void Process::end_thread(Thread& thread, DWORD code) {
    for (const auto& each : mutexes_) {
        const auto mutex = each.lock();
        if (mutex != nullptr && mutex->is_owned_by(thread.core)) {
            thread.core.sync();
            mutex->abandon();
        }
    }
    thread.end(code);
}

void Process::exit_thread(DWORD code) {
    end_thread(current(), code);
    if (std::ranges::all_of(threads_, [](const auto& thread) { return thread->exit_code().has_value(); })) {
        end(static_cast<int>(code));
    }
    stop();
}

DWORD Process::exit_code_of(HANDLE handle) {
    const auto thread = handles_.find<Thread>(handle);
    return thread == nullptr ? STILL_ACTIVE : thread->exit_code().value_or(STILL_ACTIVE);
}

void Process::exit_process(int code) {
    end(code);
    stop();
}

// The calling thread goes no further. The core of callbacks is not the program's own: it goes on with others' calls.
void Process::stop() {
    if (around_.driver.callbacks().is_calling()) {
        around_.driver.callbacks().run();
    }
    core().halt();
    throw InvariantError("process", around_.driver.now(), "a thread that has ended goes on");
}

// The other threads stop where they are. What is open goes as if the operating system took it down.
void Process::end(int code) {
    if (std::exchange(ended_, true)) {
        return;
    }
    exit_code_ = code;
    core().sync();
    while (!owned_.empty()) {
        Owned* const youngest = owned_.back();
        owned_.pop_back();
        youngest->abandon();
    }
    for (const auto& thread : threads_) {
        if (&thread->core != &core() && !thread->exit_code()) {
            thread->core.halt();
        }
    }
    for (const auto& each : timers_) {
        if (const auto timer = each.lock()) {
            timer->cancel();
        }
    }
    waits_for_end_->wake(core().clock());
}

std::string Process::waiting() const {
    for (const auto& thread : threads_) {
        if (!thread->exit_code() && !thread->core.waiting().empty()) {
            return thread->core.waiting();
        }
    }
    return {};
}

// Looking at the clock takes as long as looking at memory.
std::uint64_t Process::nanoseconds() {
    look_in_vain();
    return static_cast<std::uint64_t>(core().clock() / std::chrono::nanoseconds{1});
}

void Process::interlocked() {
    look_in_vain();
    core().sync();
}

void Process::look_in_vain() {
    core().spend(CoreActivity::poll, around_.driver.params().cpu.poll_empty);
    around_.driver.spinners().look_again(core());
}

void Process::sleep(DWORD milliseconds) {
    Core& sleeper = core();
    if (milliseconds == 0) {
        look_in_vain();
        sleeper.sync();
        return;
    }
    sleeper.sync();
    if (milliseconds == INFINITE) {
        sleeper.waits_for("nothing: it sleeps for ever");
        for (;;) {
            sleeper.sleep();
        }
    }
    const Picoseconds until = sleeper.clock() + std::chrono::milliseconds{milliseconds};
    while (sleeper.clock() < until) {
        sleeper.sleep(until);
    }
}

ProgramHost::CpuTimes Process::cpu_times() {
    CpuTimes times;
    const auto nanoseconds_of = [](Picoseconds span) {
        return static_cast<std::uint64_t>(span / std::chrono::nanoseconds{1});
    };
    const Picoseconds now = core().clock();
    for (const Core* const each : around_.cores) {
        const Picoseconds busy = each->busy(now);
        times.busy += nanoseconds_of(busy);
        times.idle += nanoseconds_of(std::max(now - busy, Picoseconds{}));
    }
    return times;
}

}  // namespace ndsim::os
