// SPDX-License-Identifier: Apache-2.0

#include "tests/reference/pcie/bursts.hpp"
#include "tests/reference/pcie/fast_pcie.hpp"
#include "tests/reference/pcie/random_loads.hpp"
#include "tests/support/catch.hpp"

// Where transfers wait for each other, for tags or for credits, both models take the same time for all of them within
// 2 %: the simulator's units work with trains, the slow model with TLPs.
namespace ndsim::reference::pcie::contended_test {

void loads_agree(const rc::Gen<Load>& generator, std::uint64_t first_seed, std::uint64_t loads) {
    for (std::uint64_t seed = first_seed; seed < first_seed + loads; ++seed) {
        const Load load = generator(rc::Random(seed)).value();
        const Picoseconds slow = end_of(run_slow(load.setup, load.transfers));
        const Picoseconds fast = end_of(run_fast(load.setup, load.transfers));
        INFO("seed " << seed << ": slow " << slow.count() << " ps, fast " << fast.count() << "\n"
                     << describe({load.setup, {}}));
        CHECK(std::chrono::abs(fast - slow) * 50 <= slow);
    }
}

TEST_CASE("pcie models: crowds of transfers take the same time within 2 %") {
    loads_agree(crowded_loads(), 1, 100);
}

TEST_CASE("pcie models: reads or writes that want for credits take the same time within 2 %") {
    loads_agree(creditless_loads(), 1, 100);
}

TEST_CASE("pcie models: crowds of transfers take the same time, many more of them", "[long]") {
    loads_agree(crowded_loads(), 100'000, 2000);
}

TEST_CASE("pcie models: reads or writes that want for credits take the same time, many more of them", "[long]") {
    loads_agree(creditless_loads(), 100'000, 2000);
}

}  // namespace ndsim::reference::pcie::contended_test
