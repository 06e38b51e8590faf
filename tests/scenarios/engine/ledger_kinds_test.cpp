// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "tests/scenarios/engine/child.hpp"

using namespace ndsim;
using namespace ndsim::test;

// One at a time nothing waits: a Read's ledger begins and ends with what the generator measures, and both leave out the
// tenth that is the warm-up.
TEST_CASE("ledger: a run of Reads alone has theirs") {
    const ChildResult run = finish_text(R"({"hosts": {"A": {}, "B": {}}, "traffic": {"t": {"from": "A", "to": "B",
        "operation": "read", "size": "64 B", "count": 100, "window": 1}}})",
                                        {"nic.cq_update_every=1000"});  // else some polls last as long as a store more
    CHECK(run.metric("ledger.A.read.count") == 90);
    CHECK(run.metric("ledger.A.read.mean") == run.metric("traffic.t.latency.mean"));
    CHECK(run.metric("ledger.A.read.max") == run.metric("traffic.t.latency.max"));
    CHECK_FALSE(run.metrics.contains("ledger.A.send.count"));
}

TEST_CASE("ledger: requests that change keys have theirs") {
    const ChildResult run = finish_text(R"({
        "hosts": {"A": {"buffers": {"data": {"size": "4 KiB"}},
                        "memory": {"window": {"kind": "window"}, "region": {"kind": "fast_register"}}}, "B": {}},
        "programs": {"A": [
            {"post": "bind", "memory": "window", "buffer": "data", "allow": ["remote_read"]},
            {"post": "fast_register", "memory": "region", "buffer": "data", "allow": ["remote_read"]},
            {"poll": "q0.send", "count": 2},
            {"post": "invalidate", "memory": "window"}, {"post": "invalidate", "memory": "region"},
            {"poll": "q0.send", "count": 2}]}})");
    CHECK(run.metric("ledger.A.bind.count") == 1);
    CHECK(run.metric("ledger.A.fast_register.count") == 1);
    CHECK(run.metric("ledger.A.invalidate.count") == 2);
}
