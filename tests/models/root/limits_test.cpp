// SPDX-License-Identifier: Apache-2.0
#include "tests/models/root/root_bench.hpp"

namespace ndsim::test::limits_test {

constexpr Picoseconds kWalk = 260ns;

Address page(std::uint64_t number) {
    return Address{number * 4096};
}

struct WalkBench : RootBench {
    explicit WalkBench(const IommuParams& params) : iommu(root, params) {}
    static IommuParams walks(std::uint32_t n) {
        IommuParams params;
        params.enabled = true;
        params.parallel_walks = n;
        return params;
    }
    Iommu iommu;
};

// Two walks from 0 on; a third page is wanted 1 ps before they end.
TEST_CASE("IOMMU: a walk too many waits for the end of the first, to the picosecond", "[limit]") {
    WalkBench bench(WalkBench::walks(2));
    CHECK(bench.iommu.translated(IommuUse::read, page(1), 64, 0ns) == kWalk);
    CHECK(bench.iommu.translated(IommuUse::read, page(2), 64, 0ns) == kWalk);
    CHECK(bench.iommu.translated(IommuUse::read, page(3), 64, kWalk - 1_ps) == kWalk + kWalk);
}

TEST_CASE("IOMMU: with one walk more it does not wait", "[limit]") {
    WalkBench bench(WalkBench::walks(3));
    CHECK(bench.iommu.translated(IommuUse::read, page(1), 64, 0ns) == kWalk);
    CHECK(bench.iommu.translated(IommuUse::read, page(2), 64, 0ns) == kWalk);
    CHECK(bench.iommu.translated(IommuUse::read, page(3), 64, kWalk - 1_ps) == kWalk - 1_ps + kWalk);
}

}  // namespace ndsim::test::limits_test
