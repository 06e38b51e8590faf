// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "models/parts/pcie_params.hpp"

// The analytic model of PCIe [timing.md F2]: what aligned transfers of S bytes cost on the link when nothing but its
// rate limits them.
namespace ndsim::reference::pcie {

enum class Traffic : std::uint8_t { reads, writes, both };

// Writes: S bytes of data and a header for each MPS.
[[nodiscard]] constexpr std::uint64_t write_bytes(const PcieParams& pcie, std::uint64_t size) {
    return size + pcie.write_header.count * ceil_div(size, pcie.mps.count);
}
// Requests of a read: one for each MRRS.
[[nodiscard]] constexpr std::uint64_t request_bytes(const PcieParams& pcie, std::uint64_t size) {
    return pcie.read_header.count * ceil_div(size, pcie.mrrs.count);
}
// Completions of a read: those of each request are cut at MPS.
[[nodiscard]] constexpr std::uint64_t completion_bytes(const PcieParams& pcie, std::uint64_t size) {
    std::uint64_t headers = 0;
    for (std::uint64_t left = size; left > 0;) {
        const std::uint64_t request = std::min(left, pcie.mrrs.count);
        headers += ceil_div(request, pcie.mps.count);
        left -= request;
    }
    return size + pcie.completion_header.count * headers;
}

// Bytes of the busier direction for one transfer; of `both`, for a read and a write.
[[nodiscard]] constexpr std::uint64_t link_bytes(const PcieParams& pcie, Traffic traffic, std::uint64_t size) {
    const std::uint64_t reads_up = traffic == Traffic::writes ? 0 : request_bytes(pcie, size);
    const std::uint64_t writes_up = traffic == Traffic::reads ? 0 : write_bytes(pcie, size);
    const std::uint64_t down = traffic == Traffic::writes ? 0 : completion_bytes(pcie, size);
    return std::max(reads_up + writes_up, down);
}

// How long `count` transfers keep the busier direction at work.
[[nodiscard]] constexpr Picoseconds link_time(const PcieParams& pcie, Traffic traffic, std::uint64_t size,
                                              std::uint64_t count) {
    return pcie.tlp_rate().time(count * link_bytes(pcie, traffic, size));
}

// Whether transfers of this size bring less than those one byte shorter: a tooth of the saw ends between them.
[[nodiscard]] constexpr bool drops_at(const PcieParams& pcie, Traffic traffic, std::uint64_t size) {
    return size > 1 && size * link_bytes(pcie, traffic, size - 1) < (size - 1) * link_bytes(pcie, traffic, size);
}

}  // namespace ndsim::reference::pcie
