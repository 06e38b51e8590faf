// SPDX-License-Identifier: Apache-2.0

#include "tests/models/protection/table_bench.hpp"
#include "tests/support/catch.hpp"

// What a window or a fast-register region is when it is opened again: all of it is the last opening's.
namespace ndsim::test::rebind_test {

using namespace ndsim::test::protection;

constexpr MrKey kAgain = next_key(kBound);

// A table whose window has been bound, used, invalidated, and bound again.
struct Rebound : Table {
    Rebound(const KeyOperation& first, const KeyOperation& second, QpNum second_qp = kQp) {
        REQUIRE(carry_out(first) == WcStatus::success);
        // The table remembers whom it was asked for last.
        REQUIRE(allows(first.key, remote(first), first.length, first.access));
        REQUIRE(carry_out(invalidate(first.key)) == WcStatus::success);
        REQUIRE_FALSE(allows(first.key, remote(first), first.length, first.access));
        REQUIRE(carry_out(second, kPd, second_qp) == WcStatus::success);
    }
    static Address remote(const KeyOperation& bind) { return kRemoteBase + (raw(bind.address) - raw(kBase)); }
};

TEST_CASE("protection: a window to write that is bound again to be read can be read alone", "[X42][K129][K132]") {
    Rebound t(Table::bind(kBound, 0, 10, kRemoteWrite), Table::bind(kAgain, 0, 10, kRemoteRead));
    CHECK(t.allows(kAgain, kRemoteBase, 10, kRemoteRead));
    CHECK_FALSE(t.allows(kAgain, kRemoteBase, 10, kRemoteWrite));
}

TEST_CASE("protection: a window to read that is bound again to be written can be written alone", "[X42][K129][K132]") {
    Rebound t(Table::bind(kBound, 0, 10, kRemoteRead), Table::bind(kAgain, 0, 10, kRemoteWrite));
    CHECK(t.allows(kAgain, kRemoteBase, 10, kRemoteWrite));
    CHECK_FALSE(t.allows(kAgain, kRemoteBase, 10, kRemoteRead));
}

TEST_CASE("protection: a window that is bound again without rights has none", "[X42][K132]") {
    Rebound t(Table::bind(kBound, 0, 10, kRemoteRead | kRemoteWrite), Table::bind(kAgain, 0, 10, 0));
    CHECK_FALSE(t.allows(kAgain, kRemoteBase, 1, kRemoteRead));
    CHECK_FALSE(t.allows(kAgain, kRemoteBase, 1, kRemoteWrite));
}

// Bytes 100 to 149, then 120 to 129, which are a part of those.
TEST_CASE("protection: a window that is bound again to less opens no more than that", "[X42][K132]") {
    Rebound t(Table::bind(kBound, 100, 50, kRemoteRead), Table::bind(kAgain, 120, 10, kRemoteRead));
    REQUIRE(t.allows(kAgain, kRemoteBase + 120, 10, kRemoteRead));
    REQUIRE(t.ranges.size() == 1);
    CHECK(t.ranges[0].at == kBase + 120);
    CHECK(t.ranges[0].length == 10);
    CHECK_FALSE(t.allows(kAgain, kRemoteBase + 119, 1, kRemoteRead));
    CHECK_FALSE(t.allows(kAgain, kRemoteBase + 129, 2, kRemoteRead));
    CHECK_FALSE(t.allows(kAgain, kRemoteBase + 100, 1, kRemoteRead));
}

// Bytes 120 to 129, then 100 to 149.
TEST_CASE("protection: a window that is bound again to more opens all of that", "[X42][K132]") {
    Rebound t(Table::bind(kBound, 120, 10, kRemoteRead), Table::bind(kAgain, 100, 50, kRemoteRead));
    REQUIRE(t.allows(kAgain, kRemoteBase + 100, 50, kRemoteRead));
    REQUIRE(t.ranges.size() == 1);
    CHECK(t.ranges[0].at == kBase + 100);
    CHECK(t.ranges[0].length == 50);
    CHECK_FALSE(t.allows(kAgain, kRemoteBase + 99, 1, kRemoteRead));
    CHECK_FALSE(t.allows(kAgain, kRemoteBase + 149, 2, kRemoteRead));
}

TEST_CASE("protection: a window that is bound again opens the region of that Bind", "[X42][R37]") {
    Table t;
    const MrKey other{0x600};
    constexpr Address kOtherBase{0x5'0000};
    constexpr Address kOtherRemote{0x9000'0000};
    t.table.add({other, kPd, kOtherBase, 1000, kLocalWrite, kOtherRemote});
    REQUIRE(t.carry_out(Table::bind(kBound, 0, 10, kRemoteRead)) == WcStatus::success);
    REQUIRE(t.carry_out(Table::invalidate(kBound)) == WcStatus::success);
    KeyOperation second = Table::bind(kAgain, 0, 10, kRemoteRead);
    second.parent = other;
    second.address = kOtherBase;
    REQUIRE(t.carry_out(second) == WcStatus::success);
    REQUIRE(t.allows(kAgain, kOtherRemote, 10, kRemoteRead));
    REQUIRE(t.ranges.size() == 1);
    CHECK(t.ranges[0].at == kOtherBase);
    CHECK_FALSE(t.allows(kAgain, kRemoteBase, 10, kRemoteRead));
    t.table.remove(kRegion);  // which it has left
    CHECK(t.allows(kAgain, kOtherRemote, 10, kRemoteRead));
    t.table.remove(other);
    CHECK_FALSE(t.allows(kAgain, kOtherRemote, 10, kRemoteRead));
}

TEST_CASE("protection: a window that is bound again has the key of that Bind alone", "[X42][K129][K133]") {
    Rebound t(Table::bind(kBound, 0, 10, kRemoteRead), Table::bind(kAgain, 0, 10, kRemoteRead));
    CHECK(t.allows(kAgain, kRemoteBase, 10, kRemoteRead));
    CHECK_FALSE(t.allows(kBound, kRemoteBase, 10, kRemoteRead));
    CHECK_FALSE(t.allows(kWindow, kRemoteBase, 10, kRemoteRead));
    CHECK(t.carry_out(Table::invalidate(kBound)) == WcStatus::invalidate_error);
    CHECK(t.allows(kAgain, kRemoteBase, 10, kRemoteRead));
}

TEST_CASE("protection: a window that is bound again is the queue pair's of that Bind", "[X39][X42][R115]") {
    Rebound t(Table::bind(kBound, 0, 10, kRemoteRead), Table::bind(kAgain, 0, 10, kRemoteRead), kQp2);
    CHECK(t.allows(kAgain, kRemoteBase, 10, kRemoteRead, kPd, kQp2));
    CHECK_FALSE(t.allows(kAgain, kRemoteBase, 10, kRemoteRead, kPd, kQp));
    CHECK_FALSE(t.table.invalidate(kAgain, kPd, kQp, InvalidatedBy::peer));
    CHECK(t.table.invalidate(kAgain, kPd, kQp2, InvalidatedBy::peer));
}

TEST_CASE("protection: a Bind of a window that is bound changes none of its rights, range, key and queue pair",
          "[X42]") {
    Table t;
    REQUIRE(t.carry_out(Table::bind(kBound, 100, 50, kRemoteWrite)) == WcStatus::success);
    CHECK(t.carry_out(Table::bind(kAgain, 0, 200, kRemoteRead), kPd, kQp2) == WcStatus::invalidate_error);
    CHECK(t.allows(kBound, kRemoteBase + 100, 50, kRemoteWrite));
    CHECK_FALSE(t.allows(kBound, kRemoteBase + 100, 50, kRemoteRead));
    CHECK_FALSE(t.allows(kBound, kRemoteBase + 99, 1, kRemoteWrite));
    CHECK_FALSE(t.allows(kBound, kRemoteBase + 100, 50, kRemoteWrite, kPd, kQp2));
    CHECK_FALSE(t.allows(kAgain, kRemoteBase + 100, 50, kRemoteRead, kPd, kQp2));
    CHECK_FALSE(t.allows(kAgain, kRemoteBase + 100, 50, kRemoteWrite));
}

TEST_CASE("protection: a Bind that fails leaves a window that is free as it was", "[X42][X44]") {
    Table t;
    REQUIRE(t.carry_out(Table::bind(kBound, 0, 10, kRemoteWrite)) == WcStatus::success);
    REQUIRE(t.carry_out(Table::invalidate(kBound)) == WcStatus::success);
    CHECK(t.carry_out(Table::bind(kAgain, 995, 10, kRemoteRead)) == WcStatus::mw_bind);  // the region has 1000 bytes
    CHECK_FALSE(t.allows(kAgain, kRemoteBase, 10, kRemoteWrite));
    CHECK_FALSE(t.allows(kAgain, kRemoteBase + 995, 5, kRemoteRead));
    CHECK_FALSE(t.allows(kBound, kRemoteBase, 10, kRemoteWrite));
}

// 4096 bytes from byte 100 of page 1 on, to be written by peers; then 1000 bytes from byte 200 of page 5 on, to be
// read by them, under another address. The key is the same.
TEST_CASE("protection: a fast-register region that is registered again is what that says, and no more",
          "[K116][K127][K132]") {
    Table t;
    const Address before{0x1'0064};
    const Address now{0x5'00C8};
    REQUIRE(t.carry_out(Table::fast_register(before, 4096, 100, {page(1), page(2)}, kLocalWrite | kRemoteWrite)) ==
            WcStatus::success);
    REQUIRE(t.allows(kFast, before, 4096, kRemoteWrite));
    REQUIRE(t.carry_out(Table::invalidate(kFast)) == WcStatus::success);
    REQUIRE(t.carry_out(Table::fast_register(now, 1000, 200, {page(5)}, kRemoteRead)) == WcStatus::success);
    REQUIRE(t.allows(kFast, now, 1000, kRemoteRead));
    REQUIRE(t.ranges.size() == 1);
    CHECK(t.ranges[0].at == page(5) + 200);
    CHECK(t.ranges[0].length == 1000);
    CHECK(t.allows(kFast, now, 1000, kLocalRead));  // its owner calls it the same
    CHECK_FALSE(t.allows(kFast, now, 1, kRemoteWrite));
    CHECK_FALSE(t.allows(kFast, now, 1, kLocalWrite));
    CHECK_FALSE(t.allows(kFast, now, 1001, kRemoteRead));
    CHECK_FALSE(t.allows(kFast, before, 1, kRemoteRead));
    CHECK_FALSE(t.allows(kFast, before, 1, kLocalRead));
}

// A region under the number of one that is gone: the key differs in its other part.
TEST_CASE("protection: a region that takes the place of another has nothing of it", "[K132]") {
    Table t;
    t.table.add({MrKey{0x600}, kPd, kBase, 1000, kLocalWrite | kRemoteWrite, kRemoteBase});
    REQUIRE(t.allows(MrKey{0x600}, kRemoteBase, 1000, kRemoteWrite));
    t.table.remove(MrKey{0x600});
    const MrKey again = next_key(MrKey{0x600});
    t.table.add({again, kPd, kBase + 100, 50, kRemoteRead, kRemoteBase + 100});
    CHECK(t.allows(again, kRemoteBase + 100, 50, kRemoteRead));
    CHECK_FALSE(t.allows(again, kRemoteBase + 100, 1, kRemoteWrite));
    CHECK_FALSE(t.allows(again, kBase + 100, 1, kLocalWrite));
    CHECK_FALSE(t.allows(again, kRemoteBase, 1, kRemoteRead));
    CHECK_FALSE(t.allows(again, kRemoteBase + 100, 51, kRemoteRead));
    CHECK_FALSE(t.allows(MrKey{0x600}, kRemoteBase, 1, kRemoteWrite));
}

}  // namespace ndsim::test::rebind_test
