// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include "ndapi/windows/abi/constants.h"
#include "ndapi/windows/os/process.hpp"

// What a program's threads make and release beside events: semaphores, mutexes, timers; and further handles. As with
// events the simulation catches up before others can see a change.
namespace ndsim::os {

namespace {

// Those whose objects are still there, and one more.
template <class Object>
void note(std::vector<std::weak_ptr<Object>>& list, const std::shared_ptr<Object>& object) {
    std::erase_if(list, [](const auto& each) { return each.expired(); });
    list.push_back(object);
}

// Longer than any run: about 53 days.
constexpr std::uint64_t kLongest = std::numeric_limits<std::int64_t>::max() / 2'000;

}  // namespace

HANDLE Process::create_semaphore(LONG count, LONG most) {
    if (most <= 0 || count < 0 || count > most) {
        set_last_error(ERROR_INVALID_PARAMETER);
        return nullptr;
    }
    return handles_.add(std::make_shared<Semaphore>(around_.driver, count, most));
}

Win32Error Process::release_semaphore(HANDLE handle, LONG count, LONG* previous) {
    const auto semaphore = handles_.find<Semaphore>(handle);
    if (semaphore == nullptr) {
        return ERROR_INVALID_HANDLE;
    }
    if (count <= 0) {
        return ERROR_INVALID_PARAMETER;
    }
    core().sync();
    if (!semaphore->has_room_for(count)) {
        return ERROR_TOO_MANY_POSTS;
    }
    if (previous != nullptr) {
        *previous = semaphore->count();
    }
    semaphore->release(count);
    return ERROR_SUCCESS;
}

HANDLE Process::create_mutex(bool owned) {
    const auto mutex = std::make_shared<Mutex>(around_.driver);
    if (owned) {
        mutex->take();
    }
    note(mutexes_, mutex);
    return handles_.add(mutex);
}

Win32Error Process::release_mutex(HANDLE handle) {
    const auto mutex = handles_.find<Mutex>(handle);
    if (mutex == nullptr) {
        return ERROR_INVALID_HANDLE;
    }
    if (!mutex->is_owned_by(core())) {
        return ERROR_NOT_OWNER;
    }
    core().sync();
    mutex->release();
    return ERROR_SUCCESS;
}

HANDLE Process::create_timer(bool manual_reset) {
    const auto timer = std::make_shared<Timer>(around_.driver, manual_reset);
    note(timers_, timer);
    return handles_.add(timer);
}

Win32Error Process::set_timer(HANDLE handle, std::uint64_t nanoseconds, DWORD period) {
    const auto timer = handles_.find<Timer>(handle);
    if (timer == nullptr) {
        return ERROR_INVALID_HANDLE;
    }
    core().sync();
    const auto span = static_cast<std::int64_t>(std::min(nanoseconds, kLongest));
    timer->set(std::chrono::nanoseconds{span}, std::chrono::milliseconds{period});
    return ERROR_SUCCESS;
}

Win32Error Process::cancel_timer(HANDLE handle) {
    const auto timer = handles_.find<Timer>(handle);
    if (timer == nullptr) {
        return ERROR_INVALID_HANDLE;
    }
    core().sync();
    timer->cancel();
    return ERROR_SUCCESS;
}

HANDLE Process::duplicate_handle(HANDLE handle) {
    auto object = handles_.find(handle);
    if (object == nullptr) {
        set_last_error(ERROR_INVALID_HANDLE);
        return nullptr;
    }
    return handles_.add(std::move(object));
}

HANDLE Process::current_thread() {
    const Thread& me = current();
    const auto found = std::ranges::find_if(threads_, [&](const auto& each) { return each.get() == &me; });
    return handles_.add(found == threads_.end() ? upcalls_ : *found);
}

}  // namespace ndsim::os
