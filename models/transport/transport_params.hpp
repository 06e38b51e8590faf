// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include "sim/base/units.hpp"
#include "sim/config/field.hpp"

namespace ndsim {

// When the responder acknowledges: once a packet is accepted, once its payload is on PCIe, or once that is visible.
enum class AckPoint : std::uint8_t { accepted, dma_issued, visible };
inline constexpr std::array<std::string_view, 3> kAckPointNames{"accepted", "dma_issued", "visible"};

// The reliable-connected transport. Defaults are preset B's.
struct TransportParams {
    std::uint32_t ack_every = 8;
    AckPoint ack_point = AckPoint::dma_issued;
    std::uint32_t psn_window = 1U << 16U;

    template <class Field>
    void fields(Field&& field) {
        field("ack_every", ack_every, between(1U, 1024U),
              "packets of a message between two requests for an acknowledgement; its last packet always asks",
              Mark::estimate);
        field("ack_point", ack_point, kAckPointNames, "what an acknowledgement waits for at the responder",
              Mark::estimate);
        field("psn_window", psn_window, between(1U, 1U << 22U), "request packets sent and not acknowledged",
              Mark::estimate);
    }
};

}  // namespace ndsim
