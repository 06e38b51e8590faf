// SPDX-License-Identifier: Apache-2.0
// What C++'s mutexes are made of. Taking one costs what an Interlocked function costs, or a loop that only locks would
// never let another thread go on; giving it back costs nothing. The program's copies of these functions come before
// the libraries' own; a mutex with no bit set is free, as the libraries' initial values have it.
#include <pthread.h>

#include <cerrno>

#include "ndapi/windows/program/instance.hpp"
#include "ndapi/windows/program/thread_waits.hpp"

using ndsim::host;
using ndsim::ProgramHost;

namespace {

bool is_mine(const pthread_mutex_t& mutex) {
    return mutex.__data.__lock != 0 && mutex.__data.__owner == static_cast<int>(host().thread_id());
}

void take(pthread_mutex_t& mutex) {
    mutex.__data.__lock = 1;
    mutex.__data.__owner = static_cast<int>(host().thread_id());
    mutex.__data.__count = 1;
}

// Whoever finds it taken waits for the next release, and looks again.
int lock(pthread_mutex_t& mutex, ndsim::WaitEnd end) {
    host().interlocked();
    if (is_mine(mutex)) {
        if (mutex.__data.__kind != PTHREAD_MUTEX_RECURSIVE) {
            return EDEADLK;  // as Windows' C++ library says it, and not for ever
        }
        ++mutex.__data.__count;
        return 0;
    }
    while (mutex.__data.__lock != 0) {
        if (!ndsim::wait_at(&mutex, end)) {
            return ETIMEDOUT;
        }
    }
    take(mutex);
    return 0;
}

}  // namespace

extern "C" {

int pthread_mutex_destroy(pthread_mutex_t*) noexcept {
    return 0;
}
int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
    return lock(*mutex, {});
}
int pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* end) noexcept {
    return lock(*mutex, ndsim::wait_end(CLOCK_REALTIME, *end));
}
int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock, const timespec* end) noexcept {
    return lock(*mutex, ndsim::wait_end(clock, *end));
}
int pthread_mutex_trylock(pthread_mutex_t* mutex) noexcept {
    host().interlocked();
    if (is_mine(*mutex) && mutex->__data.__kind == PTHREAD_MUTEX_RECURSIVE) {
        ++mutex->__data.__count;
        return 0;
    }
    if (mutex->__data.__lock != 0) {
        return EBUSY;
    }
    take(*mutex);
    return 0;
}
int pthread_mutex_unlock(pthread_mutex_t* mutex) noexcept {
    if (mutex->__data.__count > 1) {
        --mutex->__data.__count;
        return 0;
    }
    host().interlocked(ProgramHost::Interlocked::give);
    mutex->__data.__count = 0;
    mutex->__data.__owner = 0;
    mutex->__data.__lock = 0;
    (void)ndsim::wake_at(mutex, 1);
    return 0;
}
}
