// SPDX-License-Identifier: Apache-2.0
// C++'s threads: threads of the host, as CreateThread's. The program's copies of these functions come before the
// libraries' own.
#include <pthread.h>
#include <sys/single_threaded.h>

#include <bits/functexcept.h>
#include <cerrno>
#include <condition_variable>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "ndapi/windows/abi/threads.h"
#include "ndapi/windows/program/instance.hpp"
#include "ndapi/windows/program/thread_list.hpp"
#include "ndapi/windows/program/thread_locals.hpp"

using ndsim::host;

namespace {

HANDLE handle_of(DWORD id) {
    const ndsim::ListedThread* each = ndsim::instance().threads;
    while (each != nullptr && each->id != id) {
        each = each->next;
    }
    return each == nullptr ? nullptr : each->thread;
}

// Of a condition variable, at the end of a thread that holds the mutex.
struct LastNotification {
    std::condition_variable& condition;
    std::unique_lock<std::mutex> lock;
};

void notify(void* argument) {
    const std::unique_ptr<LastNotification> last(static_cast<LastNotification*>(argument));
    last->lock.unlock();
    last->condition.notify_all();
}

}  // namespace

// The C++ library leaves out what only several threads need as long as this says that there is one.
char __libc_single_threaded = 0;

// Its number is a thread's pthread_t, and so its std::thread::id.
extern "C" pthread_t pthread_self() noexcept {
    return host().thread_id();
}

void std::thread::_M_start_thread(_State_ptr state, void (*)()) {
    const auto run = [](void* argument) -> DWORD {
        const _State_ptr own(static_cast<_State*>(argument));
        own->_M_run();
        return 0;
    };
    DWORD number = 0;
    if (CreateThread(nullptr, 0, run, state.get(), 0, &number) == nullptr) {
        std::__throw_system_error(EAGAIN);
    }
    (void)state.release();
    _M_id = id(number);
}

void std::thread::join() {
    HANDLE handle = handle_of(static_cast<DWORD>(_M_id._M_thread));
    if (handle == nullptr) {
        std::__throw_system_error(EINVAL);
    }
    if (_M_id == std::this_thread::get_id()) {
        std::__throw_system_error(EDEADLK);
    }
    (void)host().wait(&handle, 1, false, INFINITE);
    host().close_handle(handle);
    _M_id = id();
}

void std::thread::detach() {
    HANDLE const handle = handle_of(static_cast<DWORD>(_M_id._M_thread));
    if (handle == nullptr) {
        std::__throw_system_error(EINVAL);
    }
    host().close_handle(handle);
    _M_id = id();
}

unsigned std::thread::hardware_concurrency() noexcept {
    return host().processors();
}

void std::notify_all_at_thread_exit(std::condition_variable& condition, std::unique_lock<std::mutex> lock) {
    ndsim::at_thread_end(notify, new LastNotification{condition, std::move(lock)});
}

// Of a promise whose value is there at the thread's end.
void std::__future_base::_State_baseV2::_Make_ready::_M_set() {
    _M_cb = &_S_run;
    ndsim::at_thread_end(_M_cb, this);
}
void std::__future_base::_State_baseV2::_Make_ready::_S_run(void* argument) {
    const std::unique_ptr<_Make_ready> self(static_cast<_Make_ready*>(argument));
    if (const auto state = self->_M_shared_state.lock()) {
        state->_M_status._M_store_notify_all(_Status::__ready, std::memory_order_release);
    }
}
