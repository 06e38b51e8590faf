// SPDX-License-Identifier: Apache-2.0
#include "models/proto/wqe.hpp"

#include <algorithm>

#include "models/proto/little_endian.hpp"

namespace ndsim {

std::uint32_t wqe_units(std::uint32_t sges, std::uint32_t inline_bytes) {
    const std::uint32_t body = std::max(sges * kWqeSge, inline_bytes);
    return (kWqeHeader + body + kWqeUnit - 1) / kWqeUnit;
}

void write_wqe_header(std::byte* entry, const WqeHeader& header) {
    store_le(entry, static_cast<std::uint8_t>(header.opcode));
    store_le(entry + 1, header.flags);
    store_le(entry + 2, header.count);
    store_le(entry + 4, header.index);
    store_le(entry + 8, header.request);
    store_le(entry + 12, header.token);
}

void write_wqe_sge(std::byte* entry, std::uint32_t index, const Sge& sge) {
    std::byte* const at = entry + kWqeHeader + std::size_t{index} * kWqeSge;
    store_le(at, raw(sge.address));
    store_le(at + 8, sge.length);
    store_le(at + 12, raw(sge.key));
}

WqeHeader read_wqe_header(const std::byte* entry) {
    return {WqeOpcode{load_le<std::uint8_t>(entry)}, load_le<std::uint8_t>(entry + 1),
            load_le<std::uint16_t>(entry + 2),       load_le<std::uint32_t>(entry + 4),
            load_le<std::uint32_t>(entry + 8),       load_le<std::uint32_t>(entry + 12)};
}

Sge read_wqe_sge(const std::byte* entry, std::uint32_t index) {
    const std::byte* const at = entry + kWqeHeader + std::size_t{index} * kWqeSge;
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
    wqe.sges.clear();
    wqe.inline_data.clear();
    if (wqe.header.has(kWqeInline)) {
        const auto data = bytes.subspan(kWqeHeader, wqe.header.count);
        wqe.inline_data.assign(data.begin(), data.end());
        return;
    }
    for (std::uint32_t i = 0; i < wqe.header.count; ++i) {
        wqe.sges.push_back(read_wqe_sge(bytes.data(), i));
    }
}

}  // namespace ndsim
