// SPDX-License-Identifier: Apache-2.0
// What C++'s shared mutexes are made of; they cost what mutexes cost (cpp_mutexes.cpp). Nobody comes before others:
// after a release all that wait look again.
#include <pthread.h>

#include <cerrno>

#include "ndapi/windows/program/instance.hpp"
#include "ndapi/windows/program/thread_waits.hpp"

using ndsim::host;
using ndsim::ProgramHost;

namespace {

// Readers, and the number of the thread that writes.
unsigned& readers(pthread_rwlock_t& mutex) {
    return mutex.__data.__readers;
}
int& writer(pthread_rwlock_t& mutex) {
    return mutex.__data.__cur_writer;
}

int try_write(pthread_rwlock_t& mutex) {
    if (writer(mutex) != 0 || readers(mutex) > 0) {
        return EBUSY;
    }
    writer(mutex) = static_cast<int>(host().thread_id());
    return 0;
}
int try_read(pthread_rwlock_t& mutex) {
    if (writer(mutex) != 0) {
        return EBUSY;
    }
    ++readers(mutex);
    return 0;
}

int lock(pthread_rwlock_t& mutex, int (*try_it)(pthread_rwlock_t&), ndsim::WaitEnd end) {
    host().interlocked();
    if (writer(mutex) == static_cast<int>(host().thread_id())) {
        return EDEADLK;
    }
    while (try_it(mutex) != 0) {
        if (!ndsim::wait_at(&mutex, end)) {
            return ETIMEDOUT;
        }
    }
    return 0;
}

}  // namespace

extern "C" {

int pthread_rwlock_destroy(pthread_rwlock_t*) noexcept {
    return 0;
}
int pthread_rwlock_wrlock(pthread_rwlock_t* mutex) noexcept {
    return lock(*mutex, try_write, {});
}
int pthread_rwlock_rdlock(pthread_rwlock_t* mutex) noexcept {
    return lock(*mutex, try_read, {});
}
int pthread_rwlock_timedwrlock(pthread_rwlock_t* mutex, const timespec* end) noexcept {
    return lock(*mutex, try_write, ndsim::wait_end(CLOCK_REALTIME, *end));
}
int pthread_rwlock_timedrdlock(pthread_rwlock_t* mutex, const timespec* end) noexcept {
    return lock(*mutex, try_read, ndsim::wait_end(CLOCK_REALTIME, *end));
}
int pthread_rwlock_clockwrlock(pthread_rwlock_t* mutex, clockid_t clock, const timespec* end) noexcept {
    return lock(*mutex, try_write, ndsim::wait_end(clock, *end));
}
int pthread_rwlock_clockrdlock(pthread_rwlock_t* mutex, clockid_t clock, const timespec* end) noexcept {
    return lock(*mutex, try_read, ndsim::wait_end(clock, *end));
}
int pthread_rwlock_trywrlock(pthread_rwlock_t* mutex) noexcept {
    host().interlocked();
    return try_write(*mutex);
}
int pthread_rwlock_tryrdlock(pthread_rwlock_t* mutex) noexcept {
    host().interlocked();
    return try_read(*mutex);
}
int pthread_rwlock_unlock(pthread_rwlock_t* mutex) noexcept {
    host().interlocked(ProgramHost::Interlocked::give);
    if (writer(*mutex) != 0) {
        writer(*mutex) = 0;
    } else {
        --readers(*mutex);
    }
    (void)ndsim::wake_all_at(mutex);
    return 0;
}
}
