// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <sstream>

#include "tests/scenarios/record/capture_support.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

// Programs of scenarios through each programming interface.

namespace ndsim::test::api_test {

// What two hosts exchanged over their connection, as packets.pcapng has it: of each packet when it was sent or came, in
// whole nanoseconds since the first one, and at which port, its opcode and its length.
struct Seen {
    std::vector<std::uint64_t> times;
    std::vector<std::string> packets;
};
Seen packets_of(const std::string& folder) {
    constexpr std::size_t kOpcode = 14 + 20 + 8;  // behind Ethernet, IPv4 and UDP
    constexpr int kDatagram = 0x64;               // connecting
    Seen seen;
    std::uint64_t first = 0;
    for (const ReadPacket& packet : read_packets(file_text(folder + "/packets.pcapng"))) {
        const int opcode = static_cast<unsigned char>(packet.frame.at(kOpcode));
        if (opcode == kDatagram) {
            continue;
        }
        first = seen.times.empty() ? packet.nanoseconds : first;
        seen.times.push_back(packet.nanoseconds - first);
        seen.packets.push_back("port " + std::to_string(packet.interface) + ", opcode " + std::to_string(opcode) +
                               ", " + std::to_string(packet.frame.size()) + " bytes");
    }
    return seen;
}

// What became of each request, as completions.csv has it, without its number, its queue pair and its absolute times:
// how long each of its parts took, in picoseconds.
std::vector<std::string> requests_of(const std::string& folder) {
    constexpr std::array<std::size_t, 4> kLeftOut{0, 1, 6, 7};
    std::vector<std::string> rows;
    std::istringstream lines(file_text(folder + "/completions.csv"));
    for (std::string line; std::getline(lines, line);) {
        std::istringstream cells(line);
        std::string& row = rows.emplace_back();
        std::string cell;
        for (std::size_t column = 0; std::getline(cells, cell, ','); ++column) {
            row += std::ranges::find(kLeftOut, column) == kLeftOut.end() ? cell + "," : "";
        }
    }
    return rows;
}

std::string scenario(const std::string& a, const std::string& b, const std::string& expect = "") {
    return R"({
        "hosts": {"A": {"buffers": {"tx": {"size": "64 KiB", "fill": "counter"}, "back": {"size": "64 KiB"}},
                        "qps": {"q0": {}}},
                  "B": {"buffers": {"rx": {"size": "64 KiB"}, "open": {"size": "64 KiB"}},
                        "memory": {"w": {"kind": "window"}}, "qps": {"q0": {}}}},
        "programs": {"A": [)" +
           a + R"(], "B": [)" + b + R"(]},
        "expect": [)" +
           expect + R"(], "outputs": {"packets": true}})";
}

struct Both {
    ChildResult run;
    Seen seen;
    std::vector<std::string> requests;
};

// With each host's interface.
Both run_with(const std::string& api, const std::string& text) {
    RunOptions options;
    options.folder = temporary_folder();
    ChildResult run = finish_text(text, {"hosts.A.api=" + api, "hosts.B.api=" + api}, options);
    return {run, packets_of(options.folder), requests_of(options.folder)};
}

// What all interfaces of queue pairs have: messages of one packet and of several, inline, silent, with a fence, marked
// for a notification, a window with Writes and Reads, and its end.
const std::string kSender = R"(
    {"post": "send", "buffer": "tx", "size": "64 B", "flags": ["inline"], "as": "s0"},
    {"post": "send", "buffer": "tx", "size": "9000 B", "flags": ["silent_success"]},
    {"post": "send", "buffer": "tx", "size": "256 B", "count": 3, "as": "s1"}, {"poll": "q0.send", "count": 4},
    {"post": "receive", "buffer": "back", "size": "64 B"}, {"poll": "q0.receive"},
    {"post": "write", "buffer": "tx", "size": "5000 B", "to": "B.w"},
    {"post": "read", "buffer": "back", "size": "3000 B", "from": "B.w", "as": "r"},
    {"post": "send", "buffer": "tx", "size": "32 B", "flags": ["read_fence", "solicit"], "as": "last"},
    {"poll": "q0.send", "count": 3})";
const std::string kReceiver = R"(
    {"post": "receive", "buffer": "rx", "size": "16 KiB", "count": 6, "as": "m"}, {"poll": "q0.receive", "count": 5},
    {"post": "bind", "memory": "w", "buffer": "open", "size": "16 KiB", "allow": ["remote_read", "remote_write"]},
    {"poll": "q0.send"}, {"arm": "q0.receive", "for": "solicited"}, {"post": "send", "buffer": "rx", "size": "64 B"},
    {"wait": "q0.receive"}, {"poll": "q0.receive"}, {"poll": "q0.send"}, {"post": "invalidate", "memory": "w"},
    {"poll": "q0.send"})";
