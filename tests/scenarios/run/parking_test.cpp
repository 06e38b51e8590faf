// SPDX-License-Identifier: Apache-2.0
#include <initializer_list>

#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

// Queue pairs whose messages miss their receive WQE, in whole runs.

namespace ndsim::test::parking_test {

// Small messages and large ones, each on a queue pair of its own; one receive is fetched ahead.
ChildResult run_two(std::vector<std::string> overrides) {
    overrides.push_back("nic.rq_prefetch=1");
    return finish_text(R"({"hosts": {"A": {}, "B": {}}, "traffic": {
        "small": {"from": "A.q0", "to": "B.q0", "size": "64 B", "count": 600, "window": 32},
        "large": {"from": "A.q1", "to": "B.q1", "size": "16 KiB", "count": 150, "window": 8}}})",
                       overrides);
}

TEST_CASE("parking: more places never make the same work slower") {
    // Both together: the one that waits less takes more of what they share.
    double before = 0;
    for (const char* places : {"0", "1", "2", "16"}) {
        const ChildResult run = run_two({std::string("nic.rq_park=") + places});
        INFO(places << " places");
        const std::uint64_t bytes =
            run.metric("traffic.small.message_rate") * 64 + run.metric("traffic.large.message_rate") * 16 * 1024;
        CHECK(static_cast<double>(bytes) >= 0.99 * before);
        CHECK(run.metric("B.nic.rq.misses") > 0);
        CHECK((run.metric("B.nic.responder.parked") > 0) == (std::string(places) != "0"));
        CHECK(run.metric("B.nic.responder.rq_park.high_water") <= 2);  // of two queue pairs
        before = static_cast<double>(bytes);
    }
}

// Receives of B are 4 us of reading away: 50 KB at 12.5 GB/s, more than its RX buffer.
const std::vector<std::string> kFarReceives{"hosts.B.pcie.one_way=2 us", "hosts.B.nic.rx_buffer=48 KiB",
                                            "nic.rq_park=2", "nic.timeout_code=8", "nic.retry_count=7"};

TEST_CASE("parking: what is set aside keeps its room, so a full RX buffer still holds the peer") {
    const ChildResult run = run_two(kFarReceives);
    CHECK(run.metric("B.nic.responder.parked") > 0);
    CHECK(run.metric("B.nic.rx.pauses") > 0);
    CHECK(run.metric("B.nic.rx.overflows") == 0);
    CHECK(run.metric("B.nic.responder.messages") == 750);
}

TEST_CASE("parking: without pause frames a full RX buffer drops packets, and gets them again") {
    std::vector<std::string> overrides = kFarReceives;
    overrides.push_back("nic.pause=false");
    const ChildResult run = run_two(overrides);
    CHECK(run.metric("B.nic.responder.parked") > 0);
    CHECK(run.metric("B.nic.rx.overflows") > 0);
    CHECK(run.metric("B.nic.responder.messages") == 750);
}

}  // namespace ndsim::test::parking_test
