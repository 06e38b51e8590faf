// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/cm_message.hpp"

#include <algorithm>

#include "models/proto/little_endian.hpp"

namespace ndsim::core {

namespace {

constexpr std::size_t kPrivateOffset = 52;
static_assert(kPrivateOffset + CmMessage::kPrivateData <= SendDatagram::kBytes);

}  // namespace

void write_cm_message(std::span<std::byte, SendDatagram::kBytes> bytes, const CmMessage& message) {
    std::byte* const at = bytes.data();
    store_le(at, static_cast<std::uint8_t>(message.kind));
    store_le(at + 1, message.private_length);
    store_le(at + 4, message.local_id);
    store_le(at + 8, message.remote_id);
    store_le(at + 12, message.source_ip);
    store_le(at + 16, message.destination_ip);
    store_le(at + 20, message.source_port);
    store_le(at + 22, message.destination_port);
    store_le(at + 24, raw(message.qp));
    store_le(at + 28, message.psn);
    store_le(at + 32, message.mtu);
    store_le(at + 36, message.inbound_reads);
    store_le(at + 40, message.outbound_reads);
    std::copy(message.private_data.begin(), message.private_data.end(), at + kPrivateOffset);
}

CmMessage read_cm_message(std::span<const std::byte> bytes) {
    const std::byte* const at = bytes.data();
    CmMessage message;
    message.kind = CmKind{load_le<std::uint8_t>(at)};
    message.private_length = load_le<std::uint8_t>(at + 1);
    message.local_id = load_le<std::uint32_t>(at + 4);
    message.remote_id = load_le<std::uint32_t>(at + 8);
    message.source_ip = load_le<std::uint32_t>(at + 12);
    message.destination_ip = load_le<std::uint32_t>(at + 16);
    message.source_port = load_le<std::uint16_t>(at + 20);
    message.destination_port = load_le<std::uint16_t>(at + 22);
    message.qp = QpNum{load_le<std::uint32_t>(at + 24)};
    message.psn = load_le<std::uint32_t>(at + 28);
    message.mtu = load_le<std::uint32_t>(at + 32);
    message.inbound_reads = load_le<std::uint32_t>(at + 36);
    message.outbound_reads = load_le<std::uint32_t>(at + 40);
    std::copy_n(at + kPrivateOffset, CmMessage::kPrivateData, message.private_data.begin());
    return message;
}

}  // namespace ndsim::core
