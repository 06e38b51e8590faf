// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>

#include "models/dma/dma_engine.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/pcie_doubles.hpp"

namespace ndsim::test {

// A DMA engine in front of a link that the test plays.
struct DmaBench : Bench {
    struct Sizes {
        std::uint32_t tags = 256;
        std::uint32_t reads = 128;
        std::uint32_t writes = 64;
        std::uint32_t reserved = 0;
    };
    explicit DmaBench(Sizes sizes, Bytes forward_grain = 512_B)
        : dma("dma", timeline, {sizes.reads, sizes.writes, sizes.reserved}, pcie(sizes.tags), forward_grain, ledgers) {
        dma.link.bind(link);
        dma.translation.bind(translations);
    }
    static PcieParams pcie(std::uint32_t tags) {
        PcieParams params;
        params.tags = tags;
        return params;
    }
    // 40625/608 ps a byte, rounded up.
    static constexpr Picoseconds ser(std::int64_t bytes) { return Picoseconds{(bytes * 40625 + 607) / 608}; }

    struct Part {
        std::uint64_t offset = 0;
        std::uint32_t length = 0;
    };
    bool read(ReadClass cls, std::initializer_list<Part> parts, std::uint32_t token) {
        std::vector<ReadPiece> pieces;
        std::byte* into = buffer.data();
        for (const Part& part : parts) {
            pieces.push_back({Memory::kBase + part.offset, part.length, into});
            into += part.length;
        }
        return dma.try_read(cls, pieces, token, {}, reader);
    }
    // Tells the engine now when the n-th train that it sent arrives.
    void answer(std::size_t n, Interval arrival) { dma.read_scheduled(link.reads.at(n).train.token, arrival); }

    std::vector<std::byte> buffer = std::vector<std::byte>(1U << 20U);
    SilentLink link{timeline};
    Translations translations;
    Reader reader{timeline};
    DmaEngine dma;
};

inline constexpr ReadClass kWqe = ReadClass::wqe;
inline constexpr ReadClass kReceiveWqe = ReadClass::receive_wqe;
inline constexpr ReadClass kPayload = ReadClass::payload;

}  // namespace ndsim::test
