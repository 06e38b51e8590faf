// SPDX-License-Identifier: Apache-2.0

#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

// Software that tells the NIC of receives by a record in memory.
namespace ndsim::test::receive_record_test {

const std::string kRecord = "nic.rq_doorbell=record";

TEST_CASE("receive record: receives cost the core no store, and the link no doorbell") {
    // Each message costs B's core 60 ns of polling, 50 ns of building its receive, and a sixteenth of the store of 100
    // ns that tells the NIC of polls: 116.25 ns, 8.60 M/s.
    const ChildResult run =
        run_traffic(R"("size": "8 B", "inline": true, "count": 4000, "window": 128, "receives": 64)",
                    {kRecord, "hosts.A.cpu.wqe_build=1ns", "hosts.A.cpu.mmio_wc64=1ns", "hosts.A.cpu.mmio_uc=1ns",
                     "hosts.A.cpu.poll_cq=1ns", "nic.per_qp_rate=100M/s"});
    CHECK(run.metric("traffic.t.messages") == 4000);
    CHECK(run.metric("traffic.t.failed") == 0);
    CHECK(run.metric("traffic.t.message_rate") == Catch::Approx(8.60e6).epsilon(0.01));
    // Nothing but polls is told by stores.
    CHECK(run.metric("B.nic.doorbell.doorbells") <= 4000 / 16 + 1);
}

TEST_CASE("receive record: a deep queue costs one read of the record for many messages") {
    const auto reads = [](const std::string& depth) {
        return run_traffic(R"("size": "64 B", "count": 3000, "window": 32)", {kRecord, "nic.rq.depth=" + depth})
            .metric("B.nic.rq.record_reads");
    };
    // With 8 of at most 16 that are fetched ahead, each message asks, unless a read is under way; with 512 one in about
    // 500 finds fewer than 16 known, and a second time if the first read began before the receiver had posted more.
    CHECK(reads("512") < 3000 / 100);
    CHECK(reads("8") > 3000 / 10);
}

TEST_CASE("receive record: a Send is not ended for a receive that stands only in the record") {
    // The profile ends a connection whose message finds no receive. With few receives the NIC knows of none most of the
    // time.
    for (const std::string depth : {"1", "2", "5", "16"}) {
        const ChildResult run =
            run_traffic(R"("size": "64 B", "count": 500, "window": 16)", {kRecord, "nic.rq.depth=" + depth});
        INFO(depth);
        CHECK(run.metric("traffic.t.messages") == 500);
        CHECK(run.metric("traffic.t.failed") == 0);
        CHECK(run.metric("B.nic.rq.none_posted") == 0);
    }
}

TEST_CASE("receive record: a message that comes before its receive is refused, and comes again") {
    const ChildResult run =
        run_traffic(R"("size": "4 KiB", "count": 200, "window": 32, "credits": false, "receives": 8)",
                    {kRecord, "profile=infiniband", "hosts.B.cpu.poll_cq=2us"});
    CHECK(run.metric("traffic.t.messages") == 200);
    CHECK(run.metric("B.nic.responder.rnr_naks") > 0);
}

}  // namespace ndsim::test::receive_record_test
