// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <set>

#include "tests/scenarios/record/trace_support.hpp"
#include "tests/support/bench.hpp"
#include "tests/support/child.hpp"

namespace ndsim::test::timeline_test {

using Strings = std::vector<std::string>;

std::vector<ReadEvent> timeline_of(const std::string& text, std::vector<std::string> overrides = {}) {
    RunOptions options;
    options.folder = temporary_folder();
    overrides.emplace_back("outputs.timeline=true");
    const ChildResult run = run_text(text, overrides, options);
    INFO(run.why);
    REQUIRE(run.ended);
    return read_trace(file_text(options.folder + "/timeline.json"));
}

// A sends one message of 5000 bytes to B: two packets.
std::string one_message(const std::string& more = {}) {
    return R"({"hosts": {"A": {}, "B": {}}, "traffic": {"t": {"from": "A", "to": "B", "size": "5000 B", "count": 1}})" +
           more + "}";
}

// Those that belong to a request.
std::vector<ReadEvent> of_requests(std::vector<ReadEvent> slices) {
    std::erase_if(slices, [](const ReadEvent& slice) { return !slice.args.contains("request"); });
    return slices;
}

TEST_CASE("timeline: a packet is on the lane for the time of its bytes, flies, and goes through the receiver") {
    const auto events = timeline_of(one_message(), {"nic.rx_pipe=150 ns", "link.rate=100 Gbps"});
    const auto lane = of_requests(slices_in(events, "l0_A_to_B"));
    const auto flight = of_requests(slices_in(events, "l0_A_to_B.flight"));
    const auto received = of_requests(slices_in(events, "B.nic.rx"));
    REQUIRE(lane.size() == 2);
    REQUIRE(flight.size() == 2);
    REQUIRE(received.size() == 2);
    CHECK(lane[0].name == "SEND_FIRST");
    CHECK(lane[1].name == "SEND_LAST");
    // 80 ps for a byte at 100 Gb/s. 4096 + 82 of overhead; the other 904 + 82.
    CHECK(lane[0].args.at("wire_bytes") == 4178);
    CHECK(lane[0].end - lane[0].start == 4178 * 80_ps);
    CHECK(lane[1].args.at("wire_bytes") == 986);
    CHECK(lane[1].end - lane[1].start == 986 * 80_ps);
    for (std::size_t i = 0; i < 2; ++i) {
        CHECK(flight[i].start == lane[i].end);
        CHECK(flight[i].end - flight[i].start == 102ns);  // preset B: 2 m, and MACs of 30 and 62 ns
        // The forward grain of 4 KiB, which is all of either.
        CHECK(received[i].start == flight[i].end);
        CHECK(received[i].end - flight[i].end == 150ns);
    }
    // The ACK: 82 + 4 bytes.
    const auto back = slices_in(events, "l0_B_to_A");
    const auto ack = std::ranges::find(back, std::string("ACK"), &ReadEvent::name);
    REQUIRE(ack != back.end());
    CHECK(ack->end - ack->start == 86 * 80_ps);
}

TEST_CASE("timeline: arrows lead from the requester to the receiver, and back from there") {
    const auto events = timeline_of(one_message());
    const auto id_of = [](const ReadEvent& slice, std::uint64_t port) {
        return (port << 32U) + std::stoull(slice.args.at("packet").get<std::string>());
    };
    const auto lane = of_requests(slices_in(events, "l0_A_to_B"));
    REQUIRE(lane.size() == 2);
    for (const ReadEvent& packet : lane) {
        CHECK(way_of(events, id_of(packet, 0)) == Strings{"A.nic.requester", "A.nic.tx", "l0_A_to_B", "B.nic.rx"});
    }
    const auto back = slices_in(events, "l0_B_to_A");
    const auto ack = std::ranges::find(back, std::string("ACK"), &ReadEvent::name);
    REQUIRE(ack != back.end());
    CHECK(way_of(events, id_of(*ack, 1)) == Strings{"B.nic.rx", "B.nic.tx", "l0_B_to_A", "A.nic.rx"});
    // It answers the last packet, whose arrow ends where that of the ACK begins.
    const auto arrow = [&](std::uint64_t id, const std::string& phase) {
        return std::ranges::find_if(events, [&](const ReadEvent& e) { return e.id == id && e.phase == phase; })->start;
    };
    CHECK(arrow(id_of(*ack, 1), "s") == arrow(id_of(lane[1], 0), "f"));
}

TEST_CASE("timeline: a lost packet ends on the lane, and its arrow, too") {
    const auto events = timeline_of(one_message(R"(, "faults": [{"drop": "A", "opcode": "SEND_LAST", "packet": 1}])"));
    const auto lane = of_requests(slices_in(events, "l0_A_to_B"));
    const auto lost = std::ranges::find_if(lane, [](const ReadEvent& packet) { return packet.args.contains("lost"); });
    REQUIRE(lost != lane.end());
    CHECK(lost->name == "SEND_LAST");
    const auto id = std::stoull(lost->args.at("packet").get<std::string>());
    CHECK(way_of(events, id) == Strings{"A.nic.requester", "A.nic.tx", "l0_A_to_B"});
    // Nobody has received it; what was sent again has arrived.
    CHECK(lane.size() == of_requests(slices_in(events, "B.nic.rx")).size() + 1);
}

// Packet 2 has become two when it comes to the switch; before that, one of them is on the lane.
TEST_CASE("timeline: a copy is shown from the end of its lane on") {
    const auto events = timeline_of(
        R"({"hosts": {"A": {}, "B": {}}, "switches": {"s0": {}},
           "traffic": {"t": {"from": "A", "to": "B", "size": "4 KiB", "count": 3, "window": 1}},
           "faults": [{"duplicate": "A", "opcode": "SEND_ONLY", "packet": 2}]})");
    const auto copies_in = [&events](const std::string& track, std::size_t all) {
        INFO(track);
        const auto slices = of_requests(slices_in(events, track));
        CHECK(slices.size() == all);
        return std::ranges::count_if(slices, [](const ReadEvent& slice) { return slice.args.contains("copy"); });
    };
    CHECK(copies_in("l0_A_to_s0", 3) == 0);
    CHECK(copies_in("l0_A_to_s0.flight", 3) == 0);
    for (const std::string track : {"s0.A.in", "s0.B.queue", "l1_s0_to_B", "l1_s0_to_B.flight", "B.nic.rx"}) {
        CHECK(copies_in(track, 4) == 1);
    }
    // As long as all flights: 2 m of cable, and MACs of 30 and 62 ns.
    for (const ReadEvent& flight : of_requests(slices_in(events, "l0_A_to_s0.flight"))) {
        CHECK(flight.end - flight.start == 102ns);
    }
}

