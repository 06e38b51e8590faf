// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "tests/scenarios/forecast/support.hpp"

// Generators: windows, receives, completion queues and time.

namespace ndsim::test::generators_test {

std::string traffic(const std::string& generator, const std::string& members = "", const std::string& nic = "",
                    const std::string& size = "64 B") {
    return R"({"hosts": {"A": {"nic": {)" + nic + R"(}}, "B": {"nic": {)" + nic + R"(}}}, )" + members +
           R"("traffic": {"t": {"from": "A", "to": "B", "size": ")" + size + "\", " + generator + "}}}";
}

// Sixteen messages may be on their way when no receive has been posted again: four find one.
TEST_CASE("forecast: a window beyond the peer's receives may meet none, unless there are credits") {
    const Foreseen found = only(foreseen_of(traffic(R"("count": 100, "window": 16, "receives": 4, "credits": false)")));
    CHECK(found.certainty == Certainty::may);
    CHECK(found.kind == ForeseenKind::fails);
    CHECK(found.path == "traffic.t");
    CHECK(found.queue == "A.q0");
    CHECK(found.statuses == std::vector<std::string>{"io_timeout"});
    CHECK(found.what.find("message 5 may fail") != std::string::npos);
    check_nothing(foreseen_of(traffic(R"("count": 100, "window": 16, "receives": 16, "credits": false)")));
    check_nothing(foreseen_of(traffic(R"("count": 10, "window": 16, "receives": 10, "credits": false)")));
    check_nothing(foreseen_of(traffic(R"("count": 100, "window": 16, "receives": 4, "credits": true)")));
}

// Of a batch of 16 receives, 15 may have been taken and wait for the last one: 16 + 15 are enough for 16 messages. A
// batch of all receives there are leaves one for the next message.
TEST_CASE("forecast: receives that wait for the rest of their batch are not there") {
    const auto posted = [](int receives, int window) {
        return foreseen_of(traffic(R"("count": 100, "credits": false, "repost_batch": 16, "window": )" +
                                   std::to_string(window) + R"(, "receives": )" + std::to_string(receives)));
    };
    const Foreseen found = only(posted(30, 16));
    CHECK(found.certainty == Certainty::may);
    CHECK(found.what.find("30 receives are posted ahead and up to 15 of them wait") != std::string::npos);
    CHECK(found.advice.find("to 31,") != std::string::npos);
    check_nothing(posted(31, 16));
    CHECK(only(posted(8, 2)).what.find("up to 7 of them") != std::string::npos);
    check_nothing(posted(8, 1));
}

// Each outstanding message may have a completion at A, and each receive that is posted one at B.
TEST_CASE("forecast: a completion queue smaller than what a generator has outstanding may overrun") {
    const std::string generator = R"("count": 100, "window": 16, "receives": 16)";
    const Forecast forecast = foresee(load_scenario("draft.json", traffic(generator, "", R"("cq": {"depth": 15})")));
    REQUIRE(forecast.foreseen.size() == 2);
    for (const Foreseen& one : forecast.foreseen) {
        CHECK(one.certainty == Certainty::may);
        CHECK(one.kind == ForeseenKind::overruns);
    }
    check_nothing(foreseen_of(traffic(generator, "", R"("cq": {"depth": 16})")));
}

// A message every 20 us: the last of 100 is wanted after 99 of these, 1980 us.
TEST_CASE("forecast: messages that are wanted after limits.time end the run") {
    const std::string generator = R"("count": 100, "window": 4, "arrivals": "fixed", "interval": "20 us")";
    const Foreseen found = only(foreseen_of(traffic(generator, R"("limits": {"time": "1979 us"}, )")));
    CHECK(found.certainty == Certainty::will);
    CHECK(found.kind == ForeseenKind::limit);
    check_nothing(foreseen_of(traffic(generator, R"("limits": {"time": "2100 us"}, )")));
}

// 1000 payloads of 64 B are 512,000 bits: at 1 Gbps 512 us.
TEST_CASE("forecast: payload that does not fit on the wire before limits.time ends the run") {
    const std::string members =
        R"("links": {"l0": {"between": ["A", "B"], "rate": "1 Gbps"}}, "limits": {"time": "500 us"}, )";
    const Foreseen found = only(foreseen_of(traffic(R"("count": 1000, "window": 8)", members)));
    CHECK(found.certainty == Certainty::will);
    CHECK(found.kind == ForeseenKind::limit);
}

