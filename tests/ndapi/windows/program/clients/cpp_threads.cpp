// SPDX-License-Identifier: Apache-2.0
// A program that has its threads, locks and waits from the C++ library. It prints what is not as it should be.
#include <atomic>
#include <barrier>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <future>
#include <latch>
#include <memory>
#include <mutex>
#include <semaphore>
#include <set>
#include <shared_mutex>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "tests/ndapi/windows/program/clients/printed_facts.hpp"

namespace {

using namespace std::chrono_literals;
using std::this_thread::sleep_for;
using Clock = std::chrono::steady_clock;

// A wait that another thread ends is 4 us late, and none of these has more than six in a row; looks at clocks and locks
// take 10 ns each, so the other thread may have begun a little earlier.
template <class Function>
void takes(std::chrono::milliseconds time, const char* what, Function function) {
    const auto start = Clock::now();
    function();
    const auto elapsed = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start);
    if (elapsed < time - 100ns || elapsed > time + 6 * 4us + 1us) {
        ++failures;
        std::printf("%s: %lld ns\n", what, static_cast<long long>(elapsed.count()));
    }
}

void threads() {
    expect(std::thread::hardware_concurrency() == 16, "16 cores");
    std::mutex mutex;
    std::set<std::thread::id> ids{std::this_thread::get_id()};
    std::vector<std::thread> all;
    for (int i = 0; i < 5; ++i) {
        all.emplace_back([&] {
            const std::lock_guard lock(mutex);
            sleep_for(1ms);
            ids.insert(std::this_thread::get_id());
        });
    }
    expect(ids.count(all[0].get_id()) == 0, "a new thread's number");
    takes(5ms, "five threads that hold a mutex for 1 ms each", [&] {
        for (std::thread& each : all) {
            each.join();
        }
    });
    expect(ids.size() == 6 && !all[0].joinable(), "six threads with numbers of their own");
    auto done = std::make_shared<std::promise<int>>();
    std::future<int> result = done->get_future();
    std::thread([done] {
        sleep_for(2ms);
        done->set_value(7);
    }).detach();
    takes(2ms, "a detached thread", [&] { expect(result.get() == 7, "its value"); });
}

void more_threads_than_cores() {
    std::latch end(1);
    std::vector<std::jthread> all;
    try {
        for (int i = 0; i < 16; ++i) {
            all.emplace_back([&] { end.wait(); });
        }
        expect(false, "there is no core for a 17th thread");
    } catch (const std::system_error& error) {
        expect(error.code() == std::errc::resource_unavailable_try_again && all.size() == 15, "15 more threads");
    }
    end.count_down();
}

// Two threads that answer each other, each after 1 ms.
void exchange() {
    std::mutex mutex;
    std::condition_variable changed;
    int ball = 0;
    const auto play = [&](int first) {
        for (int mine = first; mine < 6; mine += 2) {
            std::unique_lock lock(mutex);
            changed.wait(lock, [&] { return ball == mine; });
            sleep_for(1ms);
            ++ball;
            changed.notify_one();
        }
    };
    takes(6ms, "six moves", [&] {
        std::thread other(play, 1);
        play(0);
        other.join();
    });
    bool go = false;
    int gone = 0;
    std::vector<std::thread> all;
    for (int i = 0; i < 3; ++i) {
        all.emplace_back([&] {
            std::unique_lock lock(mutex);
            changed.wait(lock, [&] { return go; });
            ++gone;
        });
    }
    sleep_for(1ms);
    {
        const std::lock_guard lock(mutex);
        go = true;
    }
    changed.notify_all();
    for (std::thread& each : all) {
        each.join();
    }
    expect(gone == 3, "all three are notified");
}

void waits_with_an_end() {
    std::mutex mutex;
    std::condition_variable changed;
    std::condition_variable_any any;
    std::unique_lock lock(mutex);
    takes(5ms, "wait_for", [&] { expect(changed.wait_for(lock, 5ms) == std::cv_status::timeout, "its end"); });
    takes(3ms, "wait_for a fact", [&] { expect(!changed.wait_for(lock, 3ms, [] { return false; }), "none"); });
    takes(2ms, "wait_until", [&] { changed.wait_until(lock, Clock::now() + 2ms); });
    takes(2ms, "wait_until a day's time", [&] { changed.wait_until(lock, std::chrono::system_clock::now() + 2ms); });
    takes(4ms, "a wait for any lock", [&] { any.wait_for(lock, 4ms); });
    takes(0ms, "an end in the past", [&] { changed.wait_until(lock, Clock::now() - 1h); });
    lock.unlock();

    std::timed_mutex timed;
    std::shared_timed_mutex shared;
    std::recursive_timed_mutex recursive;
    const std::scoped_lock all(timed, shared, recursive);
    const auto tried = std::async(std::launch::async, [&] {
        takes(3ms, "timed_mutex", [&] { expect(!timed.try_lock_for(3ms), "taken"); });
        takes(2ms, "shared_timed_mutex", [&] { expect(!shared.try_lock_shared_for(2ms), "taken"); });
        takes(2ms, "a writer", [&] { expect(!shared.try_lock_until(Clock::now() + 2ms), "taken"); });
        takes(1ms, "recursive", [&] { expect(!recursive.try_lock_for(1ms) && !timed.try_lock(), "taken"); });
    });
    takes(7ms, "a future", [&] { expect(tried.wait_for(7ms) == std::future_status::timeout, "not yet"); });
    takes(1ms, "a future until a day's time", [&] {
        expect(tried.wait_until(std::chrono::system_clock::now() + 2ms) == std::future_status::ready, "ready");
    });
}

