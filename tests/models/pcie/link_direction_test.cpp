// SPDX-License-Identifier: Apache-2.0
#include "models/pcie/link_direction.hpp"

#include "tests/support/bench.hpp"
#include "tests/support/catch.hpp"

namespace ndsim::test::link_direction_test {

// 100 ps a byte, grain 512 bytes: 51.2 ns.
LinkDirection direction() {
    return {ExactRate::of(100, 1), 512_B};
}

TEST_CASE("link direction: trains follow each other") {
    LinkDirection link = direction();
    const Interval first = link.bulk({10ns, 10ns}, 1000_B, 280_B);
    CHECK(first.start == 10ns);
    CHECK(first.end == 110ns);
    CHECK(link.bulk_free_at() == 110ns);
    const Interval second = link.bulk({110ns, 110ns}, 10_B, 10_B);
    CHECK(second.start == 110ns);
    CHECK(second.end == 111ns);
}

TEST_CASE("link direction: a train whose data is still coming starts so late that it never runs dry", "[formula]") {
    // 1000 B take 100 ns; the last TLP of 280 B is there at 300 ns and takes 28 ns: it may start at 300 + 28 - 100.
    LinkDirection link = direction();
    const Interval train = link.bulk({50ns, 300ns}, 1000_B, 280_B);
    CHECK(train.start == 228ns);
    CHECK(train.end == 328ns);
}

TEST_CASE("link direction: express goes at once into a gap, and trains wait behind it") {
    LinkDirection link = direction();
    const Interval express = link.express(5ns, 100_B);
    CHECK(express.start == 5ns);
    CHECK(express.end == 15ns);
    CHECK(link.bulk_free_at() == 15ns);
    CHECK(link.express(6ns, 100_B).start == 15ns);
}

TEST_CASE("link direction: express enters a train at the next boundary of the grain", "[limit]") {
    for (const auto& [at, boundary] : {std::pair{1_ps, 51'200_ps}, std::pair{51'199_ps, 51'200_ps},
                                       std::pair{51'200_ps, 51'200_ps}, std::pair{51'201_ps, 102'400_ps}}) {
        LinkDirection link = direction();
        (void)link.bulk({0ns, 0ns}, 4000_B, 280_B);
        INFO(at.count());
        CHECK(link.express(at, 88_B).start == boundary);
    }
}

TEST_CASE("link direction: a boundary lets one grain of express in") {
    LinkDirection link = direction();
    (void)link.bulk({0ns, 0ns}, 4000_B, 280_B);
    // 5 x 100 bytes fit into 512; the sixth takes the next boundary.
    for (int i = 0; i < 5; ++i) {
        CHECK(link.express(1ns, 100_B).start == 51'200_ps + i * 10ns);
    }
    CHECK(link.express(1ns, 100_B).start == 102'400_ps);
    CHECK(link.express(1ns, 100_B).start == 112'400_ps);
}

TEST_CASE("link direction: express too late for the last boundary goes behind the train") {
    LinkDirection link = direction();
    (void)link.bulk({0ns, 0ns}, 600_B, 280_B);  // until 60 ns; boundaries at 51.2 ns
    CHECK(link.express(52ns, 100_B).start == 60ns);
}

TEST_CASE("link direction: bytes are conserved, what follows a train starts later by what entered it") {
    LinkDirection link = direction();
    const Interval train = link.bulk({0ns, 0ns}, 4000_B, 280_B);
    (void)link.express(1ns, 100_B);
    (void)link.express(60ns, 50_B);
    CHECK(train.end == 400ns);
    CHECK(link.bulk_free_at() == 415ns);
    const Interval next = link.bulk({415ns, 415ns}, 10_B, 10_B);
    CHECK(next.start == 415ns);
}

TEST_CASE("link direction: express before a train that is still to begin goes at once") {
    LinkDirection link = direction();
    (void)link.bulk({100ns, 100ns}, 4000_B, 280_B);
    CHECK(link.express(10ns, 100_B).start == 10ns);
    CHECK(link.express(10ns, 100_B).start == 20ns);
}

TEST_CASE("link direction: express TLPs do not overlap, in a gap or inside a train") {
    LinkDirection link = direction();
    const Interval before = link.express(0ns, 100_B);
    (void)link.bulk({10ns, 10ns}, 4000_B, 280_B);
    Picoseconds last = before.end;
    for (int i = 0; i < 60; ++i) {
        const Interval express = link.express(5ns + i * 1ns, 90_B);
        INFO(i);
        CHECK(express.start >= last);
        CHECK(express.end - express.start == 9ns);
        last = express.end;
    }
}

}  // namespace ndsim::test::link_direction_test
