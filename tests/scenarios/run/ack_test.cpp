// SPDX-License-Identifier: Apache-2.0

#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

namespace ndsim::test::ack_test {

// How long A's Send takes from post to poll, while B does as told.
std::uint64_t time_of_send(const std::string& b, const std::vector<std::string>& overrides) {
    return finish_text(R"({
        "hosts": {"A": {"buffers": {"tx": {}}},
                  "B": {"buffers": {"rx": {}}, "cqs": {"c": {}}, "qps": {"q0": {"receive_cq": "c"}}}},
        "programs": {
            "A": [{"sleep": "20 us"},
                  {"time": "t", "do": [{"post": "send", "buffer": "tx", "size": "4 KiB"}, {"poll": "q0.send"}]}],
            "B": [{"post": "receive", "buffer": "rx"}, )" +
                           b + "]}}",
                       overrides)
        .metric("programs.A.t.max");
}

TEST_CASE("ack: it waits neither for the CQE's interrupt nor for the poll, whatever the acknowledge point") {
    for (const std::string point : {"accepted", "dma_issued", "visible"}) {
        INFO(point);
        const std::string at = "hosts.B.nic.ack_point=" + point;
        const std::uint64_t polled_at_once = time_of_send(R"({"poll": "c"})", {at});
        CHECK(time_of_send(R"({"sleep": "500 us"}, {"poll": "c"})", {at}) == polled_at_once);
        // The receive's interrupt waits for 100 us, and the program for the interrupt.
        CHECK(time_of_send(R"({"arm": "c"}, {"wait": "c"}, {"poll": "c"})",
                           {at, "hosts.B.cqs.c.interrupt_moderation.interval=100 us"}) == polled_at_once);
        // Software that needs longer for what it polls.
        CHECK(time_of_send(R"({"poll": "c"})", {at, "hosts.B.cpu.poll_detect=50 us", "hosts.B.cpu.poll_cq=50 us"}) ==
              polled_at_once);
    }
}

// 48 KiB cross a PCIe link of two lanes, 15.75 Gb/s, in 24.97 us at the least. The Send finds no receive, so a NAK
// waits behind the Read while the Writes are still on their way into memory.
TEST_CASE("ack: Writes are not done before they are visible, although a NAK waits behind a Read", "[X12][X31]") {
    const ChildResult run = finish_text(
        R"({"profile": "infiniband",
            "hosts": {"A": {"buffers": {"a": {"size": "64 KiB"}}}, "B": {"buffers": {"b": {"size": "64 KiB"}}}},
            "programs": {
              "A": [{"time": "writes", "do": [
                      {"post": "write", "buffer": "a", "to": "B.b", "size": "16 KiB"},
                      {"post": "write", "buffer": "a", "to": "B.b", "size": "32 KiB"},
                      {"post": "read", "buffer": "a", "from": "B.b", "size": "64 B"},
                      {"post": "send", "buffer": "a", "size": "64 B"},
                      {"poll": "q0.send", "count": 2}]},
                    {"poll": "q0.send", "count": 2}],
              "B": [{"sleep": "400 us"}, {"post": "receive", "buffer": "b", "size": "64 B"}, {"poll": "q0.receive"}]}})",
        {"hosts.B.pcie.width=2", "hosts.B.nic.ack_point=visible"});
    CHECK(run.metric("B.nic.responder.rnr_naks") > 0);
    CHECK(run.metric("programs.A.writes.max") >= 24'970'000);
}

}  // namespace ndsim::test::ack_test