TEST_CASE("timeline: a Read goes there as a request and comes back as data") {
    const auto events = timeline_of(
        R"({"hosts": {"A": {}, "B": {}}, "traffic": {"t": {"from": "A", "to": "B", "operation": "read", "size": "64 B",
           "count": 1}}})");
    const auto back = slices_in(events, "l0_B_to_A");
    const auto data = std::ranges::find(back, std::string("READ_RESP_ONLY"), &ReadEvent::name);
    REQUIRE(data != back.end());
    CHECK(way_of(events, (1ULL << 32U) + std::stoull(data->args.at("packet").get<std::string>())) ==
          Strings{"B.nic.rx", "B.nic.read_responder", "B.nic.tx", "l0_B_to_A", "A.nic.rx"});
}

TEST_CASE("timeline: what a unit does lasts as long as its parameters say") {
    const auto events = timeline_of(one_message(), {"nic.doorbell_decode=40 ns", "cpu.wqe_build=70 ns"});
    const auto doorbells = slices_in(events, "A.nic.doorbell");
    REQUIRE_FALSE(doorbells.empty());
    for (const ReadEvent& doorbell : doorbells) {
        CHECK(doorbell.end - doorbell.start == 40ns);
    }
    const auto core = slices_in(events, "A.cpu_t");
    const auto build = std::ranges::find(core, std::string("build"), &ReadEvent::name);
    REQUIRE(build != core.end());
    CHECK(build->end - build->start == 70ns);
}

