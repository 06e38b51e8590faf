// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ndapi/windows/abi/program_host.h"
#include "ndapi/windows/os/handles.hpp"
#include "ndapi/windows/os/lifetime.hpp"
#include "ndapi/windows/os/object_calls.hpp"
#include "ndapi/windows/os/overlapped_requests.hpp"
#include "ndapi/windows/os/threads.hpp"

namespace ndsim::os {

// Process: a program on a simulated host: threads on cores of their own, handles, and what it leaves open. It ends when
// its first thread returns, or its last one ends, or any of them exits it; then all of them stop where they are.
class Process final : public ProgramHost {
public:
    struct Surroundings {
        core::Driver& driver;
        std::vector<Core*> cores;  // for threads
        std::function<void(int stream, std::string_view text)> write;
        std::function<HRESULT(Process&, REFIID, void**)> provider;
    };
    explicit Process(Surroundings surroundings);

    // Runs a program from start to end, while the calling thread waits. Returns its exit code.
    int run(const std::function<int()>& program);

    [[nodiscard]] core::Driver& driver() { return around_.driver; }
    [[nodiscard]] Handles& handles() { return handles_; }
    [[nodiscard]] Lifetime& lifetime() { return lifetime_; }
    [[nodiscard]] OverlappedRequests& overlapped() { return overlapped_; }
    // What its threads wait for, for the message when nothing can ever happen again.
    [[nodiscard]] std::string waiting() const { return threads_.waiting(); }

    [[nodiscard]] std::uint64_t nanoseconds() override;
    void sleep(DWORD milliseconds, DWORD and_nanoseconds) override;
    [[nodiscard]] CpuTimes cpu_times() override;
    void interlocked(Interlocked access) override;
    [[nodiscard]] HANDLE create_event(bool manual_reset, bool signalled) override {
        return objects_.create_event(manual_reset, signalled);
    }
    Win32Error set_event(HANDLE event) override { return objects_.set_event(event); }
    Win32Error reset_event(HANDLE event) override { return objects_.reset_event(event); }
    Win32Error close_handle(HANDLE handle) override;
    [[nodiscard]] DWORD wait(const HANDLE* handles, DWORD count, bool all, DWORD milliseconds) override;
    [[nodiscard]] HANDLE create_port(HANDLE file, HANDLE port, ULONG_PTR key) override {
        return objects_.create_port(file, port, key);
    }
    [[nodiscard]] HANDLE create_file() override { return handles_.add(std::make_shared<File>()); }
    Win32Error post(HANDLE port, const PortPacket& packet) override { return objects_.post(port, packet); }
    Win32Error dequeue(HANDLE port, PortPacket& packet, DWORD milliseconds) override {
        return objects_.dequeue(port, packet, milliseconds);
    }
    [[nodiscard]] HANDLE create_thread(ThreadStart start, void* argument, DWORD* id) override;
    [[noreturn]] void exit_thread(DWORD code) override;
    [[nodiscard]] DWORD thread_id() override { return threads_.current()->id; }
    Win32Error exit_code_of(HANDLE thread, DWORD& code) override;
    [[noreturn]] void exit_process(int code) override;
    void set_last_error(Win32Error error) override { threads_.current()->last_error = error; }
    [[nodiscard]] Win32Error last_error() override { return threads_.current()->last_error; }
    [[nodiscard]] DWORD processors() override { return static_cast<DWORD>(around_.cores.size()); }
    void write(int stream, std::string_view text) override { around_.write(stream, text); }
    [[nodiscard]] HRESULT provider(REFIID iid, void** object) override { return around_.provider(*this, iid, object); }
    [[nodiscard]] bool has_open_objects() override { return lifetime_.has_open_objects(); }
    [[nodiscard]] HANDLE create_semaphore(LONG count, LONG most) override {
        return objects_.create_semaphore(count, most);
    }
    Win32Error release_semaphore(HANDLE semaphore, LONG count, LONG* previous) override {
        return objects_.release_semaphore(semaphore, count, previous);
    }
    [[nodiscard]] HANDLE create_mutex(bool owned) override { return objects_.create_mutex(owned); }
    Win32Error release_mutex(HANDLE mutex) override { return objects_.release_mutex(mutex); }
    [[nodiscard]] HANDLE create_timer(bool manual_reset) override { return objects_.create_timer(manual_reset); }
    Win32Error set_timer(HANDLE timer, std::uint64_t nanoseconds, DWORD period) override {
        return objects_.set_timer(timer, nanoseconds, period);
    }
    Win32Error cancel_timer(HANDLE timer) override { return objects_.cancel_timer(timer); }
    [[nodiscard]] HANDLE duplicate_handle(HANDLE handle) override;
    [[nodiscard]] HANDLE open_thread(DWORD id) override;

private:
    [[nodiscard]] Core& core() { return around_.driver.core(); }
    void end(int code);

    Surroundings around_;
    Handles handles_;
    Lifetime lifetime_;
    Threads threads_;
    ObjectCalls objects_;
    OverlappedRequests overlapped_;
    Core* waits_for_end_ = nullptr;
};

}  // namespace ndsim::os
