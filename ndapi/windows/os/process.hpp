// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ndapi/windows/abi/program_host.h"
#include "ndapi/windows/os/handles.hpp"
#include "ndapi/windows/os/synchronization.hpp"

namespace ndsim::os {

// What a program has of an interface's objects, to be taken down when the program ends without having done so.
class Owned {
public:
    virtual void abandon() = 0;

protected:
    ~Owned() = default;
};

// Process: a program on a simulated host: threads on cores of their own, handles, and what it leaves open. It ends when
// its first thread returns, or any of them exits it; then all of them stop where they are.
class Process final : public ProgramHost {
public:
    struct Surroundings {
        core::Driver& driver;
        std::vector<Core*> cores;  // for threads
        std::function<void(int stream, std::string_view text)> write;
        std::function<HRESULT(Process&, REFIID, void**)> provider;
    };
    explicit Process(Surroundings surroundings) : around_(std::move(surroundings)) {}

    // Runs a program from start to end, while the calling thread waits. Returns its exit code.
    int run(const std::function<int()>& program);

    [[nodiscard]] core::Driver& driver() { return around_.driver; }
    [[nodiscard]] Handles& handles() { return handles_; }
    // What the program's end takes down, the youngest first.
    void adopt(Owned& owned) { owned_.push_back(&owned); }
    void disown(Owned& owned) { std::erase(owned_, &owned); }
    // An overlapped request is accepted; it has ended; how it has ended, or STATUS_PENDING unless that is waited for.
    void begin(OVERLAPPED& overlapped);
    void complete(OVERLAPPED& overlapped, NTSTATUS status, const File* file);
    [[nodiscard]] NTSTATUS result_of(const OVERLAPPED& overlapped, bool wait);
    // Blocks until one of these is ready, which takes it, or until the time is over.
    [[nodiscard]] std::optional<std::size_t> wait_for_any(std::span<Waitable* const> objects, DWORD milliseconds,
                                                          std::string_view what);
    // The calling thread has looked for something in vain, and goes on when it has a reason to look again.
    void look_in_vain();
    // Whether the program has ended; nobody hears of anything any more.
    [[nodiscard]] bool has_ended() const { return ended_; }
    // What its threads wait for, for the message when nothing can ever happen again.
    [[nodiscard]] std::string waiting() const;

    [[nodiscard]] std::uint64_t nanoseconds() override;
    void sleep(DWORD milliseconds) override;
    [[nodiscard]] CpuTimes cpu_times() override;
    void interlocked() override;
    [[nodiscard]] HANDLE create_event(bool manual_reset, bool signalled) override;
    Win32Error set_event(HANDLE event) override;
    Win32Error reset_event(HANDLE event) override;
    Win32Error close_handle(HANDLE handle) override;
    [[nodiscard]] DWORD wait(const HANDLE* handles, DWORD count, bool all, DWORD milliseconds) override;
    [[nodiscard]] HANDLE create_port(HANDLE file, HANDLE port, ULONG_PTR key) override;
    [[nodiscard]] HANDLE create_file() override { return handles_.add(std::make_shared<File>()); }
    Win32Error post(HANDLE port, const PortPacket& packet) override;
    Win32Error dequeue(HANDLE port, PortPacket& packet, DWORD milliseconds) override;
    [[nodiscard]] HANDLE create_thread(ThreadStart start, void* argument, DWORD* id) override;
    [[noreturn]] void exit_thread(DWORD code) override;
    [[nodiscard]] DWORD thread_id() override { return current().id; }
    [[nodiscard]] DWORD exit_code_of(HANDLE thread) override;
    [[noreturn]] void exit_process(int code) override;
    void set_last_error(Win32Error error) override { current().last_error = error; }
    [[nodiscard]] Win32Error last_error() override { return current().last_error; }
    [[nodiscard]] DWORD processors() override { return static_cast<DWORD>(around_.cores.size()); }
    void write(int stream, std::string_view text) override { around_.write(stream, text); }
    [[nodiscard]] HRESULT provider(REFIID iid, void** object) override { return around_.provider(*this, iid, object); }
    [[nodiscard]] bool has_open_objects() override { return !owned_.empty(); }
    [[nodiscard]] HANDLE create_semaphore(LONG count, LONG most) override;
    Win32Error release_semaphore(HANDLE semaphore, LONG count, LONG* previous) override;
    [[nodiscard]] HANDLE create_mutex(bool owned) override;
    Win32Error release_mutex(HANDLE mutex) override;
    [[nodiscard]] HANDLE create_timer(bool manual_reset) override;
    Win32Error set_timer(HANDLE timer, std::uint64_t nanoseconds, DWORD period) override;
    Win32Error cancel_timer(HANDLE timer) override;
    [[nodiscard]] HANDLE duplicate_handle(HANDLE handle) override;
    [[nodiscard]] HANDLE current_thread() override;

private:
    // A thread's wait for one overlapped request.
    class Result;

    [[nodiscard]] Core& core() { return around_.driver.core(); }
    [[nodiscard]] Thread& current();
    [[nodiscard]] std::shared_ptr<Thread> start_thread(std::function<DWORD()> body);
    [[nodiscard]] bool wait_for_all(std::span<Waitable* const> objects, DWORD milliseconds);
    void end_thread(Thread& thread, DWORD code);
    void end(int code);
    [[noreturn]] void stop();

    Surroundings around_;
    Handles handles_;
    std::vector<std::shared_ptr<Thread>> threads_;
    std::shared_ptr<Thread> upcalls_;  // as which the callback core calls functions of the program
    std::vector<std::weak_ptr<Mutex>> mutexes_;
    std::vector<std::weak_ptr<Timer>> timers_;
    std::vector<Owned*> owned_;
    std::vector<Result*> results_;  // that somebody waits for
    DWORD next_thread_ = 1000;
    bool ended_ = false;
    int exit_code_ = 0;
    Core* waits_for_end_ = nullptr;
};

}  // namespace ndsim::os