// The last values of the counters at a time.
std::map<std::string, std::uint64_t> levels_at(const std::vector<ReadEvent>& events, Picoseconds at) {
    std::map<std::string, std::uint64_t> levels;
    for (const ReadEvent& event : events) {
        if (event.phase == "C" && event.start <= at) {
            levels[event.name] = event.args.at("value");
        }
    }
    std::erase_if(levels, [](const auto& level) { return level.second == 0; });
    return levels;
}

// The link is down, so nothing changes in the window, and every level is that at its start.
TEST_CASE("timeline: counters have their levels at the start of a window") {
    const std::string text =
        R"({"hosts": {"A": {}, "B": {}}, "traffic": {"t": {"from": "A", "to": "B", "size": "4 KiB", "count": 300,
           "window": 64}}, "faults": [{"down": "l0", "from": "100 us", "until": "300 us"}]})";
    const auto whole = timeline_of(text);
    const auto part = timeline_of(text, {"outputs.timeline.start=150 us", "outputs.timeline.stop=250 us"});
    CHECK(levels_at(part, 150us) == levels_at(whole, 150us));
    CHECK(levels_at(part, 150us).at("A.qps.q0.sq") == 64);
    CHECK(levels_at(part, 250us) == levels_at(whole, 250us));
    // A level that changes at the start is there once.
    const auto change = std::ranges::find_if(
        whole, [](const ReadEvent& event) { return event.phase == "C" && event.name == "A.qps.q0.sq"; });
    REQUIRE(change != whole.end());
    const std::string at = std::to_string(change->start.count()) + " ps";
    const auto from_there = timeline_of(text, {"outputs.timeline.start=" + at, "outputs.timeline.stop=250 us"});
    CHECK(std::ranges::count_if(from_there, [&](const ReadEvent& event) {
              return event.phase == "C" && event.name == "A.qps.q0.sq" && event.start == change->start;
          }) == 1);
}

// 500 us of flight: packets sent behind 2.5 ms have not arrived at 3 ms.
TEST_CASE("timeline: nothing is later than the end of a run that is cut off") {
    const auto events = timeline_of(
        R"({"hosts": {"A": {"nic": {"pause": false}}, "B": {"nic": {"pause": false}}},
           "links": {"l0": {"between": ["A", "B"], "length": "100 km"}},
           "traffic": {"t": {"from": "A", "to": "B", "size": "4 KiB", "count": 30000, "window": 4}},
           "limits": {"time": "3 ms"}})");
    Picoseconds last{};
    for (const ReadEvent& event : events) {
        last = std::max(last, event.end);
    }
    CHECK(last == 3ms);
}

TEST_CASE("timeline: each unit has a track by its name") {
    std::set<std::string> tracks;
    std::set<std::string> counters;
    for (const ReadEvent& event : timeline_of(one_message(), {"nic.wqe_push_max=0"})) {
        (event.phase == "C" ? counters : tracks).insert(event.phase == "C" ? event.name : event.track);
    }
    for (const std::string track :
         {"A.qps.q0.sq", "A.cpu_t", "B.cpu", "A.pcie.down_express", "A.nic.doorbell", "A.nic.wqe", "A.nic.requester",
          "A.nic.dma.reads", "A.pcie.down_bulk", "A.nic.tx", "l0_A_to_B", "l0_A_to_B.flight", "B.nic.rx",
          "B.nic.responder", "B.nic.dma.writes", "B.pcie.up_bulk", "B.nic.cq", "B.qps.q0.rq", "l0_B_to_A"}) {
        INFO(track);
        CHECK(tracks.contains(track));
    }
    for (const std::string counter : {"A.qps.q0.sq", "A.nic.tx.tx_fifo", "A.nic.dma.tags", "B.nic.rx.rx_buffer"}) {
        INFO(counter);
        CHECK(counters.contains(counter));
    }
}

}  // namespace ndsim::test::timeline_test
