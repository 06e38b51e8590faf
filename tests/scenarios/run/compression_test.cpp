// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "tests/support/child.hpp"

namespace ndsim::test::compression_test {

// Compressed completions, as software finds them.

TEST_CASE("compression: software finds every completion, however few of an entry it polls at a time", "[K93]") {
    const std::string poll_batch = GENERATE("1", "3", "64");
    // Rings of 64 entries, round which 2,000 completions go 31 times.
    const ChildResult run =
        run_traffic(R"("size": "64 B", "count": 2000, "window": 32, "poll_batch": )" + poll_batch,
                    {"nic.cqe_compression=8", "nic.cqe_compression_time=2 us", "nic.cq.depth=63", "nic.rq.depth=40"});
    for (const std::string host : {"A", "B"}) {
        CHECK(run.metric(host + ".nic.cq.cqes") == 2000);
        CHECK(run.metric(host + ".nic.cq.gathered") == 2000);
        CHECK(run.metric(host + ".nic.cq.entry_writes") >= 250);  // 8 in each
        CHECK(run.metric(host + ".nic.cq.entry_writes") < 1000);
    }
}

}  // namespace ndsim::test::compression_test
