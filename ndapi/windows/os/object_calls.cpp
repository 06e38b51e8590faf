// SPDX-License-Identifier: Apache-2.0
#include "ndapi/windows/os/object_calls.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <optional>

#include "ndapi/windows/abi/constants.h"
#include "ndapi/windows/os/waits.hpp"

namespace ndsim::os {

namespace {

// Longer than any run: about 53 days.
constexpr std::uint64_t kLongest = std::numeric_limits<std::int64_t>::max() / 2'000;

}  // namespace

HANDLE ObjectCalls::fail(Win32Error error) {
    threads_.current()->last_error = error;
    return nullptr;
}

// The simulation catches up first: others must not see the change before its time.
template <class Object, class Change>
Win32Error ObjectCalls::change(HANDLE handle, Change change) {
    const auto object = handles_.find<Object>(handle);
    if (object == nullptr) {
        return ERROR_INVALID_HANDLE;
    }
    driver_.core().sync();
    change(*object);
    return ERROR_SUCCESS;
}

HANDLE ObjectCalls::create_event(bool manual_reset, bool signalled) {
    return handles_.add(std::make_shared<Event>(driver_, manual_reset, signalled));
}

Win32Error ObjectCalls::set_event(HANDLE handle) {
    return change<Event>(handle, [](Event& event) { event.set(); });
}

Win32Error ObjectCalls::reset_event(HANDLE handle) {
    return change<Event>(handle, [](Event& event) { event.reset(); });
}

HANDLE ObjectCalls::create_port(HANDLE file_handle, HANDLE port_handle, ULONG_PTR key) {
    auto port = handles_.find<Port>(port_handle);
    if (port_handle != nullptr && port == nullptr) {
        return fail(ERROR_INVALID_HANDLE);
    }
    if (file_handle == INVALID_HANDLE_VALUE) {
        return port_handle != nullptr ? fail(ERROR_INVALID_PARAMETER) : handles_.add(std::make_shared<Port>(driver_));
    }
    const auto file = handles_.find<File>(file_handle);
    if (file == nullptr || file->has_port()) {
        return fail(file == nullptr ? ERROR_INVALID_HANDLE : ERROR_INVALID_PARAMETER);
    }
    if (port == nullptr) {
        port = std::make_shared<Port>(driver_);
        port_handle = handles_.add(port);
    }
    file->associate(port, key);
    return port_handle;
}

Win32Error ObjectCalls::post(HANDLE handle, const PortPacket& packet) {
    return change<Port>(handle, [&](Port& port) { port.push(packet); });
}

Win32Error ObjectCalls::dequeue(HANDLE handle, PortPacket& packet, DWORD milliseconds) {
    const auto port = handles_.find<Port>(handle);
    if (port == nullptr) {
        return ERROR_INVALID_HANDLE;
    }
    Waitable* const object = port.get();
    if (!wait_for_any(driver_, {&object, 1}, milliseconds, "a packet of a completion port")) {
        return WAIT_TIMEOUT;
    }
    const std::optional<PortPacket> taken = port->pop();
    packet = taken.value_or(PortPacket{});
    return taken ? ERROR_SUCCESS : ERROR_ABANDONED_WAIT_0;
}

HANDLE ObjectCalls::create_semaphore(LONG count, LONG most) {
    if (most <= 0 || count < 0 || count > most) {
        return fail(ERROR_INVALID_PARAMETER);
    }
    return handles_.add(std::make_shared<Semaphore>(driver_, count, most));
}

Win32Error ObjectCalls::release_semaphore(HANDLE handle, LONG count, LONG* previous) {
    const auto semaphore = handles_.find<Semaphore>(handle);
    if (semaphore == nullptr) {
        return ERROR_INVALID_HANDLE;
    }
    if (count <= 0) {
        return ERROR_INVALID_PARAMETER;
    }
    driver_.core().sync();
    if (!semaphore->has_room_for(count)) {
        return ERROR_TOO_MANY_POSTS;
    }
    if (previous != nullptr) {
        *previous = semaphore->count();
    }
    semaphore->release(count);
    return ERROR_SUCCESS;
}

HANDLE ObjectCalls::create_mutex(bool owned) {
    const auto mutex = std::make_shared<Mutex>(driver_);
    if (owned) {
        mutex->take(driver_.core());
    }
    threads_.watch(mutex);
    return handles_.add(mutex);
}

Win32Error ObjectCalls::release_mutex(HANDLE handle) {
    const auto mutex = handles_.find<Mutex>(handle);
    if (mutex == nullptr) {
        return ERROR_INVALID_HANDLE;
    }
    if (!mutex->is_owned_by(driver_.core())) {
        return ERROR_NOT_OWNER;
    }
    driver_.core().sync();
    mutex->release();
    return ERROR_SUCCESS;
}

HANDLE ObjectCalls::create_timer(bool manual_reset) {
    const auto timer = std::make_shared<Timer>(driver_, manual_reset);
    std::erase_if(timers_, [](const auto& each) { return each.expired(); });
    timers_.push_back(timer);
    return handles_.add(timer);
}

Win32Error ObjectCalls::set_timer(HANDLE handle, std::uint64_t nanoseconds, DWORD period) {
    const auto span = static_cast<std::int64_t>(std::min(nanoseconds, kLongest));
    return change<Timer>(
        handle, [&](Timer& timer) { timer.set(std::chrono::nanoseconds{span}, std::chrono::milliseconds{period}); });
}

Win32Error ObjectCalls::cancel_timer(HANDLE handle) {
    return change<Timer>(handle, [](Timer& timer) { timer.cancel(); });
}

void ObjectCalls::cancel_timers() {
    for (const auto& each : timers_) {
        if (const auto timer = each.lock()) {
            timer->cancel();
        }
    }
}

}  // namespace ndsim::os
