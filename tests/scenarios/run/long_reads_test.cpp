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

// A has two Reads of 256 KiB under way, so B's answers come in bursts. 192 reads of 512 B are 96 KiB, 3 us of PCIe,
// which the WQEs of B's own Reads wait for. A FIFO of 64 KiB is always full, so reads leave at the pace of the wire;
// and 32 reads are 0.5 us of PCIe.
TEST_CASE("reads: more room for payload is slower only if bursts of it hold up WQEs") {
    const auto rate = [](const char* fifo, const char* reads) {
        const ChildResult run = run_text(
            R"({"hosts": {"A": {"preset": "C"}, "B": {"preset": "C"}},
                "traffic": {"small": {"from": "B.q0", "to": "A.q0", "operation": "read", "size": "4 KiB", "count": 2500},
                            "big": {"from": "A.q1", "to": "B.q1", "operation": "read", "size": "256 KiB", "count": 130}}})",
            {std::string("nic.tx_fifo=") + fifo, std::string("nic.dma_reads_in_flight=") + reads});
        return run.metric("traffic.small.goodput");
    };
    CHECK(10 * rate("512 KiB", "192") < 6 * rate("64 KiB", "192"));
    CHECK(100 * rate("512 KiB", "32") >= 99 * rate("64 KiB", "32"));
}

}  // namespace ndsim::test::long_reads_test