void mutexes() {
    std::recursive_mutex recursive;
    std::mutex plain;
    std::shared_mutex shared;
    recursive.lock();
    recursive.lock();
    shared.lock_shared();
    std::thread other([&] {
        takes(2ms, "a recursive mutex until its last release", [&] { recursive.lock(); });
        recursive.unlock();
        takes(0ms, "a reader beside another", [&] { const std::shared_lock lock(shared); });
        takes(1ms, "a writer after the last reader", [&] { shared.lock(); });
        sleep_for(1ms);
        shared.unlock();
    });
    sleep_for(1ms);
    recursive.unlock();
    sleep_for(1ms);
    recursive.unlock();
    sleep_for(1ms);
    shared.unlock_shared();
    sleep_for(500us);
    expect(!shared.try_lock_shared(), "no reader beside a writer");
    other.join();
    const std::lock_guard lock(plain);
    try {
        plain.lock();
        expect(false, "a mutex is taken once");
    } catch (const std::system_error& error) {
        expect(error.code() == std::errc::resource_deadlock_would_occur, "a second lock");
    }
}

void futures() {
    auto sum = std::async(
        std::launch::async,
        [](int a, int b) {
            sleep_for(2ms);
            return a + b;
        },
        3, 4);
    takes(2ms, "async", [&] { expect(sum.get() == 7, "a sum"); });
    auto thrown = std::async(std::launch::async, []() -> int { throw std::runtime_error("thrown"); });
    try {
        (void)thrown.get();
        expect(false, "an exception goes to who asks");
    } catch (const std::runtime_error& error) {
        expect(std::string(error.what()) == "thrown", "its text");
    }
    std::packaged_task<int()> task([] { return 9; });
    std::future<int> nine = task.get_future();
    std::jthread worker(std::move(task));
    expect(nine.get() == 9, "a task");
}

int slow_static() {
    static const int value = [] {
        sleep_for(2ms);
        return 5;
    }();
    return value;
}

void once() {
    std::once_flag flag;
    int tries = 0;
    const auto attempt = [&] {
        sleep_for(1ms);
        if (++tries == 1) {
            throw std::runtime_error("the first");
        }
    };
    takes(2ms, "the first fails, the second does it", [&] {
        auto first = std::async(std::launch::async, [&] { std::call_once(flag, attempt); });
        auto second = std::async(std::launch::async, [&] { std::call_once(flag, attempt); });
        second.get();
        try {
            first.get();
            expect(false, "the first throws");
        } catch (const std::runtime_error&) {
        }
    });
    std::call_once(flag, attempt);
    expect(tries == 2, "once");
    auto other = std::async(std::launch::async, slow_static);
    takes(2ms, "a static variable's first pass", [&] { expect(slow_static() + other.get() == 10, "its value"); });
}

void of_cpp20() {
    std::counting_semaphore<4> semaphore(0);
    std::latch latch(2);
    std::barrier barrier(2);
    std::atomic<int> number{0};
    std::mutex mutex;
    std::condition_variable_any changed;
    std::jthread other([&](std::stop_token stop) {
        sleep_for(1ms);
        semaphore.release(2);
        sleep_for(1ms);
        latch.count_down();
        sleep_for(1ms);
        barrier.arrive_and_wait();
        sleep_for(1ms);
        number = 1;
        number.notify_all();
        std::unique_lock lock(mutex);
        expect(!changed.wait(lock, stop, [] { return false; }), "it is stopped");
    });
    takes(1ms, "a semaphore", [&] { semaphore.acquire(); });
    expect(semaphore.try_acquire() && !semaphore.try_acquire(), "two");
    takes(1ms, "a latch", [&] { latch.arrive_and_wait(); });
    takes(1ms, "a barrier", [&] { barrier.arrive_and_wait(); });
    takes(1ms, "an atomic", [&] { number.wait(0); });
    takes(2ms, "a semaphore's end", [&] { expect(!semaphore.try_acquire_for(2ms), "none left"); });
    takes(0ms, "a stop", [&] {
        other.request_stop();
        other.join();
    });
}

}  // namespace

int main() {
    threads();
    more_threads_than_cores();
    exchange();
    waits_with_an_end();
    mutexes();
    futures();
    once();
    of_cpp20();
    return failures;
}