const std::string kOutcome = R"(
    {"completion": "A.s0", "status": "success"}, {"completion": "A.r", "status": "success"},
    {"completion": "A.last", "status": "success"}, {"completion": "B.m[1]", "status": "success", "bytes": 9000},
    {"completion": "B.m[5]", "status": "success", "bytes": 32}, {"order": ["A.r", "A.last"]},
    {"memory": "B.open", "equals": "A.tx", "size": "5000 B"}, {"memory": "A.back", "equals": "B.open", "size": "3000 B"})";

TEST_CASE("api: the same scenario through NDKPI and both versions of NDSPI is the same packets at the same times") {
    const std::string text = scenario(kSender, kReceiver, kOutcome);
    const Both ndk = run_with("ndk", text);
    // Sends: 64 B, 9000 B in three packets of 4 KiB at most, three of 256 B, one back, the last: 9. Two packets of the
    // Write, one of the Read, one of its response. At the sender's port and at the receiver's. ACKs come on top.
    CHECK(ndk.seen.packets.size() >= 2 * (9 + 2 + 1 + 1));
    for (const std::string api : {"ndspi1", "ndspi2"}) {
        CAPTURE(api);
        const Both nd = run_with(api, text);
        CHECK(nd.requests == ndk.requests);
        CHECK(nd.seen.packets == ndk.seen.packets);
        // Set-up ends at another picosecond, and so whole nanoseconds may differ by one.
        for (std::size_t i = 0; i < nd.seen.times.size(); ++i) {
            CHECK(nd.seen.times[i] <= ndk.seen.times[i] + 1);
            CHECK(ndk.seen.times[i] <= nd.seen.times[i] + 1);
        }
    }
}

TEST_CASE("api: hosts with different interfaces understand each other") {
    const std::string text = scenario(kSender, kReceiver, kOutcome);
    for (const std::string a : {"ndk", "ndspi1", "ndspi2"}) {
        for (const std::string b : {"ndk", "ndspi1", "ndspi2"}) {
            CAPTURE(a, b);
            finish_text(text, {"hosts.A.api=" + a, "hosts.B.api=" + b});
        }
    }
}

// In version 1 the peer has two results of it, in NDKPI one.
TEST_CASE("api: SendAndInvalidate ends the window, and version 1 tells of it twice", "[R33][R34]") {
    for (const auto& [api, results] : {std::pair{"ndk", 1}, std::pair{"ndspi1", 2}}) {
        CAPTURE(api);
        run_with(api, scenario(R"({"post": "receive", "buffer": "back"}, {"poll": "q0.receive"},
                                  {"post": "send_and_invalidate", "buffer": "tx", "size": "64 B", "invalidates": "B.w"},
                                  {"poll": "q0.send"}, {"sleep": "20 us"},
                                  {"post": "write", "buffer": "tx", "size": "64 B", "to": "B.w", "as": "late"},
                                  {"poll": "q0.send"})",
                               R"({"post": "receive", "buffer": "rx", "as": "m"},
                                  {"post": "bind", "memory": "w", "buffer": "open", "allow": ["remote_write"]},
                                  {"poll": "q0.send"}, {"post": "send", "buffer": "rx", "size": "64 B"},
                                  {"poll": "q0.send"}, {"poll": "q0.receive", "count": )" +
                                   std::to_string(results) + "}",
                               R"({"completion": "B.m", "status": "success", "bytes": 64},
                                  {"completion": "A.late", "status": "remote_resources"})"));
    }
}

TEST_CASE("api: buffers are for peers to read and write in NDKPI and in version 2", "[R111]") {
    for (const std::string api : {"ndk", "ndspi2"}) {
        CAPTURE(api);
        run_with(api, scenario(R"({"post": "write", "buffer": "tx", "size": "5000 B", "to": "B.rx", "to_offset": "8 B"},
                                  {"post": "read", "buffer": "back", "size": "64 B", "from": "B.rx"},
                                  {"poll": "q0.send", "count": 2})",
                               R"({"spin": "rx", "offset": "5007 B", "size": "1 B"})",
                               R"({"memory": "A.back", "equals": "B.rx", "size": "64 B"})"));
    }
}

TEST_CASE("api: shared receive queues of version 2, with a threshold") {
    const std::string text = R"({
        "hosts": {"A": {"buffers": {"tx": {"size": "4 KiB"}}, "qps": {"q0": {}}},
                  "B": {"api": "ndspi2", "buffers": {"rx": {"size": "64 KiB"}},
                        "srqs": {"s": {"depth": 8, "threshold": 3}}, "qps": {"q0": {"srq": "s"}}}},
        "programs": {"A": [{"sleep": "20 us"}, {"post": "send", "buffer": "tx", "size": "64 B", "count": 4},
                           {"poll": "q0.send", "count": 4}],
                     "B": [{"post": "srq_receive", "srq": "s", "buffer": "rx", "size": "64 B", "count": 4, "as": "m"},
                           {"wait": "s"}, {"modify_srq": "s", "depth": 16, "threshold": 2}, {"wait": "s"},
                           {"poll": "q0.receive", "count": 4}]},
        "expect": [{"completion": "B.m[3]", "status": "success", "bytes": 64}]})";
    const ChildResult run = finish_text(text);
    CHECK(run.metric("programs.B.refused") == 0);
}

