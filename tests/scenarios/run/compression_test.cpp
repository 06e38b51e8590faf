// SPDX-License-Identifier: Apache-2.0

#include "tests/support/catch.hpp"
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

// An entry waits for more completions for up to 1 ms, but not longer than its connection lives: the disconnect returns
// when the message's completion is there [K155].
TEST_CASE("compression: an entry that waits for more is written before its connection ends", "[K155][K207]") {
    const ChildResult run = run_text(R"({
        "hosts": {"A": {"buffers": {"tx": {"size": "64 B"}}},
                  "B": {"nic": {"cqe_compression": 4, "cqe_compression_time": "1 ms"},
                        "buffers": {"rx": {"size": "64 B"}}, "qps": {"q0": {}}}},
        "programs": {
            "A": [{"sleep": "20 us"}, {"post": "send", "buffer": "tx"}, {"poll": "q0.send"},
                  {"disconnect": "q0", "as": "d"}],
            "B": [{"post": "receive", "buffer": "rx", "as": "r"}, {"wait": "q0.disconnect"},
                  {"disconnect": "q0", "as": "d"}, {"poll": "q0.receive"}]},
        "expect": [{"completion": "B.r", "status": "success", "within": "500 us"},
                   {"completion": "B.d", "status": "success", "within": "500 us"}]})");
    CHECK(run.outcome == RunOutcome::finished);
    CHECK(run.unmet == "");
}

}  // namespace ndsim::test::compression_test
