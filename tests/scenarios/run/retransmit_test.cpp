// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdlib>

#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

// What it costs to send again, with and without a buffer of sent packets.

namespace ndsim::test::retransmit_test {

ChildResult run_lossy(const std::string& traffic, const std::string& faults, const std::string& buffer) {
    return finish_text(fmt::format(R"({{"hosts": {{"A": {{}}, "B": {{}}}},
        "traffic": {{"t": {{"from": "A", "to": "B", {}}}}}, "faults": [{}]}})",
                                   traffic, faults),
                       {"nic.timeout_code=4", "nic.retransmit_buffer=" + buffer});
}

TEST_CASE("retransmit: a packet that was kept is there two host reads earlier than one that was not", "[X10]") {
    // One message of 64 bytes at a time; the twentieth is lost, and sent again after a timeout.
    const auto slowest = [](const char* buffer, std::uint64_t from_buffer) {
        const ChildResult run =
            run_lossy(R"("size": "64 B", "window": 1, "count": 40)", R"({"drop": "A", "packet": 20})", buffer);
        CHECK(run.metric("A.nic.completer.timeouts") == 1);
        CHECK(run.metric("A.nic.requester.resent_from_buffer") == from_buffer);
        CHECK(run.metric("A.nic.requester.resent_refetched") == 1 - from_buffer);
        return static_cast<std::int64_t>(run.metric("traffic.t.delivery.max"));
    };
    // Its WQE of 64 bytes, then its 64 bytes of payload. A read is 24 B up and 64 B + 20 B down at 40625/608 ps a byte,
    // each rounded up (1 604 and 5 613 ps), twice 135 000 ps of way, and 120 000 ps in the root complex. What servers
    // keep of a picosecond may differ.
    const std::int64_t read = 1'604 + 5'613 + 2 * 135'000 + 120'000;
    const std::int64_t difference = slowest("0 B", 0) - slowest("1 MiB", 1);
    CHECK(std::abs(difference - 2 * read) <= 4);
}

// The only slot of the NIC is q1's for 4 MiB, 345 us of the wire; a timeout is 32.8 us. q0's lost packet has its turn,
// and its second attempt, behind that. A timer that ran meanwhile would use up all retries.
TEST_CASE("retransmit: a wait for a turn in the own NIC uses up no retries", "[X15]") {
    const ChildResult run = run_text(R"({
        "hosts": {"A": {"nic": {"timeout_code": 3, "sq_in_flight": 1, "retry_count": 1},
                        "buffers": {"t": {"size": "4 KiB"}, "l": {"size": "4 MiB"}}, "qps": {"q0": {}, "q1": {}}},
                  "B": {"buffers": {"t": {"size": "4 KiB"}, "l": {"size": "4 MiB"}}, "qps": {"q0": {}, "q1": {}}}},
        "programs": {"A": [{"post": "write", "qp": "q0", "buffer": "t", "to": "B.t", "as": "small"},
                           {"post": "write", "qp": "q1", "buffer": "l", "to": "B.l"},
                           {"poll": "q0.send"}, {"poll": "q1.send"}]},
        "faults": [{"drop": "A", "packet": 1}],
        "expect": [{"completion": "A.small", "status": "success"}]})");
    CHECK(run.unmet.empty());
    CHECK(run.metric("A.nic.completer.timeouts") == 1);
    CHECK(run.metric("A.nic.requester.repeated") == 1);
}

// A Read is one request packet, however many responses it asks for again: here the second request is lost.
TEST_CASE("retransmit: packets issued again are request packets") {
    const ChildResult run = run_lossy(R"("operation": "read", "size": "64 KiB", "window": 1, "count": 4)",
                                      R"({"drop": "A", "opcode": "READ_REQUEST", "packet": 2})", "0 B");
    CHECK(run.metric("A.nic.completer.timeouts") == 1);
    CHECK(run.metric("A.nic.requester.packets") == 5);
    CHECK(run.metric("A.nic.requester.repeated") == 1);
}

