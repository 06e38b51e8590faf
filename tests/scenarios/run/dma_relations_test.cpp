// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

// What must hold between rates, latencies and limits of DMA transfers.

namespace ndsim::test::dma_relations_test {

double rate(const std::string& members, const std::vector<std::string>& overrides) {
    return static_cast<double>(run_dma(members, overrides).metric("dma.t.rate"));
}

TEST_CASE("relations: rate times latency of saturated reads is the slots") {
    // One read alone takes the latency; with more wanted than there are slots, as many reads as slots are always under
    // way, and the link, of which 32 slots use less than half, adds nothing but a little waiting.
    const double latency =
        static_cast<double>(run_dma(R"("access": "random", "count": 200)").metric("dma.t.latency.mean")) * 1e-12;
    const std::string wanted = R"("access": "random", "in_flight": 64, "count": 6000)";
    for (const std::string slots_of : {"pcie.tags", "nic.dma_reads_in_flight"}) {
        for (const int slots : {4, 8, 16, 32}) {
            INFO(slots_of << " = " << slots);
            const double bits = rate(wanted, {fmt::format("{}={}", slots_of, slots), "nic.dma_reserved_reads=0"});
            CHECK(bits / (64 * 8) * latency == Catch::Approx(slots).epsilon(0.03));
        }
    }
}

TEST_CASE("relations: transfers feel IOMMU misses until size x walks / time of a miss exceeds the link") {
    // 2,048 pages and an IOTLB of 64: of 32 transfers 31 take a walk, and 5 walks of 260 ns go at once.
    const auto rates = [](int size) {
        const std::string members = fmt::format(
            R"("size": "{} B", "access": "random", "window": "8 MiB", "in_flight": 128, "count": 20000)", size);
        const double off = rate(members, {});
        return std::pair{rate(members, {"iommu.enabled=true"}), off};
    };
    for (const int size : {64, 256, 512, 1024, 2048}) {
        INFO(size << " B");
        const auto [with, without] = rates(size);
        const double walks = size * 8.0 * 5 / 260e-9 * 32 / 31;
        CHECK(with == Catch::Approx(std::min(walks, without)).epsilon(0.03));
    }
}

}  // namespace ndsim::test::dma_relations_test
