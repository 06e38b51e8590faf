// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/base/units.hpp"
#include "sim/config/field.hpp"

namespace ndsim {

// The costs of host software. Defaults are preset B's.
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
        field("wqe_build", wqe_build, range, "time for software to build one WQE", Mark::estimate,
              counted_by("qps.*.sq.high_water+qps.*.rq.high_water+srqs.*.srq.high_water", "nothing was posted"));
        field("mmio_wc64", mmio_wc64, range, "time for a write-combined 64-byte store to leave the core",
              Mark::estimate, counted_by("nic.wqe.pushed_taken+nic.wqe.pushed_dropped", "no WQE was pushed"));
        field("mmio_uc", mmio_uc, range, "time for an uncached 8-byte store to leave the core", Mark::seen,
              counted_by("nic.doorbell.doorbells", "no doorbell was rung"));
        field("store_buffer", store_buffer, between(1U, 4096U),
              "stores to the NIC that may wait for the link before the core stalls", Mark::memory,
              bound_counted_by("cpu*.stalled", "no core stalled"));
        field("payload_cached", payload_cached,
              "the last-level cache holds the payload to be sent, as software has just written it", Mark::estimate,
              counted_by("nic.dma.payload_bytes", "no payload was read"));
        field("poll_detect", poll_detect, range, "from a CQE becoming visible until a spinning core notices it",
              Mark::estimate, counted_by("memory.bytes_written", "nothing was written to its memory"));
        field("poll_cq", poll_cq, range, "software time of a poll, for each CQE that it returns", Mark::memory,
              counted_by("nic.cq.cqes", "no completion was written"));
        field("poll_empty", poll_empty, between(nanoseconds{1}, milliseconds{10}), "time of a poll that finds nothing",
              Mark::estimate, counted_by("cpu*.empty_polls", "no empty queue was polled"));
        field("msix_to_isr", msix_to_isr, range, "from the MSI-X write to the first instruction of the handler",
              Mark::estimate, counted_by("interrupts.taken", "there was no interrupt"));
        field("event_wakeup", event_wakeup, range, "from the handler until the blocked thread runs again",
              Mark::estimate,
              counted_by("interrupts.taken+nic.control.commands+nic.control.events", "nothing was woken"));
        field("poll_jitter", poll_jitter, range,
              "mean of the exponential delay with which a spinning core notices something", Mark::estimate,
              counted_by("nic.cq.cqes", "no completion was written"));
        field("repost_jitter", repost_jitter, range,
              "mean of the exponential delay before a generator posts a receive again", Mark::estimate,
              counted_by("nic.rq.taken", "no receive was used"));
        field("preempt_every", preempt_every, between(nanoseconds{0}, seconds{1000}),
              "mean of the exponential times between two preemptions of a core; 0: never", Mark::estimate,
              counted_by("cpu*.build+cpu*.store+cpu*.poll+cpu*.other+nic.control.commands",
                         "no program ran, and nothing was set up"));
        field("preempt_time", preempt_time, range, "how long other software holds a preempted core", Mark::estimate,
              used_if("cpu.preempt_every", "no core is ever preempted"));
    }
};

}  // namespace ndsim
