// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/cm_message.hpp"

#include <algorithm>

#include "models/proto/big_endian.hpp"

namespace ndsim::core {

namespace {

// The header of all management datagrams (InfiniBand Architecture Specification, management datagrams).
constexpr std::uint8_t kBaseVersion = 1;
constexpr std::uint8_t kManagementClass = 0x0A;  // one of those for vendors' own use
constexpr std::uint8_t kClassVersion = 1;
constexpr std::uint8_t kMethodSend = 0x03;
constexpr std::uint16_t kFirstAttribute = 0x10;  // one of those that a class defines itself

constexpr std::size_t kPrivateOffset = 60;
static_assert(kPrivateOffset + CmMessage::kPrivateData == SendDatagram::kBytes);

}  // namespace

void write_cm_message(std::span<std::byte, SendDatagram::kBytes> bytes, const CmMessage& message) {
    std::byte* const at = bytes.data();
    store_be(at, kBaseVersion);
    store_be(at + 1, kManagementClass);
    store_be(at + 2, kClassVersion);
    store_be(at + 3, kMethodSend);
    store_be(at + 8, message.local_id);
    store_be(at + 12, message.remote_id);
    store_be(at + 16, static_cast<std::uint16_t>(kFirstAttribute + static_cast<std::uint16_t>(message.kind)));
    store_be(at + 24, message.source_ip);
    store_be(at + 28, message.destination_ip);
    store_be(at + 32, message.source_port);
    store_be(at + 34, message.destination_port);
    store_be(at + 36, raw(message.qp));
    store_be(at + 40, message.psn);
    store_be(at + 44, message.mtu);
    store_be(at + 48, message.inbound_reads);
    store_be(at + 52, message.outbound_reads);
    store_be(at + 56, message.private_length);
    store_be(at + 57, message.rnr_retry);
    store_be(at + 58, static_cast<std::uint8_t>(message.credits ? 1 : 0));
    store_be(at + 59, static_cast<std::uint8_t>(message.reason));
    std::copy(message.private_data.begin(), message.private_data.end(), at + kPrivateOffset);
}

CmMessage read_cm_message(std::span<const std::byte> bytes) {
    const std::byte* const at = bytes.data();
    CmMessage message;
    message.local_id = load_be<std::uint32_t>(at + 8);
    message.remote_id = load_be<std::uint32_t>(at + 12);
    message.kind = static_cast<CmKind>(load_be<std::uint16_t>(at + 16) - kFirstAttribute);
    message.source_ip = load_be<std::uint32_t>(at + 24);
    message.destination_ip = load_be<std::uint32_t>(at + 28);
    message.source_port = load_be<std::uint16_t>(at + 32);
    message.destination_port = load_be<std::uint16_t>(at + 34);
    message.qp = QpNum{load_be<std::uint32_t>(at + 36)};
    message.psn = load_be<std::uint32_t>(at + 40);
    message.mtu = load_be<std::uint32_t>(at + 44);
    message.inbound_reads = load_be<std::uint32_t>(at + 48);
    message.outbound_reads = load_be<std::uint32_t>(at + 52);
    message.private_length = load_be<std::uint8_t>(at + 56);
    message.rnr_retry = load_be<std::uint8_t>(at + 57);
    message.credits = load_be<std::uint8_t>(at + 58) != 0;
    message.reason = WcStatus{load_be<std::uint8_t>(at + 59)};
    std::copy_n(at + kPrivateOffset, CmMessage::kPrivateData, message.private_data.begin());
    return message;
}

}  // namespace ndsim::core
