// SPDX-License-Identifier: Apache-2.0
#include "models/proto/wqe.hpp"

#include <algorithm>

#include "sim/base/little_endian.hpp"

namespace ndsim {

namespace {

// Fields of a key operation behind the header.
constexpr std::uint32_t kKeyLength = kWqeHeader + 8;
constexpr std::uint32_t kKeyParent = kWqeHeader + 16;
constexpr std::uint32_t kKeyFirstByte = kWqeHeader + 20;
constexpr std::uint32_t kKeyAccess = kWqeHeader + 24;

void read_key_operation(std::span<const std::byte> bytes, const WqeHeader& header, KeyOperation& operation) {
    const std::byte* const entry = bytes.data();
    operation.opcode = header.opcode;
    operation.key = MrKey{header.token};
    operation.address = Address{load_le<std::uint64_t>(entry + kWqeHeader)};
    operation.length = load_le<std::uint64_t>(entry + kKeyLength);
    operation.parent = MrKey{load_le<std::uint32_t>(entry + kKeyParent)};
    operation.first_byte = load_le<std::uint32_t>(entry + kKeyFirstByte);
    operation.access = load_le<std::uint8_t>(entry + kKeyAccess);
    operation.pages.clear();
    for (std::uint32_t i = 0; i < header.count; ++i) {
        operation.pages.push_back(
            Address{load_le<std::uint64_t>(entry + header.body_at() + std::size_t{i} * kWqePage)});
    }
}

}  // namespace

std::uint32_t wqe_units(WqeOpcode opcode, std::uint32_t items, std::uint32_t inline_bytes) {
    const WqeHeader header{.opcode = opcode};
    const std::uint32_t body = std::max(items * (header.is_local() ? kWqePage : kWqeSge), inline_bytes);
    return (header.body_at() + body + kWqeUnit - 1) / kWqeUnit;
}

void write_wqe_header(std::byte* entry, const WqeHeader& header) {
    store_le(entry, static_cast<std::uint8_t>(header.opcode));
    store_le(entry + 1, header.flags);
    store_le(entry + 2, header.count);
    store_le(entry + 4, header.index);
    store_le(entry + 8, header.request);
    store_le(entry + 12, header.token);
}

void write_wqe_remote(std::byte* entry, const RemoteRange& remote) {
    store_le(entry + kWqeHeader, raw(remote.address));
    store_le(entry + kWqeHeader + 8, raw(remote.key));
    store_le(entry + kWqeHeader + 12, std::uint32_t{0});
}

void write_wqe_key_operation(std::byte* entry, const KeyOperation& operation) {
    store_le(entry + kWqeHeader, raw(operation.address));
    store_le(entry + kKeyLength, operation.length);
    store_le(entry + kKeyParent, raw(operation.parent));
    store_le(entry + kKeyFirstByte, operation.first_byte);
    store_le(entry + kKeyAccess, std::uint64_t{operation.access});  // and seven bytes of zero
    std::byte* page = entry + kWqeHeader + kWqeKey;
    for (const Address address : operation.pages) {
        store_le(page, raw(address));
        page += kWqePage;
    }
}

void write_wqe_sge(std::byte* body, std::uint32_t index, const Sge& sge) {
    std::byte* const at = body + std::size_t{index} * kWqeSge;
    store_le(at, raw(sge.address));
    store_le(at + 8, sge.length);
    store_le(at + 12, raw(sge.key));
}

WqeHeader read_wqe_header(const std::byte* entry) {
    return {WqeOpcode{load_le<std::uint8_t>(entry)}, load_le<std::uint8_t>(entry + 1),
            load_le<std::uint16_t>(entry + 2),       load_le<std::uint32_t>(entry + 4),
            load_le<std::uint32_t>(entry + 8),       load_le<std::uint32_t>(entry + 12)};
}

RemoteRange read_wqe_remote(const std::byte* entry) {
    return {Address{load_le<std::uint64_t>(entry + kWqeHeader)}, MrKey{load_le<std::uint32_t>(entry + kWqeHeader + 8)}};
}

Sge read_wqe_sge(const std::byte* body, std::uint32_t index) {
    const std::byte* const at = body + std::size_t{index} * kWqeSge;
    return {Address{load_le<std::uint64_t>(at)}, load_le<std::uint32_t>(at + 8),
            MrKey{load_le<std::uint32_t>(at + 12)}};
}

std::uint32_t Wqe::length() const {
    if (header.has(kWqeInline)) {
        return header.count;
    }
    std::uint32_t sum = 0;
    for (const Sge& sge : sges) {
        sum += sge.length;
    }
    return sum;
}

void decode_wqe(std::span<const std::byte> bytes, Wqe& wqe) {
    wqe.header = read_wqe_header(bytes.data());
    wqe.remote = wqe.header.is_remote() ? read_wqe_remote(bytes.data()) : RemoteRange{};
    wqe.sges.clear();
    wqe.inline_data.clear();
    if (wqe.header.is_local()) {
        read_key_operation(bytes, wqe.header, wqe.operation);
        return;
    }
    if (wqe.header.has(kWqeInline)) {
        const auto data = bytes.subspan(wqe.header.body_at(), wqe.header.count);
        wqe.inline_data.assign(data.begin(), data.end());
        return;
    }
    for (std::uint32_t i = 0; i < wqe.header.count; ++i) {
        wqe.sges.push_back(read_wqe_sge(bytes.data() + wqe.header.body_at(), i));
    }
}

}  // namespace ndsim
