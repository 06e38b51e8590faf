// SPDX-License-Identifier: Apache-2.0

#include "tests/reference/pcie/bursts.hpp"
#include "tests/reference/pcie/fast_pcie.hpp"
#include "tests/support/catch.hpp"

// The simulator's DMA engine and link against the formulae of bandwidth [timing.md F2]. Reads, writes or both.
namespace ndsim::reference::pcie::fast_formula_test {

constexpr std::initializer_list<Traffic> kTraffic{Traffic::reads, Traffic::writes, Traffic::both};

void check_sizes(std::uint32_t generation, std::uint32_t width, const Sizes& sizes) {
    for (const Bytes mps : {128_B, 256_B, 512_B}) {
        for (const Bytes mrrs : {256_B, 512_B, 4096_B}) {
            for (const Traffic traffic : kTraffic) {
                check_formula(run_fast, unlimited(generation, width, mps, mrrs), traffic, sizes);
            }
        }
    }
}

TEST_CASE("fast pcie: bandwidth is that of the formulae, Gen3 x16") {
    check_sizes(3, 16, telling_sizes());
}

TEST_CASE("fast pcie: bandwidth is that of the formulae, other links") {
    for (const auto& [generation, width] : {std::pair{3U, 8U}, std::pair{4U, 16U}, std::pair{5U, 16U}}) {
        for (const Traffic traffic : kTraffic) {
            check_formula(run_fast, unlimited(generation, width, 256_B, 512_B), traffic, telling_sizes());
        }
    }
}

TEST_CASE("fast pcie: bandwidth is that of the formulae for every size", "[long]") {
    check_sizes(3, 8, all_sizes());
    check_sizes(3, 16, all_sizes());
    check_sizes(4, 16, all_sizes());
    check_sizes(5, 16, all_sizes());
}

}  // namespace ndsim::reference::pcie::fast_formula_test
