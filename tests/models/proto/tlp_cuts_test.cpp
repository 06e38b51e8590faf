// SPDX-License-Identifier: Apache-2.0
#include "models/proto/tlp_cuts.hpp"

#include <vector>

#include "models/parts/pcie_params.hpp"
#include "tests/support/catch.hpp"

namespace ndsim::test::tlp_cuts_test {

// The plain reading of the rules: cut at `limit` and at 4 KiB.
std::vector<std::uint32_t> pieces(std::uint64_t address, std::uint32_t length, std::uint32_t limit) {
    std::vector<std::uint32_t> result;
    while (length > 0) {
        const std::uint32_t piece = first_cut(Address{address}, length, limit);
        result.push_back(piece);
        address += piece;
        length -= piece;
    }
    return result;
}

// Completions, TLP by TLP: at most MPS long, and all but the last end on a boundary of RCB.
std::uint32_t completions(std::uint64_t address, std::uint32_t length, std::uint32_t mps, std::uint32_t rcb) {
    std::uint32_t count = 0;
    while (length > 0) {
        std::uint64_t end = address + mps;
        end -= end % rcb;
        const auto piece = static_cast<std::uint32_t>(std::min<std::uint64_t>(length, end - address));
        address += piece;
        length -= piece;
        ++count;
    }
    return count;
}

using Pieces = std::vector<std::uint32_t>;

TEST_CASE("tlp: requests are cut at MRRS and never cross 4 KiB [timing.md 2.2]", "[limit]") {
    CHECK(pieces(0, 64, 512) == Pieces{64});
    CHECK(pieces(0, 512, 512) == Pieces{512});
    CHECK(pieces(0, 513, 512) == Pieces{512, 1});
    CHECK(pieces(4095, 2, 512) == Pieces{1, 1});
    CHECK(pieces(3900, 512, 512) == Pieces{196, 316});
    CHECK(pieces(1, 4096, 512) == Pieces{512, 512, 512, 512, 512, 512, 512, 511, 1});
    CHECK(pieces(4096, 8192, 4096) == Pieces{4096, 4096});
    CHECK(cut_count(Address{0}, 0, 512) == 0);
}

TEST_CASE("tlp: the number of pieces is what cutting gives, aligned or not") {
    for (const std::uint32_t limit : {128U, 256U, 512U, 4096U}) {
        for (std::uint64_t address = 0; address < 8192; address += 37) {
            for (std::uint32_t length = 1; length < 9000; length += 211) {
                REQUIRE(cut_count(Address{address}, length, limit) == pieces(address, length, limit).size());
            }
        }
    }
}

TEST_CASE("tlp: completions end at MPS on a read-completion boundary, but for the last", "[limit]") {
    CHECK(completion_count(Address{0}, 64, 256, 64) == 1);
    CHECK(completion_count(Address{0}, 512, 256, 64) == 2);
    CHECK(completion_count(Address{4}, 512, 256, 64) == 3);  // 252, 256, 4
    CHECK(completion_count(Address{63}, 1, 256, 64) == 1);
    CHECK(completion_count(Address{63}, 256, 256, 64) == 2);    // 193, 63
    CHECK(completion_count(Address{127}, 129, 128, 128) == 2);  // 1, 128
    for (const std::uint32_t rcb : {64U, 128U}) {
        for (const std::uint32_t mps : {128U, 256U, 512U}) {
            for (std::uint64_t address = 0; address < 600; ++address) {
                for (std::uint32_t length = 1; length <= 512; length += 17) {
                    REQUIRE(completion_count(Address{address}, length, mps, rcb) ==
                            completions(address, length, mps, rcb));
                }
            }
        }
    }
}

TEST_CASE("pcie parameters: the rate follows from generation, width and link layer [timing.md 2.1]", "[formula]") {
    PcieParams params;
    // Gen3 x16, 5 %: 8 / (16 x 8e9 x 128/130 x 0.95) s = 40625/608 ps a byte.
    CHECK(params.tlp_rate().num == 40625);
    CHECK(params.tlp_rate().den == 608);
    const auto raw_gbps_100 = [](std::uint32_t generation, std::uint32_t width) {
        PcieParams raw;
        raw.generation = generation;
        raw.width = width;
        raw.dll_overhead = Fraction{0};
        // In hundredths of a Gb/s, rounded: 8 bits / (num/den ps).
        const ExactRate rate = raw.tlp_rate();
        return (800'000 * rate.den + rate.num / 2) / rate.num;
    };
    CHECK(raw_gbps_100(3, 4) == 31'51);
    CHECK(raw_gbps_100(3, 8) == 63'02);
    CHECK(raw_gbps_100(3, 16) == 126'03);
    CHECK(raw_gbps_100(4, 16) == 252'06);
    CHECK(raw_gbps_100(5, 8) == 252'06);
    CHECK(raw_gbps_100(5, 16) == 504'12);
    // The allowance of pcie-model at Gen3 x8, MPS 256: 57.885 of 63.015 Gb/s.
    params.width = 8;
    params.dll_overhead = Fraction{81'400};
    const ExactRate rate = params.tlp_rate();
    CHECK((8'000'000 * rate.den + rate.num / 2) / rate.num == 57'886);
}

}  // namespace ndsim::test::tlp_cuts_test