// 512,000 bits at 10 Mbps take 51.2 ms. The slowest cable of the way counts, and a slow one elsewhere does not.
TEST_CASE("forecast: payload that does not fit on a cable between switches ends the run") {
    const auto through = [](const std::string& to) {
        return R"({"hosts": {"A": {}, "B": {}, "C": {}}, "switches": {"s": {}, "t": {}}, "limits": {"time": "10 ms"},
            "links": {"a": {"between": ["A", "s"]}, "c": {"between": ["C", "s"]}, "b": {"between": ["B", "t"]},
                      "x": {"between": ["s", "t"], "rate": "10 Mbps"}},
            "traffic": {"t": {"from": "A", "to": ")" +
               to + R"(", "size": "64 B", "count": 1000, "window": 8}}})";
    };
    const Foreseen found = only(foreseen_of(through("B")));
    CHECK(found.certainty == Certainty::will);
    CHECK(found.kind == ForeseenKind::limit);
    check_nothing(foreseen_of(through("C")));
}

// 300 payloads of 64 KiB are 157 Mbit: at 100 Gbps 1.57 ms. A connection that fails before ends the run, and the limit
// does not.
TEST_CASE("forecast: limits.time only may end the run if a connection may fail before") {
    const std::string a_ms = R"("limits": {"time": "1 ms"}, )";
    const std::string many = R"("count": 300, "window": 4)";
    const auto sent = [&](const std::string& more, const std::string& members = "", const std::string& nic = "") {
        return traffic(many + more, a_ms + members, nic, "64 KiB");
    };
    const auto limit_in = [](const std::string& text) {
        const Forecast forecast = foresee(load_scenario("draft.json", text));
        const auto found = std::ranges::find(forecast.foreseen, ForeseenKind::limit, &Foreseen::kind);
        REQUIRE(found != forecast.foreseen.end());
        const bool is_sure = found->certainty == Certainty::will;
        CHECK(found->what.starts_with(is_sure ? "limits.time will end" : "limits.time may end"));
        CHECK(found->what.ends_with("its connection may fail before") == !is_sure);
        CHECK((forecast.end == SureEnd::limit) == is_sure);
        return found->certainty;
    };
    CHECK(limit_in(sent("")) == Certainty::will);
    CHECK(limit_in(sent(R"(, "credits": false, "receives": 1)")) == Certainty::may);
    CHECK(limit_in(sent("", "", R"("cq": {"depth": 3})")) == Certainty::may);
    CHECK(limit_in(sent("", R"("faults": [{"drop": "A", "packet": 1}], )")) == Certainty::may);
    // Four messages of 64 KiB outstanding are 256 KiB, and up to 513 KiB with the headers of small packets.
    const auto through = [&](const std::string& room) { return sent("", R"("switches": {"s": {)" + room + "}}, "); };
    CHECK(limit_in(through(R"("buffer": "513 KiB")")) == Certainty::will);
    CHECK(limit_in(through(R"("buffer": "512 KiB")")) == Certainty::may);
    CHECK(limit_in(through(R"("port_buffer": "512 KiB")")) == Certainty::may);
    CHECK(limit_in(through(R"("buffer": "512 KiB", "pause": true)")) == Certainty::will);
}

// At most 8 at a time for 270 ns there and back are 1000 / 8 x 270 ns = 33.75 us; one issue every 100 ns is 99.9 us;
// and 4 MB need 4,096,000 B x 66 ps/B = 270 us on PCIe 3.0 x16, whose 126 Gbps less 5 % are 66.8 ps/B.
TEST_CASE("forecast: limits.time ends transfers of DMA that cannot be done before") {
    const auto limit_of = [](const std::string& limit, const std::string& members) {
        return foreseen_of(R"({"hosts": {"A": {}}, "limits": {"time": ")" + limit + R"("},
            "dma": {"r": {"host": "A", "count": 1000, )" +
                           members + "}}}");
    };
    const Foreseen turns = only(limit_of("33 us", R"("in_flight": 8)"));
    CHECK(turns.certainty == Certainty::will);
    CHECK(turns.path == "dma.r");
    CHECK(turns.what == "limits.time will end the run: 1000 transfers take at least 33.75 us, and the limit is 33 us");
    CHECK(only(limit_of("99 us", R"("in_flight": 4096, "issue": "100 ns")")).kind == ForeseenKind::limit);
    CHECK(only(limit_of("270 us", R"("in_flight": 4096, "size": "4 KiB")")).kind == ForeseenKind::limit);
    check_nothing(limit_of("1 ms", R"("in_flight": 64, "issue": "100 ns", "size": "4 KiB")"));
}

}  // namespace ndsim::test::generators_test
