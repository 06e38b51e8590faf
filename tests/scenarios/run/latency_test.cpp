// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdlib>

#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

namespace ndsim::test::latency_test {

// One message of two bytes at a time from A to B, preset B.
std::string one_at_a_time(bool inlined) {
    return fmt::format(R"({{"hosts": {{"A": {{}}, "B": {{}}}}, "traffic": {{"t": {{"from": "A", "to": "B", )"
                       R"("size": "2 B", "count": 200, "window": 1, "inline": {}}}}}}})",
                       inlined);
}

TEST_CASE("preset B: half a round trip of a 2-byte inline Send") {
    const ChildResult run = run_file("scenarios/library/ping-pong.json");
    INFO(run.why);
    REQUIRE(run.ended);
    // The budget of a WRITE is 930 ns (timing.md 6). A Send adds the CQE behind its payload: 64 B + 24 B of header at
    // 40625/608 = 66.8 ps a byte, 6 ns. Published: 10 to 20 ns.
    const double half = static_cast<double>(run.metric("programs.A.round_trip.p50")) / 2;
    CHECK(half >= 0.92 * (930'000 + 10'000));
    CHECK(half <= 1.08 * (930'000 + 20'000));
}

TEST_CASE("the path of one 2-byte inline Send, stage by stage") {
    const ChildResult run = run_text(one_at_a_time(true));
    INFO(run.why);
    REQUIRE(run.ended);
    // From post to the receiver's poll, preset B, times in ps:
    //   50 000  the WQE is built, 75 000 the store leaves the core
    //    5 880  64 B + 24 B on PCIe at 40625/608 ps a byte, rounded up; 135 000 one way
    //   70 000  doorbell to schedule, 35 000 packet build
    //    6 880  82 B + 2 B padded to 4, at 80 ps a byte; 30 000 + 2 m x 5 000 + 62 000 flight and MACs
    //  120 000  receive pipeline
    //    1 738  2 B + 24 B of payload, behind it 5 880 of CQE; 135 000 one way, 80 000 visible
    //   60 000  the core notices, 60 000 the poll returns
    // One write of payload and one of CQE share the link's fractions of a picosecond, hence +- 2 ps.
    const std::int64_t derived = 50'000 + 75'000 + 5'880 + 135'000 + 70'000 + 35'000 + 6'880 + 102'000 + 120'000 +
                                 1'738 + 5'880 + 135'000 + 80'000 + 60'000 + 60'000;
    CHECK(std::abs(static_cast<std::int64_t>(run.metric("traffic.t.delivery.min")) - derived) <= 2);
}

TEST_CASE("the path of one 8-byte inline Write, to a core that spins on it") {
    const ChildResult run = run_file("scenarios/library/write-ping-pong.json");
    INFO(run.why);
    REQUIRE(run.ended);
    // As above, without a CQE, and with 16 B of RETH: 82 + 16 + 8 B at 80 ps, 8 + 24 B on PCIe at 40625/608 ps.
    const std::int64_t derived = 50'000 + 75'000 + 5'880 + 135'000 + 70'000 + 35'000 + 8'480 + 102'000 + 120'000 +
                                 2'139 + 135'000 + 80'000 + 60'000 + 60'000;
    CHECK(std::abs(static_cast<std::int64_t>(run.metric("programs.A.round_trip.min")) - 2 * derived) <= 4);
}

TEST_CASE("preset B: a fetched payload costs one host read more than an inline one") {
    const ChildResult inlined = run_text(one_at_a_time(true));
    const ChildResult fetched = run_text(one_at_a_time(false));
    // 0.39 us +- 0.08 (timing.md 6: 2 x 135 ns one way + 120 ns in the root complex, published 1.32 - 0.93 us).
    const auto difference = static_cast<std::int64_t>(fetched.metric("traffic.t.delivery.min")) -
                            static_cast<std::int64_t>(inlined.metric("traffic.t.delivery.min"));
    CHECK(difference >= 310'000);
    CHECK(difference <= 470'000);
}

}  // namespace ndsim::test::latency_test
