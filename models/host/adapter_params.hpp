// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "sim/config/field.hpp"

namespace ndsim {

// How a call that creates an object may end: with the object, or later with a callback.
enum class CreateInline : std::uint8_t { as_needed, mixed, always_sync, always_async };
inline constexpr std::array<std::string_view, 4> kCreateInlineNames{"as_needed", "mixed", "always_sync",
                                                                    "always_async"};

// When software rings for a request with NDK's flag DEFER: with the next request without the flag, at once, or when a
// given number of deferred requests wait.
enum class DeferPolicy : std::uint8_t { until_tail, never, max_n };
inline constexpr std::array<std::string_view, 3> kDeferPolicyNames{"until_tail", "never", "max_n"};

// When a request's slot in the send queue is free again: when its completion or a later one is polled, or when the NIC
// has told host memory that it is retired.
enum class Reclaim : std::uint8_t { on_poll, on_retire };
inline constexpr std::array<std::string_view, 2> kReclaimNames{"on_poll", "on_retire"};

// A choice that differs between the interfaces.
enum class ByInterface : std::uint8_t { by_interface, never, always };
inline constexpr std::array<std::string_view, 3> kByInterfaceNames{"by_interface", "never", "always"};

// Whether a program gets queues of the size it asks for, or of the size that the rings hold anyway.
enum class Rounding : std::uint8_t { by_interface, exact, field };
inline constexpr std::array<std::string_view, 3> kRoundingNames{"by_interface", "exact", "field"};

// The driver's choices where the interfaces leave one.
struct AdapterParams {
    CreateInline create_inline = CreateInline::as_needed;
    ByInterface flush_on_peer_disconnect = ByInterface::by_interface;
    Rounding rounding = Rounding::by_interface;
    std::uint32_t max_initiator_depth = 32768;
    DeferPolicy defer_policy = DeferPolicy::until_tail;
    std::uint32_t defer_max = 16;
    Reclaim reclaim = Reclaim::on_poll;

    template <class Field>
    void fields(Field&& field) {
        field("create_inline", create_inline, kCreateInlineNames,
              "when creating an object pends: if the NIC takes part, at random, never, always", Mark::documented,
              counted_by("nic.control.commands", "no object was created"));
        field("flush_on_peer_disconnect", flush_on_peer_disconnect, kByInterfaceNames,
              "whether a queue pair is flushed when its peer disconnects, not only when its owner does; by interface: "
              "NDK never, NDSPI always",
              Mark::documented, counted_by("ndk.connects+ndk.accepts", "there was no connection"));
        field("rounding", rounding, kRoundingNames,
              "whether a program gets the SGEs per request and the CQ depths that it asks for, or as many as the units "
              "and rings hold; by interface: `field` for NDSPI 2, else `exact`",
              Mark::documented, counted_by("nic.control.commands", "no object was created"));
        field("max_initiator_depth", max_initiator_depth, between(1U, 32768U),
              "MaxInitiatorQueueDepth of the adapter: the largest depth of a send queue", Mark::documented,
              limit_of("qps.*.sq.capacity"));
        field("defer_policy", defer_policy, kDeferPolicyNames,
              "when the doorbell of deferred requests is rung: with the next request that is not deferred, at once, "
              "when `defer_max` of them wait",
              Mark::documented, counted_by("qps.*.sq.high_water", "no request was posted"));
        field("defer_max", defer_max, between(1U, 65536U), "deferred requests that may wait with policy `max_n`",
              Mark::estimate, used_if("adapter.defer_policy=max_n", "another policy applies to deferred requests"));
        field("reclaim", reclaim, kReclaimNames,
              "when a slot of the SQ is free again: when its request's completion is polled, or when the NIC has "
              "retired the request",
              Mark::documented, counted_by("qps.*.sq.high_water", "no request was posted"));
    }
};

}  // namespace ndsim
