// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include "ndapi/windows/abi/constants.h"
#include "ndapi/windows/abi/ntstatus.h"
#include "ndapi/windows/os/process.hpp"

// What a program's threads wait for: events, threads, completion ports, overlapped requests.
namespace ndsim::os {

namespace {

constexpr ULONG_PTR kNoPacket = 1;  // in OVERLAPPED::hEvent (B14)

HANDLE event_of(const OVERLAPPED& overlapped) {
    return reinterpret_cast<HANDLE>(reinterpret_cast<ULONG_PTR>(overlapped.hEvent) & ~kNoPacket);
}

bool is_pending(const OVERLAPPED& overlapped) {
    return static_cast<NTSTATUS>(overlapped.Internal) == STATUS_PENDING;
}

// Wakes a thread when its patience is over. A sleep with an end would leave that behind when the thread is woken
// earlier, and the run would go on until then.
class Patience {
public:
    Patience(core::Driver& driver, DWORD milliseconds) : driver_(driver) {
        if (milliseconds != INFINITE) {
            Core& core = driver.core();
            const auto span = std::chrono::milliseconds{milliseconds};
            until_ = core.clock() + span;
            timer_ = driver.callbacks().set_deadline(span, [this, &core] {
                timer_.reset();
                core.wake(*until_);
            });
        }
    }
    Patience(const Patience&) = delete;
    Patience& operator=(const Patience&) = delete;
    ~Patience() {
        if (timer_) {
            driver_.callbacks().cancel(*timer_);
        }
    }
    [[nodiscard]] bool is_over() const { return until_ && driver_.core().clock() >= *until_; }

private:
    core::Driver& driver_;
    std::optional<Picoseconds> until_;
    std::optional<Deadlines::Id> timer_;
};

}  // namespace

class Process::Result final : public Waitable {
public:
    explicit Result(const OVERLAPPED& overlapped) : overlapped_(overlapped) {}
    [[nodiscard]] bool is_ready() const override { return !is_pending(overlapped_); }
    [[nodiscard]] bool is_of(const OVERLAPPED& overlapped) const { return &overlapped == &overlapped_; }
    void completed(core::Driver& driver) const { wake(driver); }

private:
    const OVERLAPPED& overlapped_;
};

std::optional<std::size_t> Process::wait_for_any(std::span<Waitable* const> objects, DWORD milliseconds,
                                                 std::string_view what) {
    Core& waiter = core();
    waiter.sync();
    const auto ready = [&] {
        return std::ranges::find_if(objects, [](const Waitable* each) { return each->is_ready(); });
    };
    auto found = ready();
    if (found == objects.end() && milliseconds == 0) {
        look_in_vain();
        return std::nullopt;
    }
    const Patience patience(around_.driver, milliseconds);
    waiter.waits_for(std::string(what));
    for (Waitable* const each : objects) {
        each->add(waiter);
    }
    while ((found = ready()) == objects.end() && !patience.is_over()) {
        waiter.sleep();
    }
    for (Waitable* const each : objects) {
        each->remove(waiter);
    }
    waiter.waits_for({});
    if (found == objects.end()) {
        return std::nullopt;
    }
    (*found)->take();
    return static_cast<std::size_t>(found - objects.begin());
}

// One after the other, and then all of them at once: what is taken together must be ready together.
bool Process::wait_for_all(std::span<Waitable* const> objects, DWORD milliseconds) {
    const auto not_ready = [&] {
        return std::ranges::find_if(objects, [](Waitable* each) { return !each->is_ready(); });
    };
    Core& waiter = core();
    waiter.sync();
    const Patience patience(around_.driver, milliseconds);
    waiter.waits_for("events and threads");
    for (auto missing = not_ready(); missing != objects.end(); missing = not_ready()) {
        if (patience.is_over()) {
            waiter.waits_for({});
            return false;
        }
        (*missing)->add(waiter);
        waiter.sleep();
        (*missing)->remove(waiter);
    }
    waiter.waits_for({});
    std::ranges::for_each(objects, [](Waitable* each) { each->take(); });
    return true;
}

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
    if (all && !wait_for_all(objects, milliseconds)) {
        return WAIT_TIMEOUT;
    }
    if (all) {
        const auto abandoned = std::ranges::count_if(held, [](const auto& each) { return each->was_abandoned(); });
        return abandoned > 0 ? WAIT_ABANDONED : WAIT_OBJECT_0;
    }
    const auto found = wait_for_any(objects, milliseconds, "an event or a thread");
    if (!found) {
        return WAIT_TIMEOUT;
    }
    return (held[*found]->was_abandoned() ? WAIT_ABANDONED : WAIT_OBJECT_0) + static_cast<DWORD>(*found);
}

