// SPDX-License-Identifier: Apache-2.0
#include "tests/models/root/root_bench.hpp"

namespace ndsim::test::iommu_test {

IommuParams small(std::uint32_t entries, std::uint32_t walks) {
    IommuParams params;
    params.enabled = true;
    params.iotlb_entries = entries;
    params.parallel_walks = walks;
    return params;
}

constexpr IommuUse kRead = IommuUse::read;
constexpr IommuUse kWrite = IommuUse::write;

Address page(std::uint64_t number, std::uint64_t offset = 0) {
    return Address{number * 4096 + offset};
}

// An IOMMU without the rest of a root complex.
struct IommuBench : RootBench {
    explicit IommuBench(const IommuParams& params) : iommu(root, params) {}
    Iommu iommu;
};

TEST_CASE("IOMMU: switched off it takes no time") {
    IommuBench bench({});
    CHECK(bench.iommu.translated(kRead, page(5), 64, 7ns) == 7ns);
}

TEST_CASE("IOMMU: a page that the IOTLB lacks takes a walk, and is known until others drive it out",
          "[formula][limit]") {
    IommuBench bench(small(2, 5));
    CHECK(bench.iommu.translated(kRead, page(1), 64, 0ns) == 260ns);
    CHECK(bench.iommu.translated(kRead, page(1, 4000), 96, 1us) == 1us);
    CHECK(bench.iommu.translated(kRead, page(2), 64, 1us) == 1260ns);
    CHECK(bench.iommu.translated(kRead, page(1), 64, 2us) == 2us);     // used last
    CHECK(bench.iommu.translated(kRead, page(3), 64, 3us) == 3260ns);  // drives out 2
    CHECK(bench.iommu.translated(kRead, page(1), 64, 4us) == 4us);
    CHECK(bench.iommu.translated(kRead, page(2), 64, 5us) == 5260ns);
}

TEST_CASE("IOMMU: writes with an IOTLB of their own neither drive out reads nor are driven out", "[formula][limit]") {
    IommuParams params = small(1, 1);
    params.write_iotlb_entries = 2;
    params.write_miss = 200ns;
    IommuBench bench(params);
    CHECK(bench.iommu.translated(kRead, page(1), 64, 0ns) == 260ns);
    CHECK(bench.iommu.translated(kWrite, page(1), 64, 100ns) == 460ns);  // the one walker is free at 260 ns
    CHECK(bench.iommu.translated(kWrite, page(2), 64, 1us) == 1200ns);
    CHECK(bench.iommu.translated(kRead, page(1), 64, 2us) == 2us);
    CHECK(bench.iommu.translated(kWrite, page(1), 64, 2us) == 2us);     // used last
    CHECK(bench.iommu.translated(kWrite, page(3), 64, 3us) == 3200ns);  // drives out 2
    CHECK(bench.iommu.translated(kWrite, page(2), 64, 4us) == 4200ns);
}

TEST_CASE("IOMMU: without one writes use that of the reads") {
    IommuBench bench(small(1, 1));
    CHECK(bench.iommu.translated(kRead, page(1), 64, 0ns) == 260ns);
    CHECK(bench.iommu.translated(kWrite, page(1), 64, 1us) == 1us);
    CHECK(bench.iommu.translated(kWrite, page(2), 64, 2us) == 2260ns);
    CHECK(bench.iommu.translated(kRead, page(1), 64, 3us) == 3260ns);
}

TEST_CASE("IOMMU: transfers to a page whose walk is under way wait for it together") {
    IommuBench bench(small(64, 1));
    CHECK(bench.iommu.translated(kRead, page(1), 64, 0ns) == 260ns);
    CHECK(bench.iommu.translated(kRead, page(1), 64, 100ns) == 260ns);
    CHECK(bench.iommu.translated(kRead, page(1), 64, 260ns) == 260ns);
}

TEST_CASE("IOMMU: so many walks at once, the next one begins when one ends", "[formula]") {
    IommuBench bench(small(64, 2));
    CHECK(bench.iommu.translated(kRead, page(1), 64, 0ns) == 260ns);
    CHECK(bench.iommu.translated(kRead, page(2), 64, 10ns) == 270ns);
    CHECK(bench.iommu.translated(kRead, page(3), 64, 20ns) == 520ns);   // begins at 260 ns
    CHECK(bench.iommu.translated(kRead, page(4), 64, 269ns) == 530ns);  // at 270 ns
}

TEST_CASE("IOMMU: a transfer over two pages needs both") {
    IommuBench bench(small(64, 1));
    CHECK(bench.iommu.translated(kRead, page(1, 4095), 2, 0ns) == 520ns);
}

TEST_CASE("IOMMU: large pages reach further") {
    IommuParams large = small(1, 1);
    large.page = Bytes{2U << 20U};
    IommuBench bench(large);
    CHECK(bench.iommu.translated(kRead, page(0), 64, 0ns) == 260ns);
    CHECK(bench.iommu.translated(kRead, page(511), 4096, 1us) == 1us);
    CHECK(bench.iommu.translated(kRead, page(512), 64, 2us) == 2260ns);
}

TEST_CASE("IOMMU: with ATS the device keeps translations of its own", "[formula][limit]") {
    IommuParams params = small(1, 1);
    params.ats = true;
    params.atc_entries = 2;
    IommuBench bench(params);
    CHECK(bench.iommu.translated(kRead, page(1), 64, 0ns) == 700ns);
    CHECK(bench.iommu.translated(kRead, page(2), 64, 0ns) == 700ns);  // asked for side by side
    CHECK(bench.iommu.translated(kRead, page(1), 64, 500ns) == 700ns);
    CHECK(bench.iommu.translated(kRead, page(1), 64, 1us) == 1us);
    CHECK(bench.iommu.translated(kRead, page(3), 64, 1us) == 1700ns);  // drives out 2
    CHECK(bench.iommu.translated(kRead, page(2), 64, 2us) == 2700ns);
}

TEST_CASE("IOMMU: with ATS a device that keeps no translation asks each time", "[limit]") {
    IommuParams params = small(1, 1);
    params.ats = true;
    params.atc_entries = 0;
    IommuBench bench(params);
    CHECK(bench.iommu.translated(kRead, page(1), 64, 0ns) == 700ns);
    CHECK(bench.iommu.translated(kRead, page(1), 64, 1us) == 1700ns);
}

}  // namespace ndsim::test::iommu_test
