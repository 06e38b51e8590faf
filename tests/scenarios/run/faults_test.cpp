// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "sim/base/rng.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

namespace ndsim::test::faults_test {

constexpr std::uint64_t kMessages = 60;
constexpr std::array<const char*, 3> kBuffers{"0 B", "4 KiB", "1 MiB"};

// Sends and Writes of random sizes, side by side in a buffer of random bytes. Each Send is received where it was sent
// from, into a receive that is just as long; so B's buffer equals A's only if each message has arrived, in order, and
// byte for byte.
class RandomFaults {
public:
    explicit RandomFaults(std::uint64_t seed) : rng_(seed, "random_faults") {}

    [[nodiscard]] std::string text() {
        std::string posts;
        std::string receives;
        std::uint64_t offset = 0;
        for (std::uint64_t i = 0; i < kMessages; ++i) {
            const std::uint64_t size = rng_.between(1, std::uint64_t{1} << rng_.between(0, 14));
            const std::string where =
                R"(, "offset": ")" + std::to_string(offset) + R"( B", "size": ")" + std::to_string(size) + R"( B"})";
            const bool write = rng_.between(0, 3) == 0;
            if (write) {
                posts += R"({"post": "write", "buffer": "tx", "to": "B.rx", "to_offset": ")" + std::to_string(offset) +
                         R"( B")" + where + ",\n";
            } else {
                posts += R"({"post": "send", "buffer": "tx")" + where + ",\n";
                receives += R"({"post": "receive", "buffer": "rx")" + where + ",\n";
                ++sends_;
            }
            offset += size;
        }
        const std::string size = std::to_string(offset) + " B";
        // A begins when B has posted its receives.
        return R"({"hosts": {"A": {"buffers": {"tx": {"size": ")" + size + R"(", "fill": "random"}}},
            "B": {"buffers": {"rx": {"size": ")" +
               size + R"("}}}},
            "programs": {
              "A": [{"sleep": "100 us"}, )" +
               posts + R"({"poll": "q0.send", "count": )" + std::to_string(kMessages) +
               R"(}],
              "B": [)" +
               receives + R"({"poll": "q0.receive", "count": )" + std::to_string(sends_) + R"(}]},
            "faults": [)" +
               faults() + R"(],
            "expect": [{"memory": "B.rx", "equals": "A.tx"}]})";
    }
    [[nodiscard]] std::vector<std::string> overrides() {
        return {"nic.mtu=" + std::string(rng_.between(0, 1) == 0 ? "256" : "1024"), "nic.timeout_code=4",
                "nic.retry_count=7", "nic.ack_every=" + std::to_string(rng_.between(1, 8)),
                "nic.retransmit_buffer=" + std::string(kBuffers.at(rng_.between(0, kBuffers.size() - 1)))};
    }
    [[nodiscard]] std::uint64_t sends() const { return sends_; }

private:
    // Each kind in each direction, up to 3 % of the packets.
    std::string faults() {
        std::string list;
        for (const char* host : {"A", "B"}) {
            for (const std::string kind : {"drop", "corrupt", "duplicate", "reorder", "delay"}) {
                list += std::string(list.empty() ? "" : ", ") + R"({")" + kind + R"(": ")" + host + R"(", "rate": ")" +
                        std::to_string(rng_.between(1, 30'000)) + R"( ppm")";
                if (kind == "reorder" || kind == "delay") {
                    list += R"(, "by": ")" + std::to_string(rng_.between(1, 30)) + R"( us")";
                }
                list += "}";
            }
        }
        return list;
    }

    Rng rng_;
    std::uint64_t sends_ = 0;
};

void arrives_exactly_once(std::uint64_t first_seed, std::uint64_t runs) {
    std::map<std::string, std::uint64_t> happened;
    for (std::uint64_t seed = first_seed; seed < first_seed + runs; ++seed) {
        RandomFaults faults(seed);
        const std::string text = faults.text();
        const std::vector<std::string> overrides = faults.overrides();
        INFO("seed " << seed);
        const ChildResult run = run_text(text, overrides);
        INFO(run.why);
        REQUIRE(run.ended);
        CHECK(run.outcome == RunOutcome::finished);
        CHECK(run.unmet.empty());
        CHECK(run.metric("B.nic.responder.messages") == kMessages);
        CHECK(run.metric("B.nic.cq.cqes") == faults.sends());
        CHECK(run.metric("A.nic.completer.retired") == kMessages);
        CHECK(run.metric("A.nic.completer.flushed") == 0);
        for (const char* lane : {"l0_A_to_B_faults.", "l0_B_to_A_faults."}) {
            for (const char* kind : {"drop", "corrupt", "duplicate", "reorder", "delay"}) {
                happened[std::string(lane) + kind] += run.metric(std::string(lane) + kind);
            }
        }
    }
    for (const auto& [what, times] : happened) {
        INFO(what);
        CHECK(times > 0);
    }
}