HANDLE Process::create_event(bool manual_reset, bool signalled) {
    return handles_.add(std::make_shared<Event>(around_.driver, manual_reset, signalled));
}

// The simulation catches up first: others must not see the event before its time.
Win32Error Process::set_event(HANDLE handle) {
    const auto event = handles_.find<Event>(handle);
    if (event == nullptr) {
        return ERROR_INVALID_HANDLE;
    }
    core().sync();
    event->set();
    return ERROR_SUCCESS;
}

Win32Error Process::reset_event(HANDLE handle) {
    const auto event = handles_.find<Event>(handle);
    if (event == nullptr) {
        return ERROR_INVALID_HANDLE;
    }
    core().sync();
    event->reset();
    return ERROR_SUCCESS;
}

Win32Error Process::close_handle(HANDLE handle) {
    return handles_.close(handle) ? ERROR_SUCCESS : ERROR_INVALID_HANDLE;
}

HANDLE Process::create_port(HANDLE file_handle, HANDLE port_handle, ULONG_PTR key) {
    auto port = handles_.find<Port>(port_handle);
    if (port_handle != nullptr && port == nullptr) {
        set_last_error(ERROR_INVALID_HANDLE);
        return nullptr;
    }
    if (file_handle == INVALID_HANDLE_VALUE) {
        return port_handle != nullptr ? port_handle : handles_.add(std::make_shared<Port>(around_.driver));
    }
    const auto file = handles_.find<File>(file_handle);
    if (file == nullptr || file->has_port()) {
        set_last_error(file == nullptr ? ERROR_INVALID_HANDLE : ERROR_INVALID_PARAMETER);
        return nullptr;
    }
    if (port == nullptr) {
        port = std::make_shared<Port>(around_.driver);
        port_handle = handles_.add(port);
    }
    file->associate(port, key);
    return port_handle;
}

Win32Error Process::post(HANDLE handle, const PortPacket& packet) {
    const auto port = handles_.find<Port>(handle);
    if (port == nullptr) {
        return ERROR_INVALID_HANDLE;
    }
    core().sync();
    port->push(packet);
    return ERROR_SUCCESS;
}

Win32Error Process::dequeue(HANDLE handle, PortPacket& packet, DWORD milliseconds) {
    const auto port = handles_.find<Port>(handle);
    if (port == nullptr) {
        return ERROR_INVALID_HANDLE;
    }
    Waitable* const object = port.get();
    if (!wait_for_any({&object, 1}, milliseconds, "a packet of a completion port")) {
        return WAIT_TIMEOUT;
    }
    packet = *port->pop();
    return ERROR_SUCCESS;
}

void Process::begin(OVERLAPPED& overlapped) {
    overlapped.Internal = static_cast<ULONG>(STATUS_PENDING);
    overlapped.InternalHigh = 0;
    if (const auto event = handles_.find<Event>(event_of(overlapped))) {
        event->reset();
    }
}

// The status goes last but for those who are told: a thread may look at it at any time. Nothing is touched once the
// program has ended.
void Process::complete(OVERLAPPED& overlapped, NTSTATUS status, const File* file) {
    if (ended_) {
        return;
    }
    core().sync();
    overlapped.Internal = static_cast<ULONG>(status);
    for (const Result* const result : results_) {
        if (result->is_of(overlapped)) {
            result->completed(around_.driver);
        }
    }
    const bool tells_port = (reinterpret_cast<ULONG_PTR>(overlapped.hEvent) & kNoPacket) == 0;
    if (const auto event = handles_.find<Event>(event_of(overlapped))) {
        event->set();
    }
    if (tells_port && file != nullptr) {
        file->completed(overlapped, status);
    }
    around_.driver.spinners().changed(around_.driver.now(), core().clock());
}

NTSTATUS Process::result_of(const OVERLAPPED& overlapped, bool wait) {
    core().sync();
    if (!wait && is_pending(overlapped)) {
        look_in_vain();
        return STATUS_PENDING;
    }
    if (is_pending(overlapped)) {
        Result result(overlapped);
        results_.push_back(&result);
        Waitable* const object = &result;
        (void)wait_for_any({&object, 1}, INFINITE, "an overlapped request");
        std::erase(results_, &result);
    }
    return static_cast<NTSTATUS>(overlapped.Internal);
}

}  // namespace ndsim::os
