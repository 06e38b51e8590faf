// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <string_view>

#include "sim/base/units.hpp"
#include "sim/config/field.hpp"

namespace ndsim {

// The operation of a transfer: both directions in turn (read_and_write), or both at the same place (write_read).
enum class DmaOperation : std::uint8_t { read, write, read_and_write, write_read };
inline constexpr std::array<std::string_view, 4> kDmaOperationNames{"read", "write", "read_and_write", "write_read"};

// The order in which a generator visits the units of its window.
enum class DmaAccess : std::uint8_t { sequential, random };
inline constexpr std::array<std::string_view, 2> kDmaAccessNames{"sequential", "random"};

// A DMA generator. As in pcie-bench, its window of host memory is divided into units of whole lines. Each unit has room
// for one transfer behind the offset.
struct DmaGeneratorParams {
    static constexpr std::uint64_t kLine = 64;

    DmaOperation operation = DmaOperation::read;
    Bytes size{64};
    Bytes window = 64_KiB;
    DmaAccess access = DmaAccess::sequential;
    Bytes offset{};
    std::uint32_t in_flight = 1;
    Picoseconds issue{};
    std::uint64_t count = 1000;

    template <class Field>
    void fields(Field&& field) {
        using std::chrono::milliseconds;
        field("operation", operation, kDmaOperationNames,
              "what a transfer does; read_and_write: reads and writes in turn, write_read: a write, then a read of the "
              "same place",
              Mark::documented);
        field("size", size, between(1_B, 4096_B), "bytes of a transfer", Mark::documented);
        field("window", window, between(64_B, Bytes{1ULL << 32U}), "host memory that the transfers go to",
              Mark::documented);
        field("access", access, kDmaAccessNames, "the order in which transfers go through the window's units",
              Mark::documented);
        field("offset", offset, between(0_B, 63_B), "where a transfer begins in the first line of its unit",
              Mark::documented);
        field("in_flight", in_flight, between(1U, 4096U), "transfers under way", Mark::documented);
        field("issue", issue, between(Picoseconds{0}, milliseconds{1}), "minimum time from one issue to the next",
              Mark::documented);
        field("count", count, between(std::uint64_t{1}, std::uint64_t{1'000'000'000'000'000}), "number of transfers",
              Mark::documented);
    }

    // The window in units; a rest at its end is not used.
    [[nodiscard]] constexpr Bytes unit() const { return kLine * Bytes{ceil_div(offset.count + size.count, kLine)}; }
    [[nodiscard]] constexpr std::uint64_t units() const { return window.count / unit().count; }
};

}  // namespace ndsim
