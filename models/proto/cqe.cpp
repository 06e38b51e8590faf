// SPDX-License-Identifier: Apache-2.0
#include "models/proto/cqe.hpp"

#include "models/proto/little_endian.hpp"

namespace ndsim {

namespace {

constexpr std::size_t kMovedByte = 19;
constexpr std::size_t kOwnerByte = kCqeSize - 1;

}  // namespace

void write_cqe(std::byte* entry, const Cqe& cqe, bool owner) {
    store_le(entry, raw(cqe.qp));
    store_le(entry + 4, cqe.wqe_index);
    store_le(entry + 8, cqe.bytes);
    store_le(entry + 12, cqe.token);
    store_le(entry + 16, static_cast<std::uint8_t>(cqe.opcode));
    store_le(entry + 17, static_cast<std::uint8_t>(cqe.status));
    store_le(entry + 18, static_cast<std::uint8_t>(cqe.solicited ? 1 : 0));
    store_le(entry + kMovedByte, static_cast<std::uint8_t>(cqe.moved ? 1 : 0));
    store_le(entry + 20, cqe.request);
    store_le(entry + 24, static_cast<std::uint64_t>(cqe.written.count()));
    store_le(entry + kOwnerByte, static_cast<std::uint8_t>(owner ? 1 : 0));
}

bool cqe_owner(const std::byte* entry) {
    return (load_le<std::uint8_t>(entry + kOwnerByte) & 1U) != 0;
}

bool cqe_moved(const std::byte* entry) {
    return load_le<std::uint8_t>(entry + kMovedByte) != 0;
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
    cqe.request = load_le<std::uint32_t>(entry + 20);
    cqe.written = Picoseconds{static_cast<std::int64_t>(load_le<std::uint64_t>(entry + 24))};
    return cqe;
}

}  // namespace ndsim