TEST_CASE("api: steps of a connection through both versions of NDSPI", "[R124][R126]") {
    for (const std::string api : {"ndspi1", "ndspi2"}) {
        CAPTURE(api);
        run_with(api,
                 scenario(R"({"sleep": "50 us"}, {"connect": "q0", "as": "first"}, {"connect": "q0", "as": "second"},
                                  {"post": "send", "buffer": "tx", "size": "64 B"}, {"poll": "q0.send"},
                                  {"disconnect": "q0", "as": "bye"})",
                          R"({"listen": "q0"}, {"post": "receive", "buffer": "rx", "as": "m"},
                                  {"reject": "q0", "as": "no"}, {"accept": "q0", "as": "yes"}, {"poll": "q0.receive"},
                                  {"wait": "q0.disconnect"}, {"disconnect": "q0"})",
                          R"({"completion": "A.first", "status": "connection_refused"},
                                  {"completion": "A.second", "status": "success"},
                                  {"completion": "B.no", "status": "success"},
                                  {"completion": "B.yes", "status": "success"},
                                  {"completion": "B.m", "status": "success", "bytes": 64},
                                  {"completion": "A.bye", "status": "success"})"));
    }
}

TEST_CASE("api: a resize, and a flush", "[R89][R92]") {
    for (const std::string api : {"ndspi1", "ndspi2"}) {
        CAPTURE(api);
        const Both both = run_with(
            api, scenario(R"({"resize": "q0.send", "depth": 64}, {"post": "receive", "buffer": "back", "as": "m"},
                                      {"flush": "q0"}, {"poll": "q0.receive"})",
                          "", R"({"completion": "A.m", "status": "cancelled"})"));
        CHECK(both.run.metric("programs.A.refused") == 0);
    }
}

TEST_CASE("api: who waits for a notification in vain is named") {
    for (const std::string api : {"ndspi1", "ndspi2"}) {
        CAPTURE(api);
        const ChildResult run = run_text(scenario(R"({"arm": "q0.receive"}, {"wait": "q0.receive"})", ""),
                                         {"hosts.A.api=" + api, "outputs.packets=false"});
        REQUIRE(run.ended);
        CHECK(run.outcome == RunOutcome::stalled);
        CHECK_THAT(run.why, Catch::Matchers::ContainsSubstring("at programs.A[1]") &&
                                Catch::Matchers::ContainsSubstring("waits for a notification of q0.receive"));
    }
}

TEST_CASE("a wait after several arms ends with the first notification, whichever arm it answers", "[R84]") {
    const std::string api = GENERATE("ndk", "ndspi1", "ndspi2");
    INFO(api);
    // The Send meets the second arm alone.
    const ChildResult run = run_text(
        R"({"hosts": {"A": {"buffers": {"rx": {"size": "64 B"}}}, "B": {"buffers": {"tx": {"size": "64 B"}}}}, "programs": {
        "A": [{"post": "receive", "buffer": "rx"}, {"arm": "q0.receive", "for": "errors"}, {"arm": "q0.receive"},
              {"wait": "q0.receive"}, {"poll": "q0.receive"}],
        "B": [{"sleep": "20 us"}, {"post": "send", "buffer": "tx"}, {"poll": "q0.send"}]}})",
        {"hosts.A.api=" + api, "hosts.B.api=" + api});
    INFO(run.why);
    CHECK(run.outcome == RunOutcome::finished);
}

// The first Send comes 20 us after set-up, the second one 20 us later. Both arms are answered by the first, so the
// second wait lasts until the second Send.
TEST_CASE("one notification answers all arms of a queue, so the next wait is for the next one", "[R84]") {
    const std::string api = GENERATE("ndk", "ndspi1", "ndspi2");
    INFO(api);
    const ChildResult run = finish_text(
        R"({"hosts": {"A": {"buffers": {"rx": {"size": "64 B"}}}, "B": {"buffers": {"tx": {"size": "64 B"}}}}, "programs": {
        "A": [{"post": "receive", "buffer": "rx", "count": 2}, {"arm": "q0.receive", "for": "solicited"},
              {"arm": "q0.receive"}, {"wait": "q0.receive"}, {"poll": "q0.receive"}, {"arm": "q0.receive"},
              {"time": "again", "do": [{"wait": "q0.receive"}]}, {"poll": "q0.receive"}],
        "B": [{"sleep": "20 us"}, {"post": "send", "buffer": "tx"}, {"sleep": "20 us"}, {"post": "send", "buffer": "tx"},
              {"poll": "q0.send", "count": 2}]}})",
        {"hosts.A.api=" + api, "hosts.B.api=" + api});
    CHECK(run.metric("programs.A.again.mean") > 15'000'000);  // 20 us without what A did since its notification
    CHECK(run.metric("programs.A.again.mean") < 25'000'000);
}

}  // namespace ndsim::test::api_test
