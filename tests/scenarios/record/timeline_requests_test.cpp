// SPDX-License-Identifier: Apache-2.0
#include <sstream>

#include "models/ledger/ledger.hpp"
#include "sim/base/exact_rate.hpp"
#include "tests/scenarios/record/trace_support.hpp"
#include "tests/support/bench.hpp"
#include "tests/support/child.hpp"

namespace ndsim::test::timeline_requests_test {

using Strings = std::vector<std::string>;

// The cells of a line.
Strings cells_of(const std::string& line) {
    Strings cells;
    std::istringstream in(line);
    for (std::string cell; std::getline(in, cell, ',');) {
        cells.push_back(cell);
    }
    return cells;
}

// The accounts in the slice of a request, each with its sum; they follow each other without a gap.
std::map<std::string, Picoseconds> accounts_in(const std::vector<ReadEvent>& events, const std::string& request,
                                               Interval whole) {
    const auto begin = std::ranges::find_if(
        events, [&](const ReadEvent& event) { return event.phase == "B" && event.args.at("request") == request; });
    REQUIRE(begin != events.end());
    CHECK(begin->start == whole.start);
    std::map<std::string, Picoseconds> sums;
    Picoseconds last = whole.start;
    auto event = begin + 1;
    for (; event->phase != "E" || event->thread != begin->thread; ++event) {
        if (event->phase == "X" && event->thread == begin->thread) {
            CHECK(event->start == last);
            sums[event->name] += event->end - event->start;
            last = event->end;
        }
    }
    CHECK(last == whole.end);
    CHECK(event->start == whole.end);
    return sums;
}

// Runs the scenario, and compares the slices of all requests but receives with their ledgers. Returns the paths.
Strings paths_shown(const std::string& text) {
    RunOptions options;
    options.folder = temporary_folder();
    REQUIRE(run_text(text, {"outputs.timeline=true"}, options).ended);
    const auto events = read_trace(file_text(options.folder + "/timeline.json"));
    std::istringstream csv(file_text(options.folder + "/completions.csv"));
    std::string line;
    std::getline(csv, line);
    const Strings head = cells_of(line);
    // request, qp, operation, status, bytes, silent, begin_ps, end_ps, total_ps, the accounts, label and path.
    REQUIRE(head.at(9) == "slot_ps");
    REQUIRE(head.size() == 9 + kAccounts + 2);
    Strings paths;
    while (std::getline(csv, line)) {
        const Strings row = cells_of(line);
        if (row.at(2) == "receive") {
            continue;  // a receive's slice is a part of its ledger
        }
        INFO(row.at(0));
        const Interval whole{Picoseconds{std::stoll(row.at(6))}, Picoseconds{std::stoll(row.at(7))}};
        auto accounts = accounts_in(events, row.at(0), whole);
        for (std::size_t i = 9; i < 9 + kAccounts; ++i) {
            CHECK(accounts[head[i].substr(0, head[i].size() - 3)] == Picoseconds{std::stoll(row.at(i))});
        }
        paths.push_back(row.back());
    }
    return paths;
}

TEST_CASE("timeline: a request's slices are its ledger in completions.csv") {
    const Strings paths = paths_shown(
        R"({"hosts": {"A": {}, "B": {}}, "traffic": {"t": {"from": "A", "to": "B", "size": "5000 B", "count": 20}}})");
    CHECK(paths.size() == 20);
}

// Times since the packet's begin on the lane, where it is for 33.6 us at 1 Gb/s. The timeout, 65.5 us, begins behind
// that. So the packet is sent again at 99 us, and is on the lane until 133 us. The first packet has arrived at 34 + 80
// us, and its acknowledgement a microsecond later: the second packet is no time of the request.
TEST_CASE("timeline: of a request that was sent again in vain, the ledger's slices are shown, and no others") {
    const Strings paths = paths_shown(
        R"({"hosts": {"A": {"nic": {"timeout_code": 4}}, "B": {}}, "links": {"l0": {"rate": "1 Gbps"}},
           "traffic": {"t": {"operation": "write", "from": "A", "to": "B", "size": "4 KiB", "count": 1}},
           "faults": [{"delay": "A", "opcode": "WRITE_ONLY", "packet": 1, "by": "80 us"}]})");
    REQUIRE(paths.size() == 1);
    CHECK(paths[0].ends_with(" tx wire ack_return cqe poll"));
    CHECK(paths[0].find("retransmit") == std::string::npos);
}

// Packets that are 50 us late, most of which overtake those behind them, have gaps reported and time out.
TEST_CASE("timeline: slices are the ledger's for silent requests, too, however often they are sent again") {
    const Strings paths = paths_shown(
        R"({"seed": 1, "hosts": {"A": {"nic": {"timeout_code": 4, "ack_every": 16}}, "B": {}},
           "links": {"l0": {"rate": "10 Gbps"}}, "limits": {"time": "20 ms"}, "measure": {"warmup": 0},
           "traffic": {"t": {"operation": "write", "from": "A", "to": "B", "size": "64 KiB", "count": 40, "window": 4,
                             "signal_every": 2}},
           "faults": [{"delay": "A", "rate": "20 %", "by": "50 us"}]})");
    CHECK(paths.size() == 40);
    CHECK(std::ranges::any_of(paths, [](const std::string& path) { return path.ends_with("ack_return"); }));
    CHECK(std::ranges::any_of(paths, [](const std::string& path) { return path.find("retransmit") != path.npos; }));
}

}  // namespace ndsim::test::timeline_requests_test
