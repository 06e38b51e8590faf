// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "tests/scenarios/engine/child.hpp"

using namespace ndsim;
using namespace ndsim::test;

namespace ack_test {

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

}  // namespace ack_test
