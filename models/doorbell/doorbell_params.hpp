// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include "sim/base/units.hpp"
#include "sim/config/field.hpp"

namespace ndsim {

// The fate of a doorbell that finds the FIFO full: it waits in front of it, or changes a waiting doorbell of the same
// queue, or is dropped and recovered from host memory.
enum class DoorbellPolicy : std::uint8_t { backpressure, coalesce, drop_recover };
inline constexpr std::array<std::string_view, 3> kDoorbellPolicyNames{"backpressure", "coalesce", "drop_recover"};

// The doorbell unit. Defaults are preset B's.
struct DoorbellParams {
    std::uint32_t doorbell_fifo = 64;
    Picoseconds doorbell_decode{2'500};  // one cycle of 400 MHz
    Picoseconds doorbell_to_sched = std::chrono::nanoseconds{70};
    DoorbellPolicy doorbell_policy = DoorbellPolicy::backpressure;
    Picoseconds doorbell_recovery = std::chrono::microseconds{5};

    template <class Field>
    void fields(Field&& field) {
        using std::chrono::microseconds;
        field("doorbell_fifo", doorbell_fifo, between(1U, 65536U), "doorbells that wait to be decoded", Mark::estimate,
              bound_counted_by("nic.doorbell.fifo_full", "the FIFO was never full"));
        field("doorbell_decode", doorbell_decode, between(Picoseconds{1}, microseconds{100}),
              "time between two doorbells leaving the FIFO", Mark::estimate,
              counted_by("nic.doorbell.doorbells", "no doorbell was rung"));
        field("doorbell_to_sched", doorbell_to_sched, between(Picoseconds{0}, microseconds{100}),
              "from a doorbell reaching the decoder until its queue is scheduled", Mark::estimate,
              counted_by("nic.doorbell.doorbells", "no doorbell was rung"));
        field("doorbell_policy", doorbell_policy, kDoorbellPolicyNames,
              "what happens to a doorbell that finds the FIFO full", Mark::estimate,
              counted_by("nic.doorbell.fifo_full", "the FIFO was never full"));
        field("doorbell_recovery", doorbell_recovery, between(Picoseconds{0}, microseconds{10'000}),
              "from dropping a doorbell to reading its record in host memory", Mark::estimate,
              counted_by("nic.doorbell.dropped", "no doorbell was dropped"));
    }
};

}  // namespace ndsim
