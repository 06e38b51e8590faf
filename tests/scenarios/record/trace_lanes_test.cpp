// SPDX-License-Identifier: Apache-2.0
#include "sim/files/trace_lanes.hpp"

#include "tests/support/bench.hpp"
#include "tests/support/catch.hpp"

namespace ndsim::test::trace_lanes_test {

TEST_CASE("trace lanes: slices that overlap get rows of their own, each the first that is free") {
    TraceLanes lanes;
    CHECK(lanes.slice(0, {10_ps, 20_ps}) == 0);
    CHECK(lanes.slice(0, {19_ps, 30_ps}) == 1);  // a picosecond too early
    CHECK(lanes.slice(0, {20_ps, 40_ps}) == 0);  // just in time
    CHECK(lanes.slice(0, {25_ps, 26_ps}) == 2);
    CHECK(lanes.slice(0, {30_ps, 50_ps}) == 1);  // both of these rows are free
    CHECK(lanes.slice(0, {31_ps, 50_ps}) == 2);
}

TEST_CASE("trace lanes: what has begun keeps its row until it ends, and has its owner's slices in it") {
    TraceLanes lanes;
    CHECK(lanes.begin(5, 10_ps) == 0);
    CHECK(lanes.begin(6, 10_ps) == 1);
    CHECK(lanes.slice(5, {10_ps, 15_ps}) == 0);
    CHECK(lanes.slice(6, {11_ps, 12_ps}) == 1);
    CHECK(lanes.slice(7, {15_ps, 90_ps}) == 2);
    CHECK(lanes.end(5, 20_ps) == 0);
    CHECK(lanes.slice(8, {20_ps, 21_ps}) == 0);
    const auto open = lanes.open();
    REQUIRE(open.size() == 1);
    CHECK(open[0].owner == 6);
    CHECK(open[0].until == 12_ps);
}

TEST_CASE("trace lanes: an owner's slice is found until another one takes its row") {
    TraceLanes lanes;
    (void)lanes.slice(5, {10_ps, 20_ps});
    (void)lanes.slice(6, {10_ps, 20_ps});
    CHECK(lanes.of(5) == 0U);
    CHECK(lanes.of(6) == 1U);
    (void)lanes.slice(7, {20_ps, 30_ps});
    CHECK_FALSE(lanes.of(5).has_value());
    CHECK(lanes.of(6) == 1U);
    CHECK(lanes.of(7) == 0U);
}

}  // namespace ndsim::test::trace_lanes_test