// A starts a message each 5 us: s1 at 0, b1 at 5 us. s1 is sent again after a timeout of 8.2 us, with its next turn at
// 10 us. The acknowledgement of its first transmission, which takes 1.1 us and comes 11 us late, comes before b1's next
// turn at 15 us, and ends both.
TEST_CASE("retransmit: a local operation that ends while its queue is sent again is not done again", "[K23][X8][X46]") {
    const ChildResult run = finish_text(R"({
        "hosts": {"A": {"buffers": {"tx": {"size": "4 KiB"}, "w": {"size": "4 KiB"}},
                        "memory": {"w0": {"kind": "window"}}},
                  "B": {"buffers": {"rx": {"size": "4 KiB"}}}},
        "programs": {
            "A": [{"post": "send", "buffer": "tx", "size": "64 B", "as": "s1"},
                  {"post": "bind", "memory": "w0", "buffer": "w", "allow": ["remote_read"], "as": "b1"},
                  {"post": "send", "buffer": "tx", "size": "64 B", "as": "s2"},
                  {"poll": "q0.send", "count": 3}],
            "B": [{"post": "receive", "buffer": "rx", "count": 2, "as": "r"}, {"poll": "q0.receive", "count": 2}]},
        "faults": [{"delay": "B", "opcode": "ACK", "packet": 1, "by": "11 us"}],
        "expect": [{"completion": "A.s1", "status": "success"}, {"completion": "A.b1", "status": "success"},
                   {"completion": "A.s2", "status": "success"}]})",
                                        {"nic.timeout_code=1", "nic.per_qp_rate=200 k/s"});
    CHECK(run.metric("A.nic.completer.timeouts") == 1);
    CHECK(run.metric("A.nic.requester.resent_refetched") == 1);
    CHECK(run.metric("A.nic.local_operations.done") == 1);
    CHECK(run.metric("A.nic.completer.retired") == 3);
}

// Each of 64 queue pairs asks with its eighth packet, which leaves behind 8 x 64 packets of 4178 B: 17 ms at 1 Gbps.
// The timeout of 4.096 us x 2^8 = 1.05 ms begins there.
TEST_CASE("retransmit: queue pairs that share a slow lane do not time out before they have asked for an answer",
          "[X15]") {
    const ChildResult run = finish_text(R"({"hosts": {"A": {}, "B": {}}, "links": {"l": {"rate": "1 Gbps"}},
        "traffic": {"t": {"from": "A", "to": "B", "operation": "write", "size": "64 KiB", "queue_pairs": 64,
                          "window": 64, "count": 128}}})",
                                        {"nic.timeout_code=8"});
    CHECK(run.metric("traffic.t.failed") == 0);
    CHECK(run.metric("A.nic.completer.timeouts") == 0);
    CHECK(run.metric("B.nic.responder.duplicates") == 0);
}

TEST_CASE("retransmit: a larger buffer never makes the same work slower, and comes back empty") {
    const std::string faults =
        R"({"drop": "A", "packet": 200}, {"drop": "A", "packet": 400}, {"drop": "A", "packet": 600, "count": 3})";
    for (const std::string work : {R"("size": "64 KiB", "count": 80)", R"("size": "64 B", "count": 2000, "window": 64)",
                                   R"("operation": "read", "size": "8 KiB", "count": 900)",
                                   R"("operation": "write", "size": "1 KiB", "count": 2000, "queue_pairs": 4)"}) {
        double before = 0;
        for (const char* buffer : {"0 B", "4 KiB", "32 KiB", "256 KiB", "4 MiB"}) {
            const ChildResult run = run_lossy(work, faults, buffer);
            INFO(buffer << " for " << work);
            CHECK(run.metric("l0_A_to_B_faults.drop") == 5);
            const auto rate = static_cast<double>(run.metric("traffic.t.message_rate"));
            CHECK(rate >= 0.99 * before);
            before = rate;
        }
    }
}

TEST_CASE("retransmit: what a receiver without receives has sent again comes out of the buffer", "[X22]") {
    const auto run = [](const char* buffer) {
        return run_file("scenarios/library/rnr-recovery.json", {std::string("nic.retransmit_buffer=") + buffer});
    };
    const ChildResult without = run("0 B");
    const ChildResult with = run("1 MiB");
    CHECK(without.metric("A.nic.requester.resent_refetched") > 0);
    CHECK(with.metric("A.nic.requester.resent_refetched") == 0);
    CHECK(with.metric("A.nic.requester.resent_from_buffer") > 0);
    CHECK(with.metric("A.nic.retransmit_buffer.kept.high_water") > 0);
}

}  // namespace ndsim::test::retransmit_test