// A stream of 4 KiB messages over a fault. It begins after 310 us or so, and takes 670 us.
ChildResult stream(const std::string& faults, std::vector<std::string> overrides = {}, int count = 2000) {
    const std::string text = R"({"hosts": {"A": {}, "B": {}},
        "traffic": {"t": {"from": "A", "to": "B", "size": "4 KiB", "count": )" +
                             std::to_string(count) + R"(}}, "faults": [)" + faults + "]}";
    overrides.insert(overrides.begin(), {"nic.timeout_code=4", "nic.retry_count=7"});
    ChildResult run = run_text(text, overrides);
    INFO(run.why);
    REQUIRE(run.ended);
    CHECK(run.outcome == RunOutcome::finished);
    CHECK(run.metric("traffic.t.messages") == static_cast<std::uint64_t>(count));
    CHECK(run.metric("traffic.t.failed") == 0);
    CHECK(run.metric("B.nic.responder.messages") == static_cast<std::uint64_t>(count));
    return run;
}

TEST_CASE("faults: every message arrives exactly once, in order, byte for byte", "[X8][X9][X10]") {
    arrives_exactly_once(1, 40);
}

TEST_CASE("faults: every message arrives exactly once, with many more faults", "[X8][X9][X10][long]") {
    arrives_exactly_once(1000, 2000);
}

TEST_CASE("faults: a lost packet in the middle of a message costs one NAK", "[X8]") {
    // A message of 16 packets, of which the fifth is lost.
    const ChildResult run = stream(R"({"drop": "A", "packet": 5})", {"traffic.t.size=64 KiB"}, 1);
    CHECK(run.metric("l0_A_to_B_faults.drop") == 1);
    CHECK(run.metric("A.nic.completer.naks") == 1);
    CHECK(run.metric("A.nic.completer.timeouts") == 0);
    CHECK(run.metric("B.nic.responder.packets") == 16);
}

TEST_CASE("faults: a packet that overtakes the one before it is asked for again, though it is the last", "[X8]") {
    // The last packet is dropped, as the one before it is missing. That one comes before the NAK has left.
    const ChildResult run = stream(R"({"reorder": "A", "packet": 15})", {"traffic.t.size=64 KiB"}, 1);
    CHECK(run.metric("B.nic.responder.naks") == 1);
    CHECK(run.metric("A.nic.completer.naks") == 1);
    CHECK(run.metric("A.nic.completer.timeouts") == 0);
}

TEST_CASE("faults: a lost last packet costs a timeout", "[X10]") {
    const ChildResult run = stream(R"({"drop": "A", "packet": 16})", {"traffic.t.size=64 KiB"}, 1);
    CHECK(run.metric("A.nic.completer.timeouts") == 1);
    CHECK(run.metric("A.nic.completer.naks") == 0);
}

TEST_CASE("faults: a link that is down for a while loses nothing for good", "[X10]") {
    // Less than 8 timeouts of 65.5 us.
    const ChildResult run = stream(R"({"down": "l0", "from": "500 us", "until": "800 us"})");
    CHECK(run.metric("A.nic.completer.timeouts") > 0);
}

TEST_CASE("faults: PCIe that stalls for a while loses nothing", "[X28]") {
    const std::string stall = R"({"stall": "B", "from": "500 us", "until": "700 us"})";
    // 128 messages are twice what the RX buffer holds.
    const ChildResult paused = stream(stall, {"traffic.t.window=128"});
    CHECK(paused.metric("B.nic.rx.pauses") > 0);
    CHECK(paused.metric("B.nic.rx.overflows") == 0);
}

TEST_CASE("faults: a receiver that may not pause its peer drops packets, and gets them again", "[X28]") {
    // 200 us at 12.5 GB/s are 2.5 MB, far more than the RX buffer; a window of 16 messages is only 64 KiB.
    const ChildResult run =
        stream(R"({"stall": "B", "from": "500 us", "until": "700 us"})", {"nic.pause=false", "nic.rx_buffer=16 KiB"});
    CHECK(run.metric("B.nic.rx.overflows") > 0);
}

TEST_CASE("faults: software that is frozen for a while loses nothing") {
    (void)stream(R"({"freeze": "B", "from": "500 us", "until": "700 us"},
                    {"freeze": "A", "from": "800 us", "until": "900 us"})");
}

TEST_CASE("faults: 10 million packets with 1 % lost, 1 % repeated and 1 % overtaken lose nothing",
          "[X8][X9][X10][long]") {
    // 625 000 messages of 16 packets of 4 KiB.
    const ChildResult run = stream(R"({"drop": "A", "rate": "1 %"}, {"duplicate": "A", "rate": "1 %"},
                                      {"reorder": "A", "rate": "1 %"}, {"drop": "B", "rate": "1 %"})",
                                   {"traffic.t.size=64 KiB"}, 625'000);
    CHECK(run.metric("B.nic.responder.packets") == 10'000'000);
    CHECK(run.metric("l0_A_to_B_faults.drop") > 90'000);
}

}  // namespace ndsim::test::faults_test
