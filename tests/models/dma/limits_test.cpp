// SPDX-License-Identifier: Apache-2.0
#include "tests/models/dma/dma_bench.hpp"

namespace ndsim::test::limits_test {

// Four reads of 512 bytes at 0, the first of which is there at 300 ns; a fifth one.
Picoseconds fifth_leaves(const DmaBench::Sizes& sizes) {
    DmaBench bench(sizes);
    bench.at(0ns, [&] {
        for (std::uint32_t i = 0; i < 4; ++i) {
            CHECK(bench.read(kPayload, {{i * 512ULL, 512}}, i));
        }
    });
    bench.at(100ns, [&] { bench.answer(0, {260ns, 300ns}); });
    bench.at(300ns - 1_ps, [&] { CHECK(bench.read(kPayload, {{4096, 512}}, 4)); });
    bench.at(400ns, [&] {
        for (std::size_t i = 1; i < 5; ++i) {
            bench.answer(i, {500ns, 540ns});
        }
    });
    bench.run();
    REQUIRE(bench.link.reads.size() == 5);
    CHECK(Picoseconds(statistic(bench.dma, "reads_blocked")) == bench.link.reads[4].at - (300ns - 1_ps));
    check_at_rest(bench.dma);
    return bench.link.reads[4].at;
}

TEST_CASE("dma: without a tag a read waits for the last byte of the first completion", "[limit]") {
    CHECK(fifth_leaves({.tags = 4}) == 300ns);
}

TEST_CASE("dma: with one tag more it does not wait", "[limit]") {
    CHECK(fifth_leaves({.tags = 5}) == 300ns - 1_ps);
}

TEST_CASE("dma: with as many reads in flight as may be a read waits for the first to end", "[limit]") {
    CHECK(fifth_leaves({.reads = 4}) == 300ns);
}

TEST_CASE("dma: with one more read in flight allowed it does not wait", "[limit]") {
    CHECK(fifth_leaves({.reads = 5}) == 300ns - 1_ps);
}

// Two writes at 0, the first of which is on the link at 50 ns; a third one.
Picoseconds third_write_given(std::uint32_t writes_in_flight) {
    DmaBench bench({.writes = writes_in_flight});
    const auto write = [&bench] {
        WriteTrain train;
        train.to = Memory::kBase;
        train.length = 64;
        bench.dma.write(train, nullptr);
    };
    bench.at(0ns, [&] {
        write();
        write();
    });
    bench.at(10ns, [&] { bench.dma.write_scheduled(bench.link.writes.at(0).train.token, 50ns, 250ns); });
    bench.at(50ns - 1_ps, write);
    bench.run();
    REQUIRE(bench.link.writes.size() == 3);
    CHECK(Picoseconds(statistic(bench.dma, "writes_blocked")) == bench.link.writes[2].at - (50ns - 1_ps));
    return bench.link.writes[2].at;
}

TEST_CASE("dma: with as many writes in flight as may be a write waits for the first to be on the link", "[limit]") {
    CHECK(third_write_given(2) == 50ns);
}

TEST_CASE("dma: with one more write in flight allowed it does not wait", "[limit]") {
    CHECK(third_write_given(3) == 50ns - 1_ps);
}

// How many of eight requests a class may send at once.
std::uint32_t sent_at_once(ReadClass cls, const DmaBench::Sizes& sizes) {
    DmaBench bench(sizes);
    bench.at(0ns, [&] { CHECK(bench.read(cls, {{0, 8 * 512}}, 1)); });
    bench.run();
    REQUIRE(bench.link.reads.size() == 1);
    return bench.link.reads[0].train.length / 512;
}

TEST_CASE("dma: of twelve requests two are kept for each of the other four classes", "[limit]") {
    CHECK(sent_at_once(kPayload, {.tags = 12, .reserved = 2}) == 4);
}

TEST_CASE("dma: one request less kept for each is four more for who asks", "[limit]") {
    CHECK(sent_at_once(kPayload, {.tags = 12, .reserved = 1}) == 8);
}

TEST_CASE("dma: a sixth of all requests is kept for a class at most", "[limit]") {
    CHECK(sent_at_once(kPayload, {.tags = 12, .reserved = 100}) == 4);
}

// Five sixths of 9, 10, 11 and 12 requests are 7, 8, 9 and 10. Of 7 the first two classes keep two and the others one,
// so payload, the third, finds 9 - 6; of 8 it keeps two itself and finds 10 - 6; of 9 the fourth has two, too.
TEST_CASE("dma: with nine requests payload may send three") {
    CHECK(sent_at_once(kPayload, {.tags = 9, .reserved = 2}) == 3);
}
TEST_CASE("dma: with ten requests payload may send four") {
    CHECK(sent_at_once(kPayload, {.tags = 10, .reserved = 2}) == 4);
}
TEST_CASE("dma: with eleven requests payload may send four, and with twelve no fewer") {
    CHECK(sent_at_once(kPayload, {.tags = 11, .reserved = 2}) == 4);
}

TEST_CASE("dma: reads of the NIC's own tables leave the requests of all other classes alone", "[limit]") {
    CHECK(sent_at_once(ReadClass::context, {.tags = 12, .reserved = 2}) == 4);
}

}  // namespace ndsim::test::limits_test
