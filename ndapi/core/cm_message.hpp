// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "models/ports/control.hpp"

namespace ndsim::core {

// Messages between connection managers.
enum class CmKind : std::uint8_t {
    request,     // active side connects
    reply,       // passive side accepts
    ready,       // active side completes the connect
    reject,      // either side refuses
    disconnect,  // graceful end
    abort,       // the connection is dead
};

// A connection-management message. Its layout in the 256 bytes of a datagram is in docs/hw-interface.md.
struct CmMessage {
    static constexpr std::size_t kPrivateData = 196;

    CmKind kind{};
    std::uint32_t local_id = 0;   // the sender's connection
    std::uint32_t remote_id = 0;  // the receiver's; 0 in a request
    std::uint32_t source_ip = 0;
    std::uint32_t destination_ip = 0;
    std::uint16_t source_port = 0;
    std::uint16_t destination_port = 0;
    QpNum qp{};
    std::uint32_t psn = 0;
    std::uint32_t mtu = 0;
    std::uint32_t inbound_reads = 0;
    std::uint32_t outbound_reads = 0;
    std::uint8_t private_length = 0;
    std::uint8_t rnr_retry = 0;           // RNR NAKs that the peer's requests survive; 7: any number
    bool credits = false;                 // acknowledgements tell how many receives there are
    WcStatus reason = WcStatus::success;  // of an abort
    std::array<std::byte, kPrivateData> private_data{};
};

void write_cm_message(std::span<std::byte, SendDatagram::kBytes> bytes, const CmMessage& message);
[[nodiscard]] CmMessage read_cm_message(std::span<const std::byte> bytes);

}  // namespace ndsim::core
