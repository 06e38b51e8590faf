// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <optional>

#include "ndapi/windows/abi/program_host.h"
#include "ndapi/windows/os/waitable.hpp"

namespace ndsim::os {

// What handles stand for.

class KernelObject : public Waitable {
public:
    [[nodiscard]] bool is_ready(const Core& /*by*/) const override { return false; }
    // Of what a wait has just taken: whether its last owner ended with it. Told once.
    [[nodiscard]] virtual bool was_abandoned() { return false; }

    [[nodiscard]] bool is_open() const { return handles_ > 0; }
    // The program has one handle more of it, or less.
    void opened() { ++handles_; }
    void closed() {
        if (--handles_ == 0) {
            last_closed();
        }
    }

private:
    // The program has no handle of it any more.
    virtual void last_closed() {}

    int handles_ = 0;
};

// Event: signalled until it is reset, or until it has ended one wait.
class Event final : public KernelObject {
public:
    Event(core::Driver& driver, bool manual_reset, bool signalled)
        : driver_(driver), manual_reset_(manual_reset), signalled_(signalled) {}

    void set() {
        signalled_ = true;
        wake(driver_);
    }
    void reset() { signalled_ = false; }
    [[nodiscard]] bool is_ready(const Core& /*by*/) const override { return signalled_; }
    void take(const Core& /*by*/) override { signalled_ = signalled_ && manual_reset_; }

private:
    core::Driver& driver_;
    const bool manual_reset_;
    bool signalled_;
};

// Port: a queue of completion packets that threads take from. Without a handle it lets go of those that wait.
class Port final : public KernelObject {
public:
    explicit Port(core::Driver& driver) : driver_(driver) {}

    void push(const PortPacket& packet) {
        packets_.push_back(packet);
        wake(driver_);
    }
    // Behind a wait that has ended by it.
    [[nodiscard]] std::optional<PortPacket> pop() {
        if (packets_.empty()) {
            return std::nullopt;
        }
        const PortPacket packet = packets_.front();
        packets_.pop_front();
        --promised_;
        return packet;
    }
    // Also when nothing will come any more.
    [[nodiscard]] bool is_ready(const Core& /*by*/) const override { return packets_.size() > promised_ || has_ended_; }
    // The thread has a packet with pop().
    void take(const Core& /*by*/) override { promised_ += packets_.size() > promised_ ? 1 : 0; }

private:
    void last_closed() override {
        driver_.core().sync();
        has_ended_ = true;
        wake(driver_);
    }

    core::Driver& driver_;
    std::deque<PortPacket> packets_;
    std::size_t promised_ = 0;  // of them, to waits that have ended
    bool has_ended_ = false;
};

// File: what overlapped requests of an adapter are issued on. With a port, their completions go there.
class File final : public KernelObject {
public:
    [[nodiscard]] bool has_port() const { return port_ != nullptr; }
    void associate(std::shared_ptr<Port> port, ULONG_PTR key) {
        port_ = std::move(port);
        key_ = key;
    }
    // Tells of a completed request, if there is somebody to be told.
    void completed(OVERLAPPED& overlapped, NTSTATUS status) const {
        if (port_ != nullptr) {
            port_->push({0, key_, &overlapped, status});
        }
    }

private:
    std::shared_ptr<Port> port_;
    ULONG_PTR key_ = 0;
};

// Thread: ready when it has ended.
class Thread final : public KernelObject {
public:
    Thread(core::Driver& driver, Core& runs_on, DWORD number) : core(runs_on), id(number), driver_(driver) {}

    void end(DWORD code) {
        exit_code_ = code;
        wake(driver_);
    }
    [[nodiscard]] std::optional<DWORD> exit_code() const { return exit_code_; }
    [[nodiscard]] bool is_ready(const Core& /*by*/) const override { return exit_code_.has_value(); }

    Core& core;
    const DWORD id;
    Win32Error last_error = 0;

private:
    core::Driver& driver_;
    std::optional<DWORD> exit_code_;
};

}  // namespace ndsim::os
