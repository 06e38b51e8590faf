// SPDX-License-Identifier: Apache-2.0
#include "ndapi/windows/os/process.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "ndapi/windows/abi/constants.h"
#include "ndapi/windows/os/waits.hpp"

namespace ndsim::os {

namespace {

// A further handle of an object that may not be there.
HANDLE opened(Process& process, std::shared_ptr<KernelObject> object, Win32Error if_none) {
    if (object == nullptr) {
        process.set_last_error(if_none);
        return nullptr;
    }
    return process.handles().add(std::move(object));
}

}  // namespace

// --- life, threads and time

Process::Process(Surroundings surroundings)
    : around_(std::move(surroundings)),
      threads_(around_.driver, around_.cores, [this](DWORD code) { end(static_cast<int>(code)); }),
      objects_(around_.driver, handles_, threads_),
      overlapped_(around_.driver, handles_, lifetime_) {}

int Process::run(const std::function<int()>& program) {
    Core& starter = core();
    waits_for_end_ = &starter;
    (void)threads_.start([this, program] {
        end(program());
        return DWORD{0};
    });
    starter.waits_for("its program to end");
    while (!lifetime_.has_ended()) {
        starter.sleep();
    }
    starter.waits_for({});
    return *lifetime_.exit_code();
}

HANDLE Process::create_thread(ThreadStart start, void* argument, DWORD* id) {
    const auto thread = threads_.start([start, argument] { return start(argument); });
    if (thread == nullptr) {
        set_last_error(ERROR_NOT_ENOUGH_MEMORY);
        return nullptr;
    }
    if (id != nullptr) {
        *id = thread->id;
    }
    return handles_.add(thread);
}

void Process::exit_thread(DWORD code) {
    threads_.end(*threads_.current(), code);
    threads_.stop();
}

Win32Error Process::exit_code_of(HANDLE handle, DWORD& code) {
    const auto thread = handles_.find<Thread>(handle);
    if (thread == nullptr) {
        return ERROR_INVALID_HANDLE;
    }
    core().sync();
    code = thread->exit_code().value_or(STILL_ACTIVE);
    if (code == STILL_ACTIVE) {
        look_in_vain(around_.driver, thread.get());
    }
    return ERROR_SUCCESS;
}

void Process::exit_process(int code) {
    end(code);
    threads_.stop();
}

// What is open goes as if the operating system took it down. Other threads stop where they are, also those that are
// behind: what the program's exit handlers have taken down is gone.
void Process::end(int code) {
    if (lifetime_.has_ended()) {
        return;
    }
    lifetime_.end(code);
    threads_.halt_others();
    core().sync();
    lifetime_.take_down();
    objects_.cancel_timers();
    waits_for_end_->wake(core().clock());
}

// Looking at a clock takes as long as looking at memory.
std::uint64_t Process::nanoseconds() {
    look_in_vain(around_.driver, &around_);
    return static_cast<std::uint64_t>(core().clock() / std::chrono::nanoseconds{1});
}

// Any memory may be meant.
void Process::interlocked(Interlocked access) {
    if (access == Interlocked::take) {
        look_in_vain(around_.driver, nullptr);
    }
    core().sync();
}

void Process::sleep(DWORD milliseconds, DWORD and_nanoseconds) {
    Core& sleeper = core();
    if (milliseconds == 0 && and_nanoseconds == 0) {
        look_in_vain(around_.driver, nullptr);
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
    const Picoseconds until =
        sleeper.clock() + std::chrono::milliseconds{milliseconds} + std::chrono::nanoseconds{and_nanoseconds};
    while (sleeper.clock() < until) {
        sleeper.sleep(until);
    }
}

// The call takes time, but may be the last of a thread that has looked at the clock for long: it is no such look.
ProgramHost::CpuTimes Process::cpu_times() {
    core().spend(CoreActivity::poll, around_.driver.params().cpu.poll_empty);
    core().sync();
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

// --- handles

DWORD Process::wait(const HANDLE* handles, DWORD count, bool all, DWORD milliseconds) {
    std::vector<std::shared_ptr<KernelObject>> held;  // one may be closed while it is waited for
    std::vector<Waitable*> objects;
    for (DWORD i = 0; i < count; ++i) {
        held.push_back(handles_.find(handles[i]));
        objects.push_back(held.back().get());
    }
    if (count == 0 || std::ranges::find(objects, nullptr) != objects.end()) {
        set_last_error(count == 0 ? ERROR_INVALID_PARAMETER : ERROR_INVALID_HANDLE);
        return WAIT_FAILED;
    }
    if (all && !wait_for_all(around_.driver, objects, milliseconds)) {
        return WAIT_TIMEOUT;
    }
    if (all) {
        const auto abandoned = std::ranges::count_if(held, [](const auto& each) { return each->was_abandoned(); });
        return abandoned > 0 ? WAIT_ABANDONED : WAIT_OBJECT_0;
    }
    const auto found = wait_for_any(around_.driver, objects, milliseconds, "an event or a thread");
    if (!found) {
        return WAIT_TIMEOUT;
    }
    return (held[*found]->was_abandoned() ? WAIT_ABANDONED : WAIT_OBJECT_0) + static_cast<DWORD>(*found);
}

Win32Error Process::close_handle(HANDLE handle) {
    return handles_.close(handle) ? ERROR_SUCCESS : ERROR_INVALID_HANDLE;
}

HANDLE Process::duplicate_handle(HANDLE handle) {
    return opened(*this, handles_.find(handle), ERROR_INVALID_HANDLE);
}

HANDLE Process::open_thread(DWORD id) {
    return opened(*this, threads_.find(id), ERROR_INVALID_PARAMETER);
}

}  // namespace ndsim::os
