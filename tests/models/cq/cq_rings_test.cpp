// SPDX-License-Identifier: Apache-2.0
#include "models/cq/cq_rings.hpp"

#include "tests/support/catch.hpp"

namespace ndsim::test::rings_test {

constexpr CqNum kCq{2};
constexpr Address kRing{0x1000};
constexpr Address kOther{0x8000};

// One queue with a ring of 4 entries of 64 bytes, of which 3 may be unpolled.
CqRings rings_of_4() {
    CqRings rings;
    rings.create({kCq, kRing, 4, 3, 0});
    return rings;
}

void add(CqRings& rings, int count) {
    for (; count > 0; --count) {
        rings.add(kCq, Picoseconds{0});
    }
}

TEST_CASE("cq rings: places go round the ring, and the ownership bit changes with each turn") {
    CqRings rings = rings_of_4();
    CHECK(rings.is_at_beginning(kCq));
    CHECK(rings.next_place(kCq).to == kRing);
    CHECK(rings.next_place(kCq).owner);
    add(rings, 3);
    CHECK_FALSE(rings.is_at_beginning(kCq));
    CHECK(rings.next_place(kCq).to == kRing + 192);  // 3 x 64
    CHECK(rings.next_place(kCq).owner);
    add(rings, 1);
    CHECK(rings.is_at_beginning(kCq));
    CHECK(rings.next_place(kCq).to == kRing);
    CHECK_FALSE(rings.next_place(kCq).owner);
}

TEST_CASE("cq rings: a queue is full when as many are unpolled as its limit, and not before") {
    CqRings rings = rings_of_4();
    add(rings, 2);
    CHECK_FALSE(rings.is_full(kCq));
    add(rings, 1);
    CHECK(rings.is_full(kCq));
    rings.polled(kCq, 1, Picoseconds{0});
    CHECK(rings.unpolled(kCq) == 2);
    CHECK_FALSE(rings.is_full(kCq));
}

TEST_CASE("cq rings: a consumer index that comes behind a later one changes nothing") {
    CqRings rings = rings_of_4();
    add(rings, 3);
    rings.polled(kCq, 2, Picoseconds{0});
    rings.polled(kCq, 1, Picoseconds{0});
    CHECK(rings.unpolled(kCq) == 1);
}

TEST_CASE("cq rings: another ring begins at its first place, and completions are counted on") {
    CqRings rings = rings_of_4();
    add(rings, 3);
    rings.move({kCq, kOther, 8, 7, 0});
    CHECK(rings.is_at_beginning(kCq));
    CHECK(rings.next_place(kCq).to == kOther);
    CHECK(rings.next_place(kCq).owner);
    CHECK(rings.produced(kCq) == 3);
    CHECK(rings.unpolled(kCq) == 3);
    CHECK_FALSE(rings.is_full(kCq));
}

}  // namespace ndsim::test::rings_test
