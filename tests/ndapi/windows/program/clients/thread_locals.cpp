// SPDX-License-Identifier: Apache-2.0
// A program whose threads have thread_local variables, and what runs at a thread's end. It prints what is not as it
// should be.
#include <windows.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <future>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "tests/ndapi/windows/program/clients/printed_facts.hpp"

namespace {

using namespace std::chrono_literals;
using std::this_thread::sleep_for;

std::vector<std::string> gone;

struct Named {
    Named() = default;
    ~Named() { gone.push_back(name); }
    std::string name = "nobody";
};

thread_local int number = 40;
thread_local int nothing;
thread_local const char* text = "the same text";
thread_local Named named;
alignas(64) thread_local char aligned[64];

int set_before_main = number = 41;

void use(const std::string& name) {
    expect(number == 40 && nothing == 0 && named.name == "nobody", "a thread begins with the first values");
    expect(std::string(text) == "the same text", "a pointer");
    expect(reinterpret_cast<std::uintptr_t>(aligned) % 64 == 0 && aligned[63] == 0, "alignment");
    for (int i = 0; i < 3; ++i) {
        ++number;
        --nothing;
        named.name = name;
        sleep_for(1ms);
    }
    expect(number == 43 && nothing == -3 && named.name == name, "no other thread has changed them");
}

bool has_gone(const char* name) {
    return std::count(gone.begin(), gone.end(), name) == 1;
}

DWORD WINAPI exits_early(void*) {
    named.name = "exits early";
    ExitThread(3);
}

void threads_of_each_kind() {
    named.name = "main";
    std::thread one(use, "one");
    std::thread two(use, "two");
    HANDLE three = CreateThread(NULL, 0, exits_early, NULL, 0, NULL);
    one.join();
    two.join();
    WaitForSingleObject(three, INFINITE);
    expect(has_gone("one") && has_gone("two") && has_gone("exits early"), "they end with their threads");
    expect(gone.size() == 3 && named.name == "main", "and main's does not");
}

// What is promised for the end of a thread comes after its variables have gone.
void at_the_end() {
    std::promise<void> promise;
    std::future<void> future = promise.get_future();
    std::thread first([&] {
        promise.set_value_at_thread_exit();
        expect(future.wait_for(1ms) == std::future_status::timeout, "not before the end");
        named.name = "first";
    });
    future.get();
    expect(has_gone("first"), "its variables have gone before");
    first.join();
    std::mutex mutex;
    std::condition_variable changed;
    std::thread([&] {
        std::unique_lock lock(mutex);
        named.name = "detached";
        std::notify_all_at_thread_exit(changed, std::move(lock));
    }).detach();
    std::unique_lock lock(mutex);
    changed.wait(lock, [] { return has_gone("detached"); });
}

}  // namespace

int main() {
    expect(number == 41 && set_before_main == 41, "the first thread has what static variables set");
    threads_of_each_kind();
    at_the_end();
    return failures;
}
