// SPDX-License-Identifier: Apache-2.0
// Ladder diagrams: which packets make a message, which messages are shown, where times stand.
#include <set>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tools/report/ladder.hpp"
#include "tools/report/ladder_scale.hpp"

namespace ndsim::report::ladder_test {

using namespace std::chrono_literals;

const std::set<std::string> kHosts{"A", "B"};

// On the lane for a nanosecond, and 100 ns later at the other end.
LadderPacket packet(const std::string& opcode, std::uint64_t psn, Picoseconds begin, const std::string& from = "A") {
    return {opcode, "", from, from == "A" ? "B" : "A", "A.1", "0x11 0x12", psn, 100, begin, begin + 101ns, false};
}

LadderMessage message(Picoseconds begin, Rung rung = Rung::data) {
    LadderMessage made;
    made.rung = rung;
    made.from = "A";
    made.to = "B";
    made.begin = made.last_begin = begin;
    made.first_end = made.end = begin + 100ns;
    return made;
}

std::vector<LadderMessage> messages(std::size_t count) {
    std::vector<LadderMessage> made;
    for (std::size_t i = 0; i < count; ++i) {
        made.push_back(message(Picoseconds{static_cast<std::int64_t>(i) * 1000}));
    }
    return made;
}

TEST_CASE("report: packets of a message make one rung, from its first to its last") {
    const auto made = messages_of(
        {packet("SEND_FIRST", 5, 10ns), packet("SEND_MIDDLE", 6, 20ns), packet("SEND_LAST", 7, 30ns)}, kHosts);
    REQUIRE(made.size() == 1);
    CHECK(made[0].name == "Send");
    CHECK(made[0].packets == 3);
    CHECK(made[0].bytes == 300);
    CHECK(made[0].begin == 10ns);
    CHECK(made[0].last_begin == 30ns);
    CHECK(made[0].first_end == 111ns);
    CHECK(made[0].end == 131ns);
    CHECK_FALSE(made[0].again);
}

TEST_CASE("report: acknowledgements between its packets do not cut a message") {
    LadderPacket ack = packet("ACK", 5, 15ns, "B");
    ack.request = "";
    const auto made = messages_of({packet("SEND_FIRST", 5, 10ns), ack, packet("SEND_LAST", 6, 20ns)}, kHosts);
    REQUIRE(made.size() == 2);
    CHECK(made[0].packets == 2);
    CHECK(made[1].rung == Rung::acknowledgement);
}

TEST_CASE("report: a Send that invalidates, an RNR NAK and other NAKs are called so") {
    LadderPacket rnr = packet("ACK", 5, 200ns, "B");
    rnr.says = "rnr_nak";
    LadderPacket refused = packet("ACK", 5, 300ns, "B");
    refused.says = "nak_remote_access";
    LadderPacket last = packet("SEND_LAST_INV", 6, 20ns);  // only the last packet names the key
    last.invalidates = "0x1000401";
    const auto made = messages_of({packet("SEND_FIRST", 5, 10ns), last, rnr, refused}, kHosts);
    REQUIRE(made.size() == 3);
    CHECK(made[0].rung == Rung::invalidate);
    CHECK(made[0].name == "SendAndInvalidate");
    CHECK(made[0].invalidates == "0x1000401");
    CHECK(made[1].rung == Rung::rnr_nak);
    CHECK(made[1].name == "RNR NAK");
    CHECK(made[2].name == "NAK: remote_access");
}

TEST_CASE("report: what is sent again is a rung of its own, also if PSNs have begun again") {
    const auto made = messages_of({packet("SEND_ONLY", 0xFFFFFF, 10ns), packet("SEND_ONLY", 0, 20ns),
                                   packet("SEND_ONLY", 0xFFFFFF, 500ns), packet("SEND_ONLY", 0, 510ns)},
                                  kHosts);
    REQUIRE(made.size() == 4);
    CHECK_FALSE(made[0].again);
    CHECK_FALSE(made[1].again);  // 0 comes after 0xFFFFFF
    CHECK(made[2].again);
    CHECK(made[3].again);
}

TEST_CASE("report: a lost packet is a rung of its own, as is one that a switch has dropped") {
    LadderPacket lost = packet("SEND_MIDDLE", 6, 20ns);
    lost.lost = true;
    const auto made = messages_of({packet("SEND_FIRST", 5, 10ns), lost, packet("SEND_LAST", 7, 30ns)}, kHosts);
    REQUIRE(made.size() == 3);
    CHECK(made[1].lost);
    CHECK(made[1].packets == 1);
    CHECK_FALSE(made[2].lost);
    LadderPacket dropped = packet("SEND_ONLY", 8, 40ns);
    dropped.to = "s0";
    CHECK(messages_of({dropped}, kHosts).at(0).lost);
}

TEST_CASE("report: the ladder shows the first messages, unless what is notable comes later") {
    std::vector<LadderMessage> all = messages(100);
    CHECK(choose(all, {}, {20, {}}).first == 0);
    CHECK(choose(all, {}, {20, {}}).last == 20);
    all[10].rung = Rung::rnr_nak;  // with 20 messages, 5 behind it are still shown
    CHECK(choose(all, {}, {20, {}}).first == 0);
    all[10].rung = Rung::data;
    all[50].rung = Rung::invalidate;  // a quarter of 20 before it
    CHECK(choose(all, {}, {20, {}}).first == 45);
    CHECK(choose(all, {}, {20, {}}).last == 65);
    all[50].rung = Rung::data;
    all[99].lost = true;
    CHECK(choose(all, {}, {20, {}}).first == 80);
    CHECK(choose(all, {{"A", "fence", "A.1", 40ns, 60ns}}, {20, {}}).first == 35);  // message 40 begins at 40 ns
}

TEST_CASE("report: a ladder of fewer messages than are asked for has all, and --from chooses its first") {
    const std::vector<LadderMessage> all = messages(10);
    CHECK(choose(all, {}, {20, {}}).last == 10);
    CHECK(choose(all, {}, {4, 7ns}).first == 7);
    CHECK(choose(all, {}, {4, 7ns}).last == 10);
    CHECK(choose(all, {}, {4, 11ns}).first == choose(all, {}, {4, 11ns}).last);
}

TEST_CASE("report: on a ladder's scale times keep their order and their room, and long ones are shortened") {
    std::vector<LadderMoment> moments;
    for (int i = 0; i < 10; ++i) {
        moments.push_back({i * 10ns, 16});
    }
    moments.push_back({1ms, 16});
    const LadderScale scale(moments, 50);
    CHECK(scale.y(0ns) == 50);
    CHECK(scale.y(10ns) - scale.y(0ns) >= 16);
    CHECK(scale.y(5ns) == Catch::Approx((scale.y(0ns) + scale.y(10ns)) / 2));
    CHECK(scale.y(1ms) > scale.y(90ns));
    CHECK(scale.y(1ms) - scale.y(90ns) < 100);
    CHECK(scale.y(2ms) == scale.bottom());
    REQUIRE(scale.pauses().size() == 1);
    CHECK(scale.pauses()[0].time == 1ms - 90ns);
}

}  // namespace ndsim::report::ladder_test
