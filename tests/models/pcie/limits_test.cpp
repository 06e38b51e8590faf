// SPDX-License-Identifier: Apache-2.0
#include "tests/models/pcie/pcie_bench.hpp"

// Each pool of credits is tight: who comes one picosecond before the credit that he lacks is back leaves with it, and
// with one credit more he leaves at once.
namespace ndsim::test::limits_test {

constexpr auto ser = PcieBench::ser;

// Credits are back UpdateFC 30 ns and one way 135 ns after they are freed.
constexpr Picoseconds kBack = 30ns + 135ns;
// The first write of 4 KiB, 16 TLPs and 4480 bytes, is visible one way and 80 ns after it has left.
constexpr Picoseconds kWriteCredits = ser(4480) + 215ns + kBack;
constexpr Picoseconds kEarly = kWriteCredits - 1_ps;

// Two writes of 4 KiB take 32 headers. Two CQEs at 600 ns, when both are on the link, take two more; a third comes one
// picosecond before the first write gives its headers back.
Picoseconds third_cqe_leaves(std::uint32_t posted_headers) {
    PcieParams params;
    params.posted_headers = posted_headers;
    PcieBench bench(params);
    bench.at(0ns, [&] {
        bench.write(0, 4096, 0);
        bench.write(4096, 4096, 1);
    });
    bench.at(600ns, [&] {
        bench.write(8192, 64, 2, true);
        bench.write(8256, 64, 3, true);
    });
    bench.at(kEarly, [&] { bench.write(8320, 64, 4, true); });
    bench.run();
    REQUIRE(ser(2 * 4480) <= 600ns);
    REQUIRE(bench.device.writes.size() == 5);
    CHECK(bench.device.writes[3].issued == 600ns + ser(2 * 88));
    bench.check_done();
    return bench.device.writes[4].issued;
}

TEST_CASE("pcie: without a posted header a write waits for the first that comes back", "[limit]") {
    CHECK(third_cqe_leaves(34) == kWriteCredits + ser(88));
}

TEST_CASE("pcie: with one posted header more it does not wait", "[limit]") {
    CHECK(third_cqe_leaves(35) == kEarly + ser(88));
}

// 256 units of 16 bytes, then 16; a write of one byte needs one more.
Picoseconds one_byte_leaves(std::uint32_t posted_data) {
    PcieParams params;
    params.posted_data = posted_data;
    PcieBench bench(params);
    bench.at(0ns, [&] {
        bench.write(0, 4096, 0);
        bench.write(4096, 256, 1);
    });
    bench.at(kEarly, [&] { bench.write(8192, 1, 2); });
    bench.run();
    REQUIRE(bench.device.writes.size() == 3);
    bench.check_done();
    return bench.device.writes[2].issued;
}

TEST_CASE("pcie: without a credit for posted data a write waits for the first that comes back", "[limit]") {
    CHECK(one_byte_leaves(272) == kWriteCredits + ser(1 + 24));
}

TEST_CASE("pcie: with one credit for posted data more it does not wait", "[limit]") {
    CHECK(one_byte_leaves(273) == kEarly + ser(1 + 24));
}

// 34 requests at once; the root complex has the first one after its 24 bytes and one way.
constexpr Picoseconds kReadCredit = ser(24) + 135ns + kBack;

Picoseconds read_35_ends(std::uint32_t nonposted_headers) {
    PcieParams params;
    params.nonposted_headers = nonposted_headers;
    PcieBench bench(params);
    bench.at(0ns, [&] {
        for (std::uint32_t i = 0; i < 34; ++i) {
            bench.read(i * 512ULL, 4, i);
        }
    });
    bench.at(kReadCredit - 1_ps, [&] { bench.read(34 * 512ULL, 4, 34); });
    bench.run();
    REQUIRE(bench.device.reads.size() == 35);
    bench.check_done();
    return bench.device.reads[34].arrival.end;
}

// A read of 4 bytes on an idle link: 24 bytes, one way, the cache 120 ns, 24 bytes, one way.
constexpr Picoseconds kRead = ser(24) + 135ns + 120ns + ser(24) + 135ns;

TEST_CASE("pcie: without a credit for requests a read waits for the first that comes back", "[limit]") {
    CHECK(read_35_ends(34) == kReadCredit + kRead);
}

TEST_CASE("pcie: with one credit for requests more it does not wait", "[limit]") {
    CHECK(read_35_ends(35) == kReadCredit - 1_ps + kRead);
}

// Four stores at once, each of which the NIC takes 1 us after it has come; a fifth one.
constexpr Picoseconds kStoreCredit = ser(32) + 135ns + 1us + kBack;

Picoseconds fifth_store_arrives(std::uint32_t bar_posted_headers) {
    PcieParams params;
    params.bar_posted_headers = bar_posted_headers;
    PcieBench bench(params);
    bench.bar.holds = 1us;
    bench.at(0ns, [&] {
        for (int i = 0; i < 4; ++i) {
            bench.link.store(0ns, {}, bench.core);
        }
        bench.link.store(kStoreCredit - 1_ps, {}, bench.core);
    });
    bench.run();
    REQUIRE(bench.bar.stores.size() == 5);
    bench.check_done();
    return bench.bar.stores[4].at;
}

TEST_CASE("pcie: without a credit of the NIC a store waits for the first that comes back", "[limit]") {
    CHECK(fifth_store_arrives(4) == kStoreCredit + ser(32) + 135ns);
}

TEST_CASE("pcie: with one credit of the NIC more it does not wait", "[limit]") {
    CHECK(fifth_store_arrives(5) == kStoreCredit - 1_ps + ser(32) + 135ns);
}

// 100 ps a byte: boundaries at 51.2 and 102.4 ns.
TEST_CASE("link direction: exactly a grain of express enters at a boundary, one byte more goes to the next",
          "[limit]") {
    for (const auto& [second, starts] : {std::pair{100_B, 92'400_ps}, std::pair{101_B, 102'400_ps}}) {
        LinkDirection link{ExactRate::of(100, 1), 512_B};
        (void)link.bulk({0ns, 0ns}, 4000_B, 280_B);
        CHECK(link.express(1ns, 412_B).start == 51'200_ps);
        CHECK(link.express(1ns, second).start == starts);
    }
}

}  // namespace ndsim::test::limits_test
