// SPDX-License-Identifier: Apache-2.0
#include "tests/models/protection/table_bench.hpp"

#include <string>
#include <string_view>

#include "tests/support/catch.hpp"

namespace ndsim::test::table_test {

using namespace ndsim::test::protection;

TEST_CASE("protection: an access needs a valid key, its domain, its range and its right [wire.md 7]") {
    Table t;
    const MrKey key{0x505};
    const Address base{0x1'0000};
    t.table.add({key, kPd, base, 1000, kLocalWrite});
    CHECK(t.allows(key, base, 1000, kLocalRead));
    CHECK(t.allows(key, base + 999, 1, kLocalWrite));
    CHECK_FALSE(t.allows(key, base, 1001, kLocalRead));
    CHECK_FALSE(t.allows(key, base + 999, 2, kLocalRead));
    CHECK_FALSE(t.allows(key, Address{raw(base) - 1}, 2, kLocalRead));
    CHECK_FALSE(t.allows(key, base + 10, UINT64_MAX - 5, kLocalRead));  // wraps
    CHECK_FALSE(t.allows(key, base, 1, kLocalRead, kOtherPd));
    CHECK_FALSE(t.allows(MrKey{0x506}, base, 1, kLocalRead));  // the whole key is compared
    CHECK_FALSE(t.allows(key, base, 1, kRemoteRead));
    CHECK_FALSE(t.allows(key, base, 1, kLocalWrite | kRemoteWrite));
    CHECK(t.allows(MrKey{0}, Address{}, 0, kRemoteWrite, kOtherPd));  // zero length: no check
    t.table.remove(key);
    CHECK_FALSE(t.allows(key, base, 1, kLocalRead));
    CHECK(statistic(t.table, "refused") == 9);
}

TEST_CASE("protection: peers call a region by its own base address, and its owner by that in host memory", "[K145]") {
    Table t;
    t.table.add({MrKey{0x600}, kPd, kBase, 1000, kLocalWrite | kRemoteRead | kRemoteWrite, kRemoteBase});
    REQUIRE(t.allows(MrKey{0x600}, kRemoteBase + 10, 20, kRemoteRead));
    REQUIRE(t.ranges.size() == 1);
    CHECK(t.ranges[0].at == kBase + 10);
    CHECK(t.ranges[0].length == 20);
    CHECK_FALSE(t.allows(MrKey{0x600}, kBase + 10, 20, kRemoteRead));
    CHECK_FALSE(t.allows(MrKey{0x600}, kRemoteBase + 10, 20, kLocalRead));
    CHECK(t.ranges.empty());
}

TEST_CASE("protection: a window opens a part of a region to a peer, with rights of its own", "[K129][K132][X39]") {
    Table t;
    CHECK_FALSE(t.allows(kWindow, kRemoteBase, 1, kRemoteRead));  // not bound yet
    REQUIRE(t.carry_out(Table::bind(kBound, 100, 50, kRemoteRead)) == WcStatus::success);
    // The region grants no remote right at all; the window does.
    REQUIRE(t.allows(kBound, kRemoteBase + 100, 50, kRemoteRead));
    REQUIRE(t.ranges.size() == 1);
    CHECK(t.ranges[0].at == kBase + 100);
    CHECK(t.ranges[0].length == 50);
    CHECK_FALSE(t.allows(kBound, kRemoteBase + 99, 1, kRemoteRead));
    CHECK_FALSE(t.allows(kBound, kRemoteBase + 149, 2, kRemoteRead));
    CHECK_FALSE(t.allows(kBound, kRemoteBase + 100, 1, kRemoteWrite));
    CHECK_FALSE(t.allows(kBound, kBase + 100, 1, kLocalRead));  // never for the owner's own lists
    CHECK_FALSE(t.allows(kBound, kRemoteBase + 100, 1, kRemoteRead, kOtherPd));
    CHECK_FALSE(t.allows(kBound, kRemoteBase + 100, 1, kRemoteRead, kPd, kQp2));  // one queue pair's
    CHECK_FALSE(t.allows(kWindow, kRemoteBase + 100, 1, kRemoteRead));            // the key from before
    CHECK_FALSE(t.allows(kRegion, kRemoteBase + 100, 1, kRemoteRead));
    CHECK(statistic(t.table, "binds") == 1);
}

TEST_CASE("protection: a Bind needs its domain, a range in a registered region, and local write for remote write",
          "[X44]") {
    Table t;
    const MrKey read_only{0x700};
    t.table.add({read_only, kPd, kBase, 1000, kLocalRead, kRemoteBase});
    CHECK(t.carry_out(Table::bind(kBound, 0, 1001, kRemoteRead)) == WcStatus::mw_bind);
    CHECK(t.carry_out(Table::bind(kBound, 1000, 1, kRemoteRead)) == WcStatus::mw_bind);
    CHECK(t.carry_out(Table::bind(kBound, 0, 0, kRemoteRead)) == WcStatus::mw_bind);
    CHECK(t.carry_out(Table::bind(kBound, 0, 10, kRemoteRead), kOtherPd) == WcStatus::mw_bind);
    CHECK(t.carry_out(Table::bind(MrKey{0x900}, 0, 10, kRemoteRead)) == WcStatus::mw_bind);  // no such window
    CHECK(t.carry_out(Table::bind(kFast, 0, 10, kRemoteRead)) == WcStatus::mw_bind);         // not a window
    KeyOperation operation = Table::bind(kBound, 0, 10, kRemoteRead);
    operation.parent = kFast;  // not of the kind that windows open
    CHECK(t.carry_out(operation) == WcStatus::mw_bind);
    operation = Table::bind(kBound, 0, 10, kRemoteWrite);
    operation.parent = read_only;
    CHECK(t.carry_out(operation) == WcStatus::mw_bind);
    operation.access = kRemoteRead;
    CHECK(t.carry_out(operation) == WcStatus::success);
    CHECK(t.carry_out(Table::bind(MrKey{0x402}, 0, 10, kRemoteWrite)) == WcStatus::invalidate_error);  // it is bound
}

TEST_CASE("protection: a window is bound again after its invalidation, and the old key stays dead", "[X42][K133]") {
    Table t;
    const MrKey second = next_key(kBound);
    REQUIRE(t.carry_out(Table::bind(kBound, 0, 10, kRemoteRead)) == WcStatus::success);
    CHECK(t.carry_out(Table::bind(second, 0, 10, kRemoteRead)) == WcStatus::invalidate_error);
    CHECK(t.allows(kBound, kRemoteBase, 10, kRemoteRead));  // what failed has changed nothing
    CHECK(t.carry_out(Table::invalidate(kBound)) == WcStatus::success);
    CHECK_FALSE(t.allows(kBound, kRemoteBase, 10, kRemoteRead));
    CHECK(t.carry_out(Table::bind(second, 20, 10, kRemoteWrite)) == WcStatus::success);
    CHECK_FALSE(t.allows(kBound, kRemoteBase + 20, 10, kRemoteWrite));
    CHECK(t.allows(second, kRemoteBase + 20, 10, kRemoteWrite));
    CHECK(t.carry_out(Table::invalidate(kBound)) == WcStatus::invalidate_error);  // not its key any more
    CHECK(statistic(t.table, "invalidates") == 1);
}

// The last of a window's 256 keys is followed by the first.
TEST_CASE("protection: a window has its keys one after the other, and a failed Bind none", "[X42]") {
    Table t;
    const MrKey last{raw(kBound) | 0xFFU};
    const MrKey first = next_key(last);
    REQUIRE(key_index(first) == key_index(kBound));
    REQUIRE(t.carry_out(Table::bind(MrKey{raw(last) - 1}, 0, 10, kRemoteRead)) == WcStatus::success);
    CHECK(t.table.state_of(MrKey{raw(last) - 1}) == WindowKey::bound);
    CHECK(t.table.state_of(last) == WindowKey::to_come);
    REQUIRE(t.carry_out(Table::bind(last, 0, 10, kRemoteRead)) == WcStatus::invalidate_error);
    CHECK(t.table.state_of(last) == WindowKey::to_come);
    REQUIRE(t.carry_out(Table::invalidate(MrKey{raw(last) - 1})) == WcStatus::success);
    CHECK(t.table.state_of(MrKey{raw(last) - 1}) == WindowKey::over);
    REQUIRE(t.carry_out(Table::bind(first, 0, 10, kRemoteRead)) == WcStatus::success);
    CHECK(t.table.state_of(last) == WindowKey::over);
    CHECK(t.table.state_of(first) == WindowKey::bound);
    t.table.remove(first);
    CHECK(t.table.state_of(first) == WindowKey::over);
}

TEST_CASE("protection: a window whose region is gone lets nobody in") {
    Table t;
    REQUIRE(t.carry_out(Table::bind(kBound, 0, 10, kRemoteRead)) == WcStatus::success);
    t.table.remove(kRegion);
    CHECK_FALSE(t.allows(kBound, kRemoteBase, 10, kRemoteRead));
    CHECK(t.ranges.empty());
    // Registered anew, under its next key, it is another region.
    t.table.add({next_key(kRegion), kPd, kBase, 1000, kLocalWrite, kRemoteBase});
    CHECK_FALSE(t.allows(kBound, kRemoteBase, 10, kRemoteRead));
    CHECK(t.carry_out(Table::invalidate(kBound)) == WcStatus::success);
}

TEST_CASE("protection: a fast-register region is its pages, called from its base address on", "[K116][K127][K128]") {
    Table t;
    const Address called{0xABCD'E800};                    // byte 0x800 of a page, as the first byte is
    CHECK_FALSE(t.allows(kFast, called, 1, kLocalRead));  // nothing registered yet
    // 2048 bytes of page 5, then pages 1 and 3: 6144 + 2048 = 8192 bytes of 10240 that there would be.
    const auto operation =
        Table::fast_register(called, 8192, 2048, {page(5), page(1), page(3)}, kLocalWrite | kRemoteRead);
    REQUIRE(t.carry_out(operation) == WcStatus::success);
    REQUIRE(t.allows(kFast, called, 8192, kLocalWrite));
    REQUIRE(t.ranges.size() == 3);
    CHECK(t.ranges[0].at == page(5) + 2048);
    CHECK(t.ranges[0].length == 2048);
    CHECK(t.ranges[1].at == page(1));
    CHECK(t.ranges[1].length == 4096);
    CHECK(t.ranges[2].at == page(3));
    CHECK(t.ranges[2].length == 2048);
    // 100 bytes that begin 96 before the end of page 1.
    REQUIRE(t.allows(kFast, called + (2048 + 4000), 100, kRemoteRead));
    REQUIRE(t.ranges.size() == 2);
    CHECK(t.ranges[0].at == page(1) + 4000);
    CHECK(t.ranges[0].length == 96);
    CHECK(t.ranges[1].at == page(3));
    CHECK(t.ranges[1].length == 4);
    CHECK_FALSE(t.allows(kFast, called, 8193, kLocalRead));
    CHECK_FALSE(t.allows(kFast, Address{raw(called) - 1}, 1, kLocalRead));
    CHECK_FALSE(t.allows(kFast, called, 1, kRemoteWrite));
    CHECK_FALSE(t.allows(kFast, called, 1, kLocalRead, kOtherPd));
    CHECK(t.allows(kFast, called, 1, kRemoteRead, kPd, kQp2));  // any queue pair of the domain

    CHECK(t.carry_out(operation) == WcStatus::invalidate_error);      // it is still valid
    CHECK(t.table.invalidate(kFast, kPd, kQp, InvalidatedBy::peer));  // by a message of the peer
    CHECK_FALSE(t.allows(kFast, called, 1, kLocalRead));
    CHECK(t.carry_out(operation) == WcStatus::success);  // at once, with the same key
    CHECK(t.allows(kFast, called, 1, kLocalRead));
    CHECK(statistic(t.table, "fast_registers") == 2);
}

TEST_CASE("protection: a FastRegister needs its key, its domain and pages for its length") {
    Table t;
    const auto operation = [](std::uint64_t length, std::uint32_t first_byte) {
        return Table::fast_register(Address{first_byte}, length, first_byte, {page(0), page(1)}, kLocalWrite);
    };
    CHECK(t.carry_out(operation(8192, 0), kOtherPd) == WcStatus::invalidate_error);
    KeyOperation other = operation(8192, 0);
    other.key = kRegion;
    CHECK(t.carry_out(other) == WcStatus::invalidate_error);
    other.key = next_key(kFast);
    CHECK(t.carry_out(other) == WcStatus::invalidate_error);
    CHECK(t.carry_out(operation(8193, 0)) == WcStatus::loc_qp_op);
    CHECK(t.carry_out(operation(8192, 1)) == WcStatus::loc_qp_op);
    CHECK(t.carry_out(operation(8191, 1)) == WcStatus::success);
}

TEST_CASE("protection: pages that are not mapped are refused when they are used") {
    Table t;
    // Page 8 is the first that is not there.
    REQUIRE(t.carry_out(Table::fast_register(Address{0}, 8192, 0, {page(7), page(8)}, kLocalWrite)) ==
            WcStatus::success);
    CHECK(t.allows(kFast, Address{0}, 4096, kLocalWrite));
    CHECK_FALSE(t.allows(kFast, Address{0}, 4097, kLocalWrite));
    CHECK(t.ranges.empty());
}

TEST_CASE("protection: who may invalidate what", "[K112][K133][X39][X43]") {
    Table t;
    CHECK_FALSE(t.table.invalidate(kRegion, kPd, kQp, InvalidatedBy::peer));
    CHECK_FALSE(t.table.invalidate(kPrivilegedKey, kPd, kQp, InvalidatedBy::peer));
    CHECK_FALSE(t.table.invalidate(MrKey{0}, kPd, kQp, InvalidatedBy::peer));
    CHECK_FALSE(t.table.invalidate(kWindow, kPd, kQp, InvalidatedBy::peer));  // free
    CHECK_FALSE(t.table.invalidate(kFast, kPd, kQp, InvalidatedBy::peer));    // free
    REQUIRE(t.carry_out(Table::bind(kBound, 0, 10, kRemoteRead)) == WcStatus::success);
    CHECK_FALSE(t.table.invalidate(kBound, kPd, kQp2, InvalidatedBy::peer));  // another queue pair's window
    CHECK_FALSE(t.table.invalidate(kBound, kOtherPd, kQp, InvalidatedBy::peer));
    CHECK(t.table.invalidate(kBound, kPd, kQp, InvalidatedBy::peer));
    // Whoever comes second, by message or by request, fails.
    CHECK_FALSE(t.table.invalidate(kBound, kPd, kQp, InvalidatedBy::peer));
    CHECK(t.carry_out(Table::invalidate(kBound)) == WcStatus::invalidate_error);
    CHECK(t.allows(kRegion, kBase, 1000, kLocalWrite));  // the region does not notice
    CHECK(statistic(t.table, "invalidates") == 1);
}

TEST_CASE("protection: the privileged key reaches all that is mapped, but not for a peer", "[K118][K119]") {
    Table t;
    REQUIRE(t.allows(kPrivilegedKey, page(2) + 7, 100, kLocalWrite));
    REQUIRE(t.ranges.size() == 1);
    CHECK(t.ranges[0].at == page(2) + 7);
    CHECK(t.ranges[0].length == 100);
    CHECK(t.allows(kPrivilegedKey, page(2), 1, kLocalRead, kOtherPd));
    CHECK_FALSE(t.allows(kPrivilegedKey, page(2), 1, kRemoteRead));
    CHECK_FALSE(t.allows(kPrivilegedKey, page(2), 1, kRemoteWrite));
    CHECK_FALSE(t.allows(kPrivilegedKey, page(8), 1, kLocalRead));
    CHECK_FALSE(t.allows(kPrivilegedKey, page(7) + 4095, 2, kLocalRead));
}

TEST_CASE("protection: probes show the key that changed last and its change, and count refusals") {
    Table t;
    const auto shown = [&t](std::string_view name) -> std::string {
        for (const ProbeBase* const probe : t.table.probes()) {
            if (probe->name() == name) {
                return probe->states().empty() ? std::to_string(probe->shown())
                                               : std::string(probe->states()[probe->shown()]);
            }
        }
        return "no such probe";
    };
    CHECK(shown("key") == "1024");  // 0x400, the window
    CHECK(shown("change") == "created");
    t.table.add({MrKey{0x500}, kPd, kBase, 1000, kLocalWrite});
    CHECK(shown("key") == "1280");
    CHECK(shown("change") == "registered");
    REQUIRE(t.carry_out(Table::bind(kBound, 0, 50, kRemoteRead)) == WcStatus::success);
    CHECK(shown("key") == "1025");
    CHECK(shown("change") == "bound");
    CHECK(t.carry_out(Table::invalidate(kFast)) == WcStatus::invalidate_error);  // it is free: nothing changes
    CHECK(shown("key") == "1025");
    REQUIRE(t.carry_out(Table::invalidate(kBound)) == WcStatus::success);
    CHECK(shown("change") == "invalidated");
    const KeyOperation fast = Table::fast_register(Address{}, 100, 0, {page(0)}, kRemoteRead);
    REQUIRE(t.carry_out(fast) == WcStatus::success);
    CHECK(shown("key") == "768");
    CHECK(shown("change") == "fast_registered");
    CHECK(shown("refused") == "0");
    REQUIRE(t.table.invalidate(kFast, kPd, kQp, InvalidatedBy::peer));
    CHECK(shown("change") == "invalidated_by_peer");
    CHECK_FALSE(t.allows(kFast, Address{}, 100, kRemoteRead));
    CHECK(shown("refused") == "1");
    REQUIRE(t.carry_out(fast) == WcStatus::success);
    REQUIRE(t.table.invalidate(kFast, kPd, kQp, InvalidatedBy::read));
    CHECK(shown("change") == "invalidated_by_read");
    t.table.remove(MrKey{0x500});
    CHECK(shown("key") == "1280");
    CHECK(shown("change") == "removed");
}

}  // namespace ndsim::test::table_test
