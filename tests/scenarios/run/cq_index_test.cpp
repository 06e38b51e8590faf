// SPDX-License-Identifier: Apache-2.0

#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

namespace ndsim::test::cq_index_test {

const std::string kWrites = R"({"hosts": {"A": {}, "B": {}}, "traffic": {"t": {
    "from": "A", "to": "B", "operation": "write", "size": "64 B", "count": 5000, "window": 512}}})";

// The core builds 50 ns for each WQE and polls for 60 ns and more for each completion, so it is ahead of the simulation
// by a whole batch of 16 when the NIC, whose queue is full, reads how far it has polled. It must not find there what
// the core has not done yet: then more completions would be in the queue than it holds.
TEST_CASE("cq: a queue that is too small overruns, and never holds more than its depth") {
    for (const std::string depth : {"32", "64", "96", "128"}) {
        INFO("depth " << depth);
        const ChildResult run = run_text(kWrites, {"hosts.A.nic.sq.depth=512", "hosts.A.nic.cq.depth=" + depth});
        INFO(run.why);
        REQUIRE(run.ended);
        CHECK(run.metric("A.nic.cq.overruns") == 1);
        CHECK(run.metric("A.cqs.q0_send.unpolled.high_water") <= std::stoull(depth));
    }
}

TEST_CASE("cq: a queue with room for all that is outstanding never overruns") {
    const ChildResult run = run_text(kWrites, {"hosts.A.nic.sq.depth=512", "hosts.A.nic.cq.depth=512"});
    REQUIRE(run.ended);
    CHECK(run.metric("A.nic.cq.overruns") == 0);
    CHECK(run.metric("traffic.t.messages") == 5000);
}

}  // namespace ndsim::test::cq_index_test
