// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "models/proto/status_profile.hpp"
#include "sim/base/units.hpp"
#include "sim/config/field.hpp"

namespace ndsim {

// The effect of a message that finds no receive: the connection ends, the sender is asked to retry, or the sender knows
// how many receives there are and waits. Without a choice here, the status profile decides.
enum class Overflow : std::uint8_t { by_profile, terminate, rnr, credit };
inline constexpr std::array<std::string_view, 4> kOverflowNames{"by_profile", "terminate", "rnr", "credit"};

[[nodiscard]] constexpr Overflow effective(Overflow overflow, StatusProfile profile) {
    if (overflow != Overflow::by_profile) {
        return overflow;
    }
    return profile == StatusProfile::documented ? Overflow::terminate : Overflow::rnr;
}

// One queue's depth.
struct DepthParams {
    std::uint32_t depth = 128;

    template <class Field>
    void fields(Field&& field) {
        field("depth", depth, between(1U, 32768U), "requests that the queue holds", Mark::seen);
    }
};

// Which entries already in a queue meet an arm [ndkpi.md 5.4]: all that came since the last callback, or only those of
// the kind armed for.
enum class ArmImmediate : std::uint8_t { literal, typed };
inline constexpr std::array<std::string_view, 2> kArmImmediateNames{"literal", "typed"};
// Whether entries already there at the last callback meet an arm as well.
enum class ArmStale : std::uint8_t { quiet, fire };
inline constexpr std::array<std::string_view, 2> kArmStaleNames{"quiet", "fire"};

// Completion queues: their depth, and what the adapter and its driver do with them.
struct CqParams {
    std::uint32_t depth = 1024;
    ArmImmediate arm_immediate = ArmImmediate::literal;
    ArmStale arm_stale = ArmStale::quiet;
    bool errors_arm_on_failed_wr = false;
    bool can_moderate = true;
    bool can_resize = true;

    template <class Field>
    void fields(Field&& field) {
        const auto by_arms = counted_by("nic.cq.arms", "no queue was armed");
        field("depth", depth, between(1U, 4'194'303U), "completions that the queue holds", Mark::estimate);
        field("arm_immediate", arm_immediate, kArmImmediateNames,
              "which entries added since the last callback satisfy an arm at once; literal: all, typed: those that it "
              "asks for, as always in NDSPI",
              Mark::documented, by_arms);
        field("arm_stale", arm_stale, kArmStaleNames,
              "whether entries that were already there at the last callback satisfy an arm at once", Mark::documented,
              by_arms);
        field("errors_arm_on_failed_wr", errors_arm_on_failed_wr,
              "a failed request satisfies an arm for errors, not only an error of the queue", Mark::documented,
              by_arms);
        field("can_moderate", can_moderate, "the adapter offers moderation of interrupts", Mark::documented,
              counted_by("nic.cq.moderations", "moderation was never set", "false"));
        field("can_resize", can_resize, "the adapter offers resizing", Mark::documented,
              counted_by("nic.cq.resizes", "no queue was resized", "false"));
    }
};

// Shared receive queues.
struct SrqParams {
    std::uint32_t depth = 1024;
    std::uint32_t max_depth = 32768;

    template <class Field>
    void fields(Field&& field) {
        field("depth", depth, between(1U, 1U << 20U), "receives that the queue holds", Mark::estimate);
        field("max_depth", max_depth, between(0U, 1U << 20U),
              "the largest depth; 0: the NIC has no shared receive queues", Mark::estimate,
              limit_of("srqs.*.srq.capacity"));
    }
};

// The largest number of scatter/gather entries in one request of any adapter.
inline constexpr std::uint32_t kMostSges = 63;

// The defaults of queue pairs, and the adapter's limits. Defaults are preset B's.
struct QueueParams {
    DepthParams sq{128};
    DepthParams rq{512};
    SrqParams srq;
    CqParams cq;
    std::uint32_t max_sge = 30;
    std::uint32_t inline_max = 220;
    std::uint32_t wqe_push_max = 256;
    std::uint32_t cq_update_every = 16;
    std::uint32_t cqe_compression = 1;
    Picoseconds cqe_compression_time = std::chrono::nanoseconds{100};
    std::uint32_t mtu = 4096;
    Overflow overflow = Overflow::by_profile;
    std::uint32_t rnr_timer = 12;
    std::uint32_t rnr_retry = 6;
    bool read_local_invalidate = true;

    template <class Field>
    void fields(Field&& field) {
        field("sq", sq, "the send queue");
        field("rq", rq, "the receive queue");
        field("srq", srq, "the shared receive queue");
        field("cq", cq, "the completion queue");
        field("max_sge", max_sge, between(1U, kMostSges), "scatter/gather entries of one request", Mark::memory,
              limit_of("qps.*.max_sge"));
        field("inline_max", inline_max, between(0U, 1000U), "bytes that a WQE can carry inline", Mark::seen,
              limit_of("qps.*.inline_max"));
        field("wqe_push_max", wqe_push_max, between(0U, 256U),
              "bytes of WQE that may be pushed along with a doorbell; 0: none", Mark::estimate,
              counted_by("qps.*.sq.high_water", "no request was posted"));
        field("cq_update_every", cq_update_every, between(1U, 65536U),
              "completions polled between two updates of the consumer index", Mark::estimate,
              counted_by("nic.cq.cqes", "no completion was written"));
        field("cqe_compression", cqe_compression, between(1U, 8U),
              "completions of one queue that may share an entry of 64 B; 1: none", Mark::estimate,
              counted_by("nic.cq.cqes", "no completion was written"));
        field("cqe_compression_time", cqe_compression_time,
              between(std::chrono::nanoseconds{0}, std::chrono::milliseconds{1}),
              "how long a completion waits for others to share its entry", Mark::estimate,
              counted_by("nic.cq.gathered", "no completion waited to share its entry"));
        field("mtu", mtu, powers_of_two(256U, 4096U), "path MTU", Mark::seen,
              counted_by("nic.tx.packets+nic.rx.packets", "no packet came or went"));
        field("overflow", overflow, kOverflowNames, "what happens to a message that finds no receive posted",
              Mark::documented, counted_by("nic.rq.taken+nic.rq.none_posted", "no message needed a receive"));
        field("rnr_retry", rnr_retry, between(0U, 7U),
              "RNR NAKs in a row that a sender to this host survives; 7: any number", Mark::documented,
              counted_by("nic.responder.rnr_naks", "no sender was asked to wait"));
        field("read_local_invalidate", read_local_invalidate,
              "a Read may invalidate the key of its sink (adapter flag 0x10)", Mark::estimate,
              counted_by("nic.read_responses.packets", "it read nothing from a peer"));
        field("rnr_timer", rnr_timer, between(0U, 31U), "code of the time that an RNR NAK asks for", Mark::seen,
              counted_by("nic.responder.rnr_naks", "no sender was asked to wait"));
    }
};

}  // namespace ndsim
