// SPDX-License-Identifier: Apache-2.0

#include "tests/reference/pcie/bursts.hpp"
#include "tests/support/catch.hpp"

// The slow model against the formulae of bandwidth [timing.md F2, P1].
namespace ndsim::reference::pcie::slow_formula_test {

struct Lanes {
    std::uint32_t generation = 3;
    std::uint32_t width = 16;
};

// Megabits of payload a second.
std::uint64_t megabits(const Setup& setup, Traffic traffic, std::uint32_t size) {
    const Picoseconds time = burst_times(run_slow, setup, traffic, {size})[0];
    return burst(setup.pcie, traffic, size) * size * 8 * 1'000'000 / static_cast<std::uint64_t>(time.count());
}

void check_all(const std::vector<Lanes>& links, const Sizes& sizes) {
    for (const Lanes lanes : links) {
        for (const Bytes mps : {128_B, 256_B, 512_B}) {
            for (const Bytes mrrs : {256_B, 512_B, 4096_B}) {
                for (const Traffic traffic : {Traffic::reads, Traffic::writes, Traffic::both}) {
                    check_formula(run_slow, unlimited(lanes.generation, lanes.width, mps, mrrs), traffic, sizes);
                }
            }
        }
    }
}

TEST_CASE("pcie formulae: bandwidth drops just above each multiple of MPS, and of MRRS where that is smaller") {
    for (const Bytes mps : {128_B, 256_B, 512_B}) {
        for (const Bytes mrrs : {256_B, 512_B, 4096_B}) {
            const PcieParams pcie = unlimited(3, 16, mps, mrrs).pcie;
            for (const std::uint32_t size : all_sizes()) {
                INFO(size << " bytes, MPS " << mps.count << ", MRRS " << mrrs.count);
                const std::uint64_t both = std::min(mps, mrrs).count;
                CHECK(drops_at(pcie, Traffic::writes, size) == (size > 1 && size % mps.count == 1));
                CHECK(drops_at(pcie, Traffic::reads, size) == (size > 1 && size % both == 1));
                CHECK(drops_at(pcie, Traffic::both, size) == (size > 1 && size % both == 1));
            }
        }
    }
}

TEST_CASE("slow pcie: the published numbers of Gen3 x8 come out") {
    Setup setup = unlimited(3, 8, 256_B, 512_B);
    setup.pcie.dll_overhead = Fraction{81'400};
    // 57.885 Gb/s for TLPs: x 256/280 written, x 256/276 read, x 257/305 written; 0.5 %, which is 0.26 Gb/s.
    CHECK(megabits(setup, Traffic::writes, 256) == Catch::Approx(52'920).epsilon(0.005));
    CHECK(megabits(setup, Traffic::writes, 257) == Catch::Approx(48'770).epsilon(0.005));
    CHECK(megabits(setup, Traffic::reads, 256) == Catch::Approx(53'690).epsilon(0.005));
}

TEST_CASE("slow pcie: bandwidth is that of the formulae on every link") {
    check_all({{3, 8}, {3, 16}, {4, 16}, {5, 16}}, telling_sizes());
}

TEST_CASE("slow pcie: bandwidth is that of the formulae for every size") {
    for (const Traffic traffic : {Traffic::reads, Traffic::writes, Traffic::both}) {
        check_formula(run_slow, unlimited(3, 16, 256_B, 512_B), traffic, all_sizes());
    }
}

TEST_CASE("slow pcie: bandwidth is that of the formulae for every size on every link", "[long]") {
    check_all({{3, 8}, {3, 16}, {4, 16}, {5, 16}}, all_sizes());
}

}  // namespace ndsim::reference::pcie::slow_formula_test
