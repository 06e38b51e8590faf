// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include "sim/base/units.hpp"
#include "sim/config/field.hpp"

namespace ndsim {

// When the responder acknowledges a packet: when it is accepted, or its payload is on PCIe, or that is visible.
enum class AckPoint : std::uint8_t { accepted, dma_issued, visible };
inline constexpr std::array<std::string_view, 3> kAckPointNames{"accepted", "dma_issued", "visible"};

// The reliable-connected transport. Defaults are preset B's.
struct TransportParams {
    std::uint32_t ack_every = 8;
    AckPoint ack_point = AckPoint::dma_issued;
    std::uint32_t psn_window = 1U << 16U;
    std::uint32_t timeout_code = 14;
    std::uint32_t retry_count = 7;
    Bytes retransmit_buffer{0};
    std::uint32_t rq_park = 0;
    Bytes read_buffer{512ULL * 1024};
    Picoseconds read_response_sched = std::chrono::nanoseconds{325};
    Picoseconds read_interval = std::chrono::nanoseconds{225};
    Picoseconds read_gap = std::chrono::nanoseconds{20};
    Picoseconds key_update = std::chrono::nanoseconds{100};

    template <class Field>
    void fields(Field&& field) {
        field("ack_every", ack_every, between(1U, 1024U),
              "packets of a message between two requests for an acknowledgement; its last packet always asks",
              Mark::estimate, counted_by("nic.requester.packets", "it sent no request"));
        field("ack_point", ack_point, kAckPointNames, "what an acknowledgement waits for at the responder",
              Mark::estimate, counted_by("nic.responder.packets", "no request came in"));
        field("psn_window", psn_window, between(1U, 1U << 22U), "request packets sent and not acknowledged",
              Mark::estimate);
        field("timeout_code", timeout_code, between(0U, 31U),
              "code n of the acknowledgement timeout, 4.096 us x 2^n; 0: never", Mark::memory,
              bound_counted_by("nic.completer.timeouts", "there was no timeout", "0"));
        field("retry_count", retry_count, between(0U, 7U),
              "times that a request is sent again without progress, before it fails", Mark::memory,
              bound_counted_by("nic.completer.rewinds", "nothing was sent again"));
        field("retransmit_buffer", retransmit_buffer, between(Bytes{0}, Bytes{1U << 30U}),
              "bytes of sent packets, as on the lane, that are kept until they are acknowledged; 0: none",
              Mark::estimate, counted_by("nic.completer.rewinds", "nothing was sent again"));
        field("rq_park", rq_park, between(0U, 65536U),
              "queue pairs set aside while their message's receive WQE is fetched; 0: everything behind the message "
              "waits",
              Mark::estimate, counted_by("nic.rq.misses", "no message waited for its receive WQE"));
        field("read_buffer", read_buffer, between(Bytes{4096}, Bytes{1U << 30U}),
              "bytes reserved for the responses of outstanding Reads", Mark::estimate);
        field("read_response_sched", read_response_sched,
              between(std::chrono::nanoseconds{0}, std::chrono::milliseconds{1}),
              "from accepting a Read until the responder reads the data", Mark::derived,
              counted_by("nic.read_responder.reads", "nothing was read from it"));
        field("read_interval", read_interval, between(std::chrono::nanoseconds{0}, std::chrono::milliseconds{1}),
              "minimum time from starting a Read until the responder starts the next one of the same queue pair",
              Mark::estimate, floor_counted_by("nic.read_responder.paced", "no Read waited for it"));
        field("read_gap", read_gap, between(std::chrono::nanoseconds{0}, std::chrono::milliseconds{1}),
              "minimum time from when the lane could have carried a Read's responses until the next Read of the same "
              "queue pair starts",
              Mark::estimate, floor_counted_by("nic.read_responder.paced", "no Read waited for it"));
        field("key_update", key_update, between(std::chrono::nanoseconds{0}, std::chrono::milliseconds{1}),
              "changing a key in the protection table: Bind, FastRegister, Invalidate", Mark::estimate,
              counted_by("nic.local_operations.done+nic.local_operations.failed+nic.protection.invalidates+nic."
                         "protection.refused",
                         "no request changed a key"));
    }
};

// How long a request may stay unacknowledged; 0: for ever [wire.md 2.1].
[[nodiscard]] constexpr Picoseconds ack_timeout(std::uint32_t code) {
    return code == 0 ? Picoseconds{} : Picoseconds{std::int64_t{4'096'000} << code};
}

}  // namespace ndsim
