// SPDX-License-Identifier: Apache-2.0
// A ProgramHost without simulation: it writes down what it is asked, its clock goes on by 100 ns with each look, and a
// thread runs to its end inside the call that creates it. A wait for what is not there times out.
#pragma once

#include <array>
#include <csetjmp>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "ndapi/windows/abi/constants.h"
#include "ndapi/windows/abi/program_host.h"
#include "tests/ndapi/windows/program/fake_provider.hpp"

class FakeHost final : public ndsim::ProgramHost {
public:
    std::vector<std::string> calls;      // those that only end or delay something
    std::array<std::string, 3> printed;  // by stream
    std::string all_printed;
    bool has_objects = false;
    FakeProvider2 provider2;
    FakeProvider1 provider1;
    DWORD thread = 1;
    std::function<void()> during_wait;  // what happens while somebody waits

    // Runs what may end in exit_process; returns what it returns or the code that it ends with.
    template <class Function>
    int run(Function function) {
        if (setjmp(process_end_) == 0) {
            return function();
        }
        return exit_code_;
    }

    std::uint64_t nanoseconds() override { return now_ += 100; }
    void sleep(DWORD milliseconds, DWORD and_nanoseconds) override {
        calls.push_back("sleep " + std::to_string(milliseconds));
        now_ += milliseconds == INFINITE ? 0 : std::uint64_t{milliseconds} * 1'000'000 + and_nanoseconds;
    }
    CpuTimes cpu_times() override { return {1'000'000, 3'000'000}; }
    void interlocked(Interlocked access) override {
        if (access == Interlocked::take) {
            calls.emplace_back("interlocked");
        }
    }

    HANDLE create_event(bool manual_reset, bool signalled) override {
        const HANDLE handle = next_handle();
        events_[handle] = {manual_reset, signalled};
        return handle;
    }
    ndsim::Win32Error set_event(HANDLE event) override { return set(event, true); }
    ndsim::Win32Error reset_event(HANDLE event) override { return set(event, false); }
    ndsim::Win32Error close_handle(HANDLE handle) override {
        const bool known = events_.erase(handle) + ports_.erase(handle) + threads_.erase(handle) +
                               semaphores_.erase(handle) + mutexes_.erase(handle) + files_.erase(handle) >
                           0;
        return known ? ERROR_SUCCESS : ERROR_INVALID_HANDLE;
    }
    DWORD wait(const HANDLE* handles, DWORD count, bool all, DWORD milliseconds) override;

    HANDLE create_port(HANDLE file, HANDLE port, ULONG_PTR key) override;
    HANDLE create_file() override { return *files_.insert(next_handle()).first; }
    ndsim::Win32Error post(HANDLE port, const ndsim::PortPacket& packet) override;
    ndsim::Win32Error dequeue(HANDLE port, ndsim::PortPacket& packet, DWORD milliseconds) override;

    HANDLE create_thread(ThreadStart start, void* argument, DWORD* id) override;
    [[noreturn]] void exit_thread(DWORD code) override {
        thread_code_ = code;
        std::longjmp(thread_end_, 1);
    }
    DWORD thread_id() override { return thread; }
    ndsim::Win32Error exit_code_of(HANDLE handle, DWORD& code) override {
        const auto found = threads_.find(handle);
        code = found == threads_.end() ? code : found->second;
        return found == threads_.end() ? ERROR_INVALID_HANDLE : 0;
    }
    [[noreturn]] void exit_process(int code) override {
        exit_code_ = code;
        std::longjmp(process_end_, 1);
    }
    void set_last_error(ndsim::Win32Error error) override { error_ = error; }
    ndsim::Win32Error last_error() override { return error_; }
    DWORD processors() override { return 4; }

    void write(int stream, std::string_view text) override {
        printed.at(static_cast<std::size_t>(stream)) += text;
        all_printed += text;
    }
    HRESULT provider(REFIID iid, void** object) override;
    bool has_open_objects() override { return has_objects; }

    HANDLE create_semaphore(LONG count, LONG) override {
        const HANDLE handle = next_handle();
        semaphores_[handle] = count;
        return handle;
    }
    ndsim::Win32Error release_semaphore(HANDLE semaphore, LONG count, LONG* previous) override;
    HANDLE create_mutex(bool owned) override {
        const HANDLE handle = next_handle();
        mutexes_[handle] = owned ? 1 : 0;
        return handle;
    }
    ndsim::Win32Error release_mutex(HANDLE mutex) override;
    // A timer is an event here, which is signalled when it is set.
    HANDLE create_timer(bool manual_reset) override { return create_event(manual_reset, false); }
    ndsim::Win32Error set_timer(HANDLE timer, std::uint64_t nanoseconds, DWORD period) override {
        calls.push_back("timer " + std::to_string(nanoseconds) + " " + std::to_string(period));
        return set(timer, true);
    }
    ndsim::Win32Error cancel_timer(HANDLE timer) override {
        return events_.count(timer) > 0 ? 0 : ERROR_INVALID_HANDLE;
    }
    HANDLE duplicate_handle(HANDLE handle) override;
    HANDLE open_thread(DWORD id) override {
        if (id != thread) {
            error_ = ERROR_INVALID_PARAMETER;
            return nullptr;
        }
        const HANDLE handle = next_handle();
        threads_[handle] = STILL_ACTIVE;
        return handle;
    }

private:
    struct Event {
        bool manual_reset;
        bool signalled;
    };

    HANDLE next_handle() { return reinterpret_cast<HANDLE>(last_handle_ += 4); }
    ndsim::Win32Error set(HANDLE event, bool signalled);
    bool take(HANDLE handle);
    void run_thread(ThreadStart start, void* argument) {
        if (setjmp(thread_end_) == 0) {
            thread_code_ = start(argument);
        }
    }

