// SPDX-License-Identifier: Apache-2.0
#include "tests/models/dma/dma_bench.hpp"
#include "tests/support/nic_doubles.hpp"

namespace ndsim::test::engine_times_test {

Picoseconds spent(const DmaBench& bench, std::string_view what) {
    return Picoseconds(statistic(bench.dma, what));
}

// Runs up to 1 us.
void run(DmaBench& bench) {
    bench.at(1us, [] {});
    bench.run();
    check_engines(bench.dma);
    check_at_rest(bench.dma);
}

// Four reads of 512 bytes at 0, which all come at 300 ns; a fifth one at 100 ns, which comes at 540 ns.
void five_reads(DmaBench& bench) {
    bench.at(0ns, [&] {
        for (std::uint32_t i = 0; i < 4; ++i) {
            CHECK(bench.read(kPayload, {{i * 512ULL, 512}}, i));
        }
    });
    bench.at(100ns, [&] { CHECK(bench.read(kPayload, {{4096, 512}}, 4)); });
    bench.at(200ns, [&] {
        for (std::size_t i = 0; i < 4; ++i) {
            bench.answer(i, {260ns, 300ns});
        }
    });
    bench.at(400ns, [&] { bench.answer(4, {500ns, 540ns}); });
    run(bench);
}

TEST_CASE("dma times: a read without a tag blocks from its coming until the first tag is back") {
    DmaBench bench({.tags = 4, .reads = 5});
    five_reads(bench);
    CHECK(spent(bench, "reads.tags") == 200ns);
    CHECK(spent(bench, "reads.reads_in_flight") == 0ns);
    CHECK(spent(bench, "reads_blocked") == 200ns);
    CHECK(spent(bench, "reads.busy") == 100ns + 240ns);
    CHECK(spent(bench, "reads.idle") == 460ns);
    CHECK(spent(bench, "writes.idle") == 1us);
}

TEST_CASE("dma times: with fewer reads in flight than tags it is those that block") {
    DmaBench bench({.tags = 5, .reads = 4});
    five_reads(bench);
    CHECK(spent(bench, "reads.tags") == 0ns);
    CHECK(spent(bench, "reads.reads_in_flight") == 200ns);
    CHECK(spent(bench, "reads_blocked") == 200ns);
}

TEST_CASE("dma times: reads are busy until the last byte of those under way, and not in between") {
    DmaBench bench({});
    bench.at(0ns, [&] { CHECK(bench.read(kPayload, {{0, 512}}, 0)); });
    bench.at(100ns, [&] { bench.answer(0, {250ns, 300ns}); });
    bench.at(250ns, [&] { CHECK(bench.read(kWqe, {{512, 64}}, 1)); });  // before the first has come
    bench.at(300ns, [&] { bench.answer(1, {390ns, 400ns}); });
    bench.at(600ns, [&] { CHECK(bench.read(kWqe, {{512, 64}}, 2)); });
    bench.at(650ns, [&] { bench.answer(2, {690ns, 700ns}); });
    run(bench);
    CHECK(spent(bench, "reads.busy") == 400ns + 100ns);
    CHECK(spent(bench, "reads.idle") == 500ns);
}

TEST_CASE("dma times: a read behind a write that is not on the link blocks if there is no other") {
    DmaBench bench({});
    bench.at(0ns, [&] {
        WriteTrain train;
        train.to = Memory::kBase;
        train.length = 64;
        train.qp = kQp;
        bench.dma.write(train, nullptr);
    });
    bench.at(50ns, [&] {
        const ReadPiece piece{Memory::kBase, 64, bench.buffer.data()};
        CHECK(bench.dma.try_read_behind_writes(kQp, {&piece, 1}, 0, {}, bench.reader));
        CHECK(bench.link.reads.empty());
    });
    bench.at(200ns, [&] { bench.dma.write_scheduled(bench.link.writes.at(0).train.token, 230ns, 400ns); });
    bench.at(300ns, [&] { bench.answer(0, {390ns, 400ns}); });
    run(bench);
    CHECK(spent(bench, "reads.dma_write") == 150ns);
    CHECK(spent(bench, "reads.busy") == 200ns);
    CHECK(spent(bench, "writes.busy") == 230ns);  // until its last byte has left
    CHECK(spent(bench, "writes.idle") == 770ns);
}

TEST_CASE("dma times: a write blocks from its coming until there is a place for it") {
    DmaBench bench({.writes = 1});
    const auto write = [&bench] {
        WriteTrain train;
        train.to = Memory::kBase;
        train.length = 64;
        bench.dma.write(train, nullptr);
    };
    bench.at(0ns, write);
    bench.at(10ns, write);
    bench.at(20ns, [&] { bench.dma.write_scheduled(bench.link.writes.at(0).train.token, 50ns, 250ns); });
    bench.at(60ns, [&] { bench.dma.write_scheduled(bench.link.writes.at(1).train.token, 80ns, 280ns); });
    run(bench);
    CHECK(spent(bench, "writes.writes_in_flight") == 40ns);
    CHECK(spent(bench, "writes.translation") == 0ns);
    CHECK(spent(bench, "writes.busy") == 10ns + 30ns);
    CHECK(spent(bench, "writes.idle") == 920ns);
}

}  // namespace ndsim::test::engine_times_test
