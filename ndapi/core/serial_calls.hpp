// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "ndapi/core/driver.hpp"

namespace ndsim::core {

// SerialCalls: calls that some interfaces want a program to make one after the other, such as posts to one queue. For
// those, two overlapping calls are reported to the driver. Cores run ahead of the simulation, so the calls' times on
// their cores' clocks count, not the order of execution.
class SerialCalls {
public:
    // The calls' name in the message is the format `what` with the number of their queue:
    // "posts to the send queue of QP 0x10".
    SerialCalls(Driver& driver, const char* what, std::uint32_t queue) : driver_(driver), queue_(queue), what_(what) {}

    // Call before the first call.
    void report_overlaps() { reports_ = true; }

    // A call lasts for as long as its scope.
    class Scope {
    public:
        Scope(SerialCalls* calls, std::uint64_t number) : calls_(calls), number_(number) {}
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;
        ~Scope() {
            if (calls_ != nullptr) {
                calls_->leave(number_);
            }
        }

    private:
        SerialCalls* const calls_;
        const std::uint64_t number_;
    };
    [[nodiscard]] Scope enter();

private:
    // A call, and its core's time.
    struct Call {
        const Core* core = nullptr;
        Picoseconds from{};
        std::optional<Picoseconds> until;  // none: it is under way
    };

    void leave(std::uint64_t number);
    void forget_past();

    Driver& driver_;
    Ring<Call> calls_;            // those that may overlap with a later one
    std::uint64_t first_ = 0;     // number of the first of them
    std::uint32_t inside_ = 0;    // under way
    bool several_cores_ = false;  // have made calls
    bool reports_ = false;
    const std::uint32_t queue_;
    const char* const what_;
};

}  // namespace ndsim::core
