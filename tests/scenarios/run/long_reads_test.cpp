// SPDX-License-Identifier: Apache-2.0

#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

namespace ndsim::test::long_reads_test {

// Two Reads of 1 MiB fill the read buffer, and fourteen wait for room, which comes back with each of 20 x 4096 response
// packets. A packet makes some five work items, and one more look at whether the next Read may begin.
TEST_CASE("reads: those that wait for room in the read buffer cost one look for each packet") {
    const ChildResult run = run_text(R"({
        "hosts": {"A": {"nic": {"mtu": 256}}, "B": {}},
        "traffic": {"t": {"from": "A", "to": "B", "operation": "read", "size": "1 MiB", "window": 16, "count": 20}},
        "limits": {"items": 800000}})");
    INFO(run.why);
    CHECK(run.outcome == RunOutcome::finished);
}

}  // namespace ndsim::test::long_reads_test