    std::uint64_t now_ = 0;
    std::uintptr_t last_handle_ = 0x100;
    std::map<HANDLE, Event> events_;
    std::set<HANDLE> files_;
    std::map<HANDLE, LONG> semaphores_;
    std::map<HANDLE, LONG> mutexes_;   // how often they are taken, by whatever thread
    std::map<HANDLE, DWORD> threads_;  // their exit codes
    std::map<HANDLE, std::deque<ndsim::PortPacket>> ports_;
    ndsim::Win32Error error_ = 0;
    int exit_code_ = 0;
    DWORD thread_code_ = 0;
    std::jmp_buf process_end_;
    std::jmp_buf thread_end_;
};

inline ndsim::Win32Error FakeHost::set(HANDLE event, bool signalled) {
    const auto found = events_.find(event);
    if (found == events_.end()) {
        return ERROR_INVALID_HANDLE;
    }
    found->second.signalled = signalled;
    return ERROR_SUCCESS;
}

inline ndsim::Win32Error FakeHost::release_semaphore(HANDLE semaphore, LONG count, LONG* previous) {
    const auto found = semaphores_.find(semaphore);
    if (found == semaphores_.end()) {
        return ERROR_INVALID_HANDLE;
    }
    if (previous != nullptr) {
        *previous = found->second;
    }
    found->second += count;
    return ERROR_SUCCESS;
}

inline ndsim::Win32Error FakeHost::release_mutex(HANDLE mutex) {
    const auto found = mutexes_.find(mutex);
    if (found == mutexes_.end()) {
        return ERROR_INVALID_HANDLE;
    }
    if (found->second == 0) {
        return ERROR_NOT_OWNER;
    }
    --found->second;
    return ERROR_SUCCESS;
}

// A copy of an event has a state of its own.
inline HANDLE FakeHost::duplicate_handle(HANDLE handle) {
    if (files_.count(handle) > 0) {
        return create_file();
    }
    const auto found = events_.find(handle);
    if (found == events_.end()) {
        error_ = ERROR_INVALID_HANDLE;
        return nullptr;
    }
    return create_event(found->second.manual_reset, found->second.signalled);
}

// Whether a wait for it ends; an event without manual reset is reset by that.
inline bool FakeHost::take(HANDLE handle) {
    if (threads_.count(handle) > 0) {
        return true;
    }
    if (mutexes_.count(handle) > 0) {
        ++mutexes_[handle];
        return true;
    }
    const auto semaphore = semaphores_.find(handle);
    if (semaphore != semaphores_.end()) {
        return semaphore->second > 0 && semaphore->second-- > 0;
    }
    const auto found = events_.find(handle);
    if (found == events_.end() || !found->second.signalled) {
        return false;
    }
    found->second.signalled = found->second.manual_reset;
    return true;
}

inline DWORD FakeHost::wait(const HANDLE* handles, DWORD count, bool all, DWORD milliseconds) {
    calls.push_back("wait " + std::to_string(count) + (all ? " all " : " any ") + std::to_string(milliseconds));
    if (during_wait) {
        during_wait();
    }
    for (DWORD i = 0; i < count; ++i) {
        const HANDLE each = handles[i];
        if (events_.count(each) + threads_.count(each) + semaphores_.count(each) + mutexes_.count(each) == 0) {
            error_ = ERROR_INVALID_HANDLE;
            return WAIT_FAILED;
        }
        if (take(each)) {
            return WAIT_OBJECT_0 + i;
        }
    }
    return WAIT_TIMEOUT;
}

inline HANDLE FakeHost::create_port(HANDLE file, HANDLE port, ULONG_PTR key) {
    const bool is_file = file == INVALID_HANDLE_VALUE || events_.count(file) == 0;  // as a host sees it
    if (!is_file) {
        error_ = ERROR_INVALID_HANDLE;
        return nullptr;
    }
    const HANDLE handle = port == nullptr ? next_handle() : port;
    ports_[handle];
    if (file != INVALID_HANDLE_VALUE) {
        calls.push_back("associate key " + std::to_string(key));
    }
    return handle;
}

inline ndsim::Win32Error FakeHost::post(HANDLE port, const ndsim::PortPacket& packet) {
    const auto found = ports_.find(port);
    if (found == ports_.end()) {
        return ERROR_INVALID_HANDLE;
    }
    found->second.push_back(packet);
    return ERROR_SUCCESS;
}

inline ndsim::Win32Error FakeHost::dequeue(HANDLE port, ndsim::PortPacket& packet, DWORD) {
    const auto found = ports_.find(port);
    if (found == ports_.end()) {
        return ERROR_INVALID_HANDLE;
    }
    if (found->second.empty()) {
        return WAIT_TIMEOUT;
    }
    packet = found->second.front();
    found->second.pop_front();
    return ERROR_SUCCESS;
}

inline HANDLE FakeHost::create_thread(ThreadStart start, void* argument, DWORD* id) {
    const HANDLE handle = next_handle();
    if (id != nullptr) {
        *id = 2;
    }
    thread = 2;
    run_thread(start, argument);
    threads_[handle] = thread_code_;
    thread = 1;
    return handle;
}

inline HRESULT FakeHost::provider(REFIID iid, void** object) {
    *object = nullptr;
    if (iid == IID_IND2Provider) {
        provider2.AddRef();
        *object = static_cast<IND2Provider*>(&provider2);
    } else if (iid == IID_INDProvider) {
        provider1.AddRef();
        *object = static_cast<INDProvider*>(&provider1);
    }
    return *object == nullptr ? E_NOINTERFACE : S_OK;
}
