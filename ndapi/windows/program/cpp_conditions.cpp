// SPDX-License-Identifier: Apache-2.0
// C++'s condition variables. Nothing is kept in them: who waits is in the list of waits. Both std::condition_variable
// and the inline parts of the C++ library call the functions of pthread here.
#include <pthread.h>

#include <cerrno>
#include <condition_variable>

#include "ndapi/windows/program/thread_waits.hpp"

namespace {

// The wait is heard of before the mutex is free, so no notification is missed.
int wait(pthread_cond_t* condition, pthread_mutex_t* mutex, ndsim::WaitEnd end) {
    ndsim::AddressWait waiting(condition);
    pthread_mutex_unlock(mutex);
    const bool is_woken = waiting.wait(end);
    pthread_mutex_lock(mutex);
    return is_woken ? 0 : ETIMEDOUT;
}

}  // namespace

extern "C" {

int pthread_cond_destroy(pthread_cond_t*) noexcept {
    return 0;
}
int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
    return wait(condition, mutex, {});
}
int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* end) {
    return wait(condition, mutex, ndsim::wait_end(CLOCK_REALTIME, *end));
}
int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock, const timespec* end) {
    return wait(condition, mutex, ndsim::wait_end(clock, *end));
}
int pthread_cond_signal(pthread_cond_t* condition) noexcept {
    (void)ndsim::wake_at(condition, 1);
    return 0;
}
int pthread_cond_broadcast(pthread_cond_t* condition) noexcept {
    (void)ndsim::wake_all_at(condition);
    return 0;
}
}

std::condition_variable::condition_variable() noexcept = default;
std::condition_variable::~condition_variable() noexcept = default;
void std::condition_variable::wait(std::unique_lock<std::mutex>& lock) {
    _M_cond.wait(*lock.mutex());
}
void std::condition_variable::notify_one() noexcept {
    _M_cond.notify_one();
}
void std::condition_variable::notify_all() noexcept {
    _M_cond.notify_all();
}
