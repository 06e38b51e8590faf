// SPDX-License-Identifier: Apache-2.0
#include "sim/base/exact_rate.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/picoseconds.hpp"

namespace ndsim::test::exact_rate_test {

constexpr Bandwidth k25G{25'781'250'000};

TEST_CASE("exact rate: Ethernet rates are reduced fractions of picoseconds a byte") {
    CHECK(ExactRate::per_byte(100_Gbps).num == 80);
    CHECK(ExactRate::per_byte(100_Gbps).den == 1);
    // 8e12 / 25.78125e9 = 310.3030... = 10240/33.
    CHECK(ExactRate::per_byte(k25G).num == 10240);
    CHECK(ExactRate::per_byte(k25G).den == 33);
    // 6 M a second: 500000/3 ps.
    CHECK(ExactRate::per_item(6_Mps).num == 500'000);
    CHECK(ExactRate::per_item(6_Mps).den == 3);
}

TEST_CASE("exact rate: times are rounded up to the picosecond") {
    const ExactRate rate = ExactRate::per_byte(k25G);
    CHECK(rate.time(0_B) == 0_ps);
    CHECK(rate.time(1_B) == 311_ps);      // 310.30
    CHECK(rate.time(33_B) == 10'240_ps);  // exact
}

TEST_CASE("exact rate: what a fraction of overhead leaves") {
    // 80 ps / 0.95 = 1600/19.
    const ExactRate rate = ExactRate::of(80, 1).reduced_by(5_percent);
    CHECK(rate.num == 1600);
    CHECK(rate.den == 19);
    const ExactRate same = ExactRate::of(40625, 608).reduced_by(Fraction{0});
    CHECK(same.num == 40625);
    CHECK(same.den == 608);
}

// n packets of 4178 bytes, each offered when the server says that it is free, or all at once.
Picoseconds end_of(ExactRate rate, std::uint64_t n, bool at_once) {
    ExactServer server(rate);
    Picoseconds end{};
    for (std::uint64_t i = 0; i < n; ++i) {
        const Interval served = server.reserve(at_once ? 0_ps : server.free_at(), 4178);
        REQUIRE(served.start == end);  // no gap and no overlap
        end = served.end;
    }
    return end;
}

TEST_CASE("exact server: a million packets end at the exact time, however they queue") {
    // 4,178,000,000 B x 10240/33 ps = 1,296,446,060,606.06 ps.
    CHECK(end_of(ExactRate::per_byte(k25G), 1'000'000, true) == 1'296'446'060'607_ps);
    CHECK(end_of(ExactRate::per_byte(k25G), 1'000'000, false) == 1'296'446'060'607_ps);
    // PCIe Gen3 x16 less 5 %: 4,178,000,000 x 40625/608 ps = 279,163,240,131.6 ps.
    CHECK(end_of(ExactRate::of(40625, 608), 1'000'000, true) == 279'163'240'132_ps);
    CHECK(end_of(ExactRate::of(40625, 608), 1'000'000, false) == 279'163'240'132_ps);
}

TEST_CASE("exact server: an idle server starts at once, and keeps no fraction") {
    ExactServer server(ExactRate::of(1, 3));
    CHECK(server.reserve(10_ps, 1).end == 11_ps);  // free at 10 1/3
    const Interval late = server.reserve(12_ps, 3);
    CHECK(late.start == 12_ps);
    CHECK(late.end == 13_ps);
}

TEST_CASE("cut-through: a stage starts at once if its input is faster, else so late that it never runs dry") {
    // Input from 100 to 200 ns, the last piece takes 10 ns of service.
    CHECK(cut_through_start({100ns, 200ns}, 300ns, 10ns) == 100ns);
    // Service in 60 ns: the last piece may begin at 200 ns, so 200 + 10 - 60.
    CHECK(cut_through_start({100ns, 200ns}, 60ns, 10ns) == 150ns);
    // All of it is one piece: store and forward.
    CHECK(cut_through_start({100ns, 200ns}, 60ns, 60ns) == 200ns);
}

}  // namespace ndsim::test::exact_rate_test
