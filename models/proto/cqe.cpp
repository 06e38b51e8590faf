// SPDX-License-Identifier: Apache-2.0
#include "models/proto/cqe.hpp"

#include <algorithm>

#include "sim/base/little_endian.hpp"

namespace ndsim {

namespace {

constexpr std::size_t kFormByte = 19;
constexpr std::size_t kOwnerByte = kCqeSize - 1;
// Values of an entry's form.
constexpr std::uint8_t kMoved = 1;
constexpr std::uint8_t kCompressed = 2;
constexpr std::uint8_t kInvalidation = 3;
// A compressed entry: the number of later completions, and for each the lower half of its index, and its bytes.
constexpr std::size_t kMoreByte = 20;
constexpr std::size_t kMore = 21;
constexpr std::size_t kMoreSize = 6;
static_assert(kMore + (kMostCompressed - 1) * kMoreSize <= kOwnerByte);

std::uint8_t form_of(const Cqe& cqe) {
    const std::uint8_t form = cqe.invalidation ? kInvalidation : std::uint8_t{0};
    return cqe.moved ? kMoved : form;
}

std::uint8_t form_of(const std::byte* entry) {
    return load_le<std::uint8_t>(entry + kFormByte);
}

}  // namespace

void write_cqe(std::byte* entry, const Cqe& cqe, bool owner) {
    store_le(entry, raw(cqe.qp));
    store_le(entry + 4, cqe.wqe_index);
    store_le(entry + 8, cqe.bytes);
    store_le(entry + 12, cqe.token);
    store_le(entry + 16, static_cast<std::uint8_t>(cqe.opcode));
    store_le(entry + 17, static_cast<std::uint8_t>(cqe.status));
    store_le(entry + 18, static_cast<std::uint8_t>(cqe.solicited ? 1 : 0));
    store_le(entry + kFormByte, form_of(cqe));
    store_le(entry + 20, cqe.request);
    store_le(entry + 24, static_cast<std::uint64_t>(cqe.written.count()));
    store_le(entry + kOwnerByte, static_cast<std::uint8_t>(owner ? 1 : 0));
}

bool cqe_owner(const std::byte* entry) {
    return (load_le<std::uint8_t>(entry + kOwnerByte) & 1U) != 0;
}

bool cqe_moved(const std::byte* entry) {
    return form_of(entry) == kMoved;
}

Cqe read_cqe(const std::byte* entry) {
    Cqe cqe;
    cqe.qp = QpNum{load_le<std::uint32_t>(entry)};
    cqe.wqe_index = load_le<std::uint32_t>(entry + 4);
    cqe.bytes = load_le<std::uint32_t>(entry + 8);
    cqe.token = load_le<std::uint32_t>(entry + 12);
    cqe.opcode = WqeOpcode{load_le<std::uint8_t>(entry + 16)};
    cqe.status = WcStatus{load_le<std::uint8_t>(entry + 17)};
    cqe.solicited = load_le<std::uint8_t>(entry + 18) != 0;
    cqe.moved = cqe_moved(entry);
    cqe.invalidation = form_of(entry) == kInvalidation;
    cqe.request = load_le<std::uint32_t>(entry + 20);
    cqe.written = Picoseconds{static_cast<std::int64_t>(load_le<std::uint64_t>(entry + 24))};
    return cqe;
}

bool can_be_compressed(const Cqe& cqe) {
    return cqe.status == WcStatus::success && cqe.token == 0 && !cqe.solicited && !cqe.moved;
}

bool can_share_entry(const Cqe& first, const Cqe& next) {
    const auto further = static_cast<std::int32_t>(next.wqe_index - first.wqe_index);
    return can_be_compressed(next) && next.qp == first.qp && next.opcode == first.opcode &&
           further == static_cast<std::int16_t>(further);
}

void add_to_cqe(std::byte* entry, const Cqe& next) {
    if (form_of(entry) != kCompressed) {
        store_le(entry + kFormByte, kCompressed);
        std::fill(entry + kMoreByte, entry + kOwnerByte, std::byte{0});
    }
    const auto more = load_le<std::uint8_t>(entry + kMoreByte);
    std::byte* const place = entry + kMore + more * kMoreSize;
    store_le(place, static_cast<std::uint16_t>(next.wqe_index));
    store_le(place + 2, next.bytes);
    store_le(entry + kMoreByte, static_cast<std::uint8_t>(more + 1));
}

std::uint32_t completions_of_cqe(const std::byte* entry) {
    switch (form_of(entry)) {
        case kMoved:
            return 0;
        case kCompressed:
            return 1U + load_le<std::uint8_t>(entry + kMoreByte);
        default:
            return 1;
    }
}

Cqe read_compressed_cqe(const std::byte* entry, std::uint32_t n) {
    Cqe cqe = read_cqe(entry);
    cqe.request = 0;
    cqe.written = {};
    if (n > 0) {
        const std::byte* const place = entry + kMore + (n - 1) * kMoreSize;
        const std::uint32_t further = load_le<std::uint16_t>(place) - cqe.wqe_index;
        cqe.wqe_index += static_cast<std::uint32_t>(static_cast<std::int16_t>(further));
        cqe.bytes = load_le<std::uint32_t>(place + 2);
    }
    return cqe;
}

}  // namespace ndsim
