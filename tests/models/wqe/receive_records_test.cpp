// SPDX-License-Identifier: Apache-2.0

#include "tests/models/wqe/rq_bench.hpp"
#include "tests/support/catch.hpp"

// Queue pairs whose software keeps a record of its receives instead of ringing for them.
namespace ndsim::test::receive_records_test {

struct RecordBench : RqBench {
    explicit RecordBench(std::uint32_t prefetch = 4) : RqBench(prefetch, 8, RqDoorbell::record) {
        // Both queue pairs were connected: their records were read, and said nothing.
        rq.rq_doorbell(kQp, 0);
        rq.rq_doorbell(kQp2, 0);
        records.asked.clear();
    }
    // The record, which is being read, says all that is posted.
    void answer() { rq.rq_doorbell(kQp, producer); }
    [[nodiscard]] std::size_t asked() const { return records.asked.size(); }
    ReceiveTake take() { return rq.take(kQp, wqe); }
    [[nodiscard]] std::size_t told() const { return ready.seen.size(); }

    Wqe wqe;
};

TEST_CASE("rq record: the record is read when the queue pair is connected, and what it says is fetched") {
    RqBench bench(4, 8, RqDoorbell::record);
    bench.at(0ns, [&] {
        CHECK(bench.records.asked == std::vector<QpNum>{kQp, kQp2});
        bench.write(4);
        bench.rq.rq_doorbell(kQp, 4);
        CHECK(bench.fetched() == std::vector<std::uint32_t>{2, 2});  // four ahead, in halves
    });
    bench.run();
    CHECK(bench.payloads.in_use() == 0);
}

TEST_CASE("rq record: a message that finds no receive waits for the record, and for the fetch of what it says") {
    RecordBench bench;
    bench.at(0ns, [&] {
        bench.write(1);
        CHECK(bench.take() == ReceiveTake::under_way);
        CHECK(bench.asked() == 1);
    });
    bench.at(1us, [&] {
        bench.answer();
        CHECK(bench.told() == 0);
    });
    bench.at(2us, [&] {
        // 400 ns of DMA behind the record's answer.
        CHECK(bench.ready.seen == std::vector<std::pair<QpNum, Picoseconds>>{{kQp, 1400ns}});
        CHECK(bench.take() == ReceiveTake::taken);
    });
    bench.run();
    CHECK(bench.payloads.in_use() == 0);
}

TEST_CASE("rq record: a message is refused only when the record has been read behind its arrival") {
    RecordBench bench;
    std::vector<ReceiveTake> again;
    bench.ready.then = [&] { again.push_back(bench.take()); };
    bench.at(0ns, [&] { CHECK(bench.take() == ReceiveTake::under_way); });
    bench.at(1us, [&] {
        bench.answer();  // still nothing
        CHECK(again == std::vector<ReceiveTake>{ReceiveTake::none_posted});
        CHECK(bench.asked() == 1);
        CHECK(bench.take() == ReceiveTake::under_way);  // the next message has the record read for itself
        CHECK(bench.asked() == 2);
    });
    bench.run();
    CHECK(statistic(bench.rq, "none_posted") == 1);
    CHECK(statistic(bench.rq, "record_reads") == 4);  // with the two of the connections
}

TEST_CASE("rq record: a read that was under way when the message came is followed by another one") {
    RecordBench bench;
    bench.at(0ns, [&] {
        bench.write(1);
        CHECK(bench.take() == ReceiveTake::under_way);
        bench.answer();
    });
    bench.at(500ns, [&] {
        CHECK(bench.take() == ReceiveTake::taken);
        CHECK(bench.asked() == 2);  // nothing is known behind it, so the record is looked at again
        CHECK(bench.take() == ReceiveTake::under_way);
        CHECK(bench.asked() == 2);  // that read is under way
    });
    bench.at(1us, [&] {
        bench.answer();  // it began before the message came, and saw nothing
        CHECK(bench.asked() == 3);
        CHECK(bench.told() == 1);
        bench.write(1);
        bench.answer();
    });
    bench.at(2us, [&] {
        CHECK(bench.told() == 2);
        CHECK(bench.take() == ReceiveTake::taken);
    });
    bench.run();
}

TEST_CASE("rq record: it is read ahead of need, once fewer are known than are fetched ahead", "[limit]") {
    RecordBench bench(4);
    bench.at(0ns, [&] {
        bench.write(6);
        CHECK(bench.take() == ReceiveTake::under_way);
        bench.answer();
    });
    bench.at(1us, [&] {
        CHECK(bench.take() == ReceiveTake::taken);
        CHECK(bench.take() == ReceiveTake::taken);
        CHECK(bench.asked() == 1);  // four are left
        CHECK(bench.take() == ReceiveTake::taken);
        CHECK(bench.asked() == 2);
        CHECK(bench.take() == ReceiveTake::taken);
        CHECK(bench.asked() == 2);  // one at a time
    });
    bench.run();
}

TEST_CASE("rq record: what was posted for a queue pair that has failed is flushed without a read") {
    RecordBench bench;
    bench.at(0ns, [&] {
        bench.rq.fail_qp(kQp);
        bench.rq.flush_deferred(kQp, 0, 0, 3);
        CHECK(bench.completions.seen.size() == 3);
        CHECK(bench.rq.is_quiet(kQp));
        CHECK(bench.asked() == 0);
    });
    bench.run();
}

}  // namespace ndsim::test::receive_records_test
