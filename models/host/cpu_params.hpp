// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/base/units.hpp"
#include "sim/config/field.hpp"

namespace ndsim {

// What host software costs. Defaults are preset B's.
struct CpuParams {
    Picoseconds wqe_build = std::chrono::nanoseconds{50};
    Picoseconds mmio_wc64 = std::chrono::nanoseconds{75};
    Picoseconds mmio_uc = std::chrono::nanoseconds{100};
    std::uint32_t store_buffer = 56;
    bool payload_cached = true;
    Picoseconds poll_detect = std::chrono::nanoseconds{60};
    Picoseconds poll_cq = std::chrono::nanoseconds{60};
    Picoseconds poll_empty = std::chrono::nanoseconds{10};
    Picoseconds msix_to_isr = std::chrono::nanoseconds{1200};
    Picoseconds event_wakeup = std::chrono::nanoseconds{4000};
    Picoseconds poll_jitter{};
    Picoseconds repost_jitter{};
    Picoseconds preempt_every{};
    Picoseconds preempt_time = std::chrono::microseconds{10};

    template <class Field>
    void fields(Field&& field) {
        using std::chrono::milliseconds;
        using std::chrono::nanoseconds;
        using std::chrono::seconds;
        const auto range = between(nanoseconds{0}, milliseconds{10});
        field("wqe_build", wqe_build, range, "software builds one WQE", Mark::estimate);
        field("mmio_wc64", mmio_wc64, range, "a write-combined 64-byte store leaves the core", Mark::estimate);
        field("mmio_uc", mmio_uc, range, "an uncached 8-byte store leaves the core", Mark::seen);
        field("store_buffer", store_buffer, between(1U, 4096U),
              "stores to the NIC that may wait for the link before the core stalls", Mark::memory);
        field("payload_cached", payload_cached,
              "software has just written what it posts to be sent: the last-level cache holds it", Mark::estimate);
        field("poll_detect", poll_detect, range, "a spinning core notices a CQE after it is visible", Mark::estimate);
        field("poll_cq", poll_cq, range, "software of a poll, for each CQE that it returns", Mark::memory);
        field("poll_empty", poll_empty, between(nanoseconds{1}, milliseconds{10}), "a poll that finds nothing",
              Mark::estimate);
        field("msix_to_isr", msix_to_isr, range, "MSI-X write to the first instruction of the handler", Mark::estimate);
        field("event_wakeup", event_wakeup, range, "handler to the blocked thread running again", Mark::estimate);
        field("poll_jitter", poll_jitter, range,
              "mean of an exponential time by which a spinning core notices something later", Mark::estimate);
        field("repost_jitter", repost_jitter, range,
              "mean of an exponential time before a generator posts a receive again", Mark::estimate);
        field("preempt_every", preempt_every, between(nanoseconds{0}, seconds{1000}),
              "mean of the exponential times between two preemptions of a core; 0: never", Mark::estimate);
        field("preempt_time", preempt_time, range, "other software has a core that is preempted", Mark::estimate);
    }
};

}  // namespace ndsim
