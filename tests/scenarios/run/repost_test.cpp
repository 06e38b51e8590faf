// SPDX-License-Identifier: Apache-2.0

#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

// A generator whose receiver posts its receives again in batches.

namespace ndsim::test::repost_test {

// Each message takes 334 ns of the wire; the receiver takes 60 ns to poll one, and 150 ns to post a receive.
ChildResult run_batches(const std::string& members) {
    return run_traffic(R"("size": "4 KiB", "count": 32, "window": 32, "credits": false, )" + members,
                       {"profile=infiniband"});
}

TEST_CASE("repost: a batch is posted again when all of it has been used, and one by one keeps up") {
    // Of 32 messages, eight receives for each batch, the 9th, 17th and 25th find none.
    CHECK(run_batches(R"("receives": 8, "repost_batch": 8)").metric("B.nic.responder.rnr_naks") == 3);
    CHECK(run_batches(R"("receives": 8)").metric("B.nic.responder.rnr_naks") == 0);
}

TEST_CASE("repost: a batch is as many as were posted ahead at most") {
    const ChildResult run = run_batches(R"("receives": 8, "repost_batch": 100)");
    CHECK(run.metric("B.nic.responder.rnr_naks") == 3);
    CHECK(run.metric("traffic.t.messages") == 32);
}

TEST_CASE("repost: whole batches, whatever a poll brings") {
    // Five at a time of seven, polled three at a time: 30 of 32 are posted again.
    const ChildResult run = run_traffic(
        R"("size": "4 KiB", "count": 32, "receives": 7, "repost_batch": 5, "poll_batch": 3)", {"nic.rq.depth=7"});
    CHECK(run.metric("traffic.t.messages") == 32);
    CHECK(run.metric("traffic.t.failed") == 0);
    // A doorbell for each receive of the set-up and for each batch, and one for each 16 completions (of 32, so two at
    // most).
    CHECK(run.metric("B.nic.doorbell.doorbells") >= 7 + 6);
    CHECK(run.metric("B.nic.doorbell.doorbells") <= 7 + 6 + 2);
}

// After the freeze all eight receives are to be posted again, with room for one store at a time: the core posts most of
// them when room has come back, and the sender, which waits for any, must hear of these, too.
TEST_CASE("repost: a sender hears of receives that had to wait for room in the store buffer") {
    const ChildResult run = run_text(R"({"hosts": {"A": {}, "B": {}},
        "traffic": {"t": {"from": "A", "to": "B", "size": "64 B", "window": 64, "count": 1000}},
        "faults": [{"freeze": "B", "from": "140 us", "until": "200 us"}]})",
                                     {"hosts.B.nic.rq.depth=8", "hosts.B.cpu.store_buffer=1"});
    INFO(run.why);
    REQUIRE(run.ended);
    CHECK(run.outcome == RunOutcome::finished);
    CHECK(run.metric("traffic.t.messages") == 1000);
}

TEST_CASE("repost: a core that posts batches takes as many messages as their WQEs and polls let it") {
    // Each message costs B's core 60 ns of polling, 50 ns of building its receive, and a sixteenth of the store of 100
    // ns that tells the NIC of polls. The receive's doorbell is 100 ns more with batches of one (216.25 ns, 4.62 M/s),
    // and a sixteenth of that with batches of 16 (122.5 ns, 8.16 M/s).
    const auto rate_of = [](const std::string& members) {
        return run_traffic(R"("size": "8 B", "inline": true, "count": 4000, "window": 128, "receives": 64, )" + members,
                           {"hosts.A.cpu.wqe_build=1ns", "hosts.A.cpu.mmio_wc64=1ns", "hosts.A.cpu.mmio_uc=1ns",
                            "hosts.A.cpu.poll_cq=1ns", "nic.per_qp_rate=100M/s"})
            .metric("traffic.t.message_rate");
    };
    CHECK(static_cast<double>(rate_of(R"("repost_batch": 1)")) == Catch::Approx(4.62e6).epsilon(0.01));
    CHECK(static_cast<double>(rate_of(R"("repost_batch": 16)")) == Catch::Approx(8.16e6).epsilon(0.01));
}

}  // namespace ndsim::test::repost_test
