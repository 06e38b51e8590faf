// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/base/units.hpp"
#include "sim/config/field.hpp"

namespace ndsim {

// The doorbell unit. Defaults are preset B's.
struct DoorbellParams {
    std::uint32_t doorbell_fifo = 64;
    Picoseconds doorbell_decode{2'500};  // one cycle of 400 MHz
    Picoseconds doorbell_to_sched = std::chrono::nanoseconds{70};

    template <class Field>
    void fields(Field&& field) {
        using std::chrono::microseconds;
        field("doorbell_fifo", doorbell_fifo, between(1U, 65536U), "doorbells that wait to be decoded", Mark::estimate);
        field("doorbell_decode", doorbell_decode, between(Picoseconds{1}, microseconds{100}),
              "time between two doorbells leaving the FIFO", Mark::estimate);
        field("doorbell_to_sched", doorbell_to_sched, between(Picoseconds{0}, microseconds{100}),
              "a doorbell reaches the decoder to its queue being scheduled", Mark::estimate);
    }
};

}  // namespace ndsim
