// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/ports/pcie.hpp"
#include "sim/base/little_endian.hpp"

namespace ndsim {

// The doorbell record of a queue pair, shared receive queue or completion queue: the last content that software rang
// for, kept in host memory for a NIC that has dropped the doorbell (docs/hw-interface.md).
inline constexpr std::uint32_t kDoorbellRecordBytes = 16;

namespace detail {
inline constexpr std::size_t kSendIndex = 0;
inline constexpr std::size_t kConsumerIndex = 0;
inline constexpr std::size_t kSendRequests = 4;
inline constexpr std::size_t kWish = 4;
inline constexpr std::size_t kReceiveIndex = 8;
inline constexpr std::size_t kSeen = 8;
inline constexpr std::size_t kSerial = 12;
}  // namespace detail

// Writes the content of a store to its queue's record. A core that is behind another one does not take an index back,
// and a wish holds beside a weaker one until software has been notified.
inline void write_doorbell_record(std::byte* record, const Mmio& mmio) {
    const auto is_newer = [&](std::size_t at) {
        return static_cast<std::int32_t>(mmio.index - load_le<std::uint32_t>(record + at)) > 0;
    };
    switch (mmio.kind) {
        case MmioKind::sq_doorbell:
            if (is_newer(detail::kSendIndex)) {
                store_le(record + detail::kSendIndex, mmio.index);
                store_le(record + detail::kSendRequests, mmio.entries);
            }
            break;
        case MmioKind::rq_doorbell:
        case MmioKind::srq_doorbell:
            if (is_newer(detail::kReceiveIndex)) {
                store_le(record + detail::kReceiveIndex, mmio.index);
            }
            break;
        case MmioKind::cq_consumer:
            break;  // each poll writes it itself
        case MmioKind::cq_arm: {
            const bool is_first = load_le<std::uint32_t>(record + detail::kSerial) != mmio.serial;
            const auto wish = static_cast<Arm>(load_le<std::uint32_t>(record + detail::kWish));
            store_le(record + detail::kWish,
                     static_cast<std::uint32_t>(is_first ? mmio.arm : stronger(wish, mmio.arm)));
            store_le(record + detail::kSeen, mmio.seen);
            store_le(record + detail::kSerial, mmio.serial);
            break;
        }
    }
}

// The last store of this kind, or a later one, as the record shows it.
[[nodiscard]] inline Mmio read_doorbell_record(const std::byte* record, MmioKind kind, std::uint32_t queue) {
    const auto word = [record](std::size_t at) { return load_le<std::uint32_t>(record + at); };
    Mmio mmio;
    mmio.kind = kind;
    mmio.queue = queue;
    switch (kind) {
        case MmioKind::sq_doorbell:
            mmio.index = word(detail::kSendIndex);
            mmio.entries = word(detail::kSendRequests);
            break;
        case MmioKind::rq_doorbell:
        case MmioKind::srq_doorbell:
            mmio.index = word(detail::kReceiveIndex);
            break;
        case MmioKind::cq_arm:
            mmio.arm = static_cast<Arm>(word(detail::kWish));
            mmio.seen = word(detail::kSeen);
            mmio.serial = word(detail::kSerial);
            [[fallthrough]];
        case MmioKind::cq_consumer:
            mmio.index = word(detail::kConsumerIndex);
            break;
    }
    return mmio;
}

}  // namespace ndsim
