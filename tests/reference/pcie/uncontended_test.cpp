// SPDX-License-Identifier: Apache-2.0

#include "tests/reference/pcie/bursts.hpp"
#include "tests/reference/pcie/fast_pcie.hpp"
#include "tests/reference/pcie/random_loads.hpp"
#include "tests/support/catch.hpp"

// A transfer that has the link for itself takes the same time in both models, to the picosecond.
namespace ndsim::reference::pcie::uncontended_test {

std::string differences(const Load& load) {
    const std::vector<Times> slow = run_slow(load.setup, load.transfers);
    const std::vector<Times> fast = run_fast(load.setup, load.transfers);
    std::string found;
    for (std::size_t i = 0; i < slow.size(); ++i) {
        if (slow[i] != fast[i]) {
            const auto text = [&](const Times& times) {
                return std::to_string((times.first - load.transfers[i].at).count()) + " and " +
                       std::to_string((times.last - load.transfers[i].at).count()) + " ps";
            };
            found += "transfer " + std::to_string(i) + ": slow " + text(slow[i]) + ", fast " + text(fast[i]) + "\n";
        }
    }
    return found;
}

void loads_agree(std::uint64_t first_seed, std::uint64_t loads) {
    const auto generator = lonely_loads();
    for (std::uint64_t seed = first_seed; seed < first_seed + loads; ++seed) {
        const auto random = generator(rc::Random(seed));
        if (differences(random.value()).empty()) {
            continue;
        }
        const auto [smallest, steps] =
            rc::shrinkable::findLocalMin(random, [](const Load& load) { return !differences(load).empty(); });
        FAIL("seed " << seed << ":\n" << describe(smallest) << differences(smallest));
    }
}

TEST_CASE("pcie models: a lonely transfer takes the same time, to the picosecond") {
    loads_agree(1, 200);
}

TEST_CASE("pcie models: a lonely transfer takes the same time, many more of them", "[long]") {
    loads_agree(100'000, 5000);
}

}  // namespace ndsim::reference::pcie::uncontended_test
