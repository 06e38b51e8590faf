// SPDX-License-Identifier: Apache-2.0

#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

// Numbers follow docs/model/pcie.md with preset B: t(n) is n x 40625/608 ps, rounded up, one_way 135 ns, llc_read
// 120 ns, write_visible 80 ns, headers of 24 B (requests and writes) and 20 B (completions), MPS 256 B, MRRS 512 B.

namespace ndsim::test::dma_test {

constexpr std::uint64_t t(std::uint64_t bytes) {
    return (bytes * 40'625 + 607) / 608;
}
// Of a read whose completions come to so many bytes, headers included.
constexpr std::uint64_t read_latency(std::uint64_t completed) {
    return t(24) + 135'000 + 120'000 + 135'000 + t(completed);
}
constexpr std::uint64_t write_latency(std::uint64_t total) {
    return t(total) + 135'000 + 80'000;
}

void every_latency_is(const ChildResult& run, std::uint64_t picoseconds) {
    CHECK(run.metric("dma.t.latency.min") == picoseconds);
    CHECK(run.metric("dma.t.latency.max") == picoseconds);
    CHECK(run.metric("dma.t.latency.mean") == picoseconds);
}

// Saturated: `size` bytes of payload for each `total` bytes on the link.
void saturates(const ChildResult& run, std::uint64_t size, std::uint64_t total) {
    const double expected = static_cast<double>(size) * 8e12 * 608 / (static_cast<double>(total) * 40'625);
    CHECK(static_cast<double>(run.metric("dma.t.rate")) == Catch::Approx(expected).epsilon(1e-7));  // ends are whole ps
    CHECK(run.metric("dma.t.steady") == 1);
    CHECK(run.metric("dma.t.interval") < 10);  // ppm
}

TEST_CASE("dma: a read of 64 B takes what the link's formula says", "[formula]") {
    const ChildResult run = run_dma(R"("size": "64 B", "access": "random", "count": 200)");
    every_latency_is(run, read_latency(64 + 20));  // 397.217 ns
    CHECK(run.metric("dma.t.latency.count") == 180);
    CHECK(run.metric("dma.t.transfers") == 200);
    CHECK(run.metric("dma.t.bytes") == 12'800);
    CHECK(run.metric("A.pcie.read_requests") == 200);
}

TEST_CASE("dma: a read that does not begin on a line has a completion more", "[formula]") {
    // From byte 4 on, the first completion ends at byte 256, and the second one has 4 bytes.
    every_latency_is(run_dma(R"("size": "256 B", "offset": "4 B", "count": 50)"), read_latency(256 + 2 * 20));
}

TEST_CASE("dma: a write of 64 B is visible after what the link's formula says", "[formula]") {
    const ChildResult run = run_dma(R"("operation": "write", "count": 200)");
    every_latency_is(run, write_latency(64 + 24));  // 220.880 ns
    CHECK(run.metric("A.memory.bytes_written") >= 12'800);
}

TEST_CASE("dma: a write that is read back takes until it has left, and the read", "[formula]") {
    // The request follows the last byte of the write; the data is visible long before the request is answered.
    every_latency_is(run_dma(R"("operation": "write_read", "count": 50)"), t(64 + 24) + read_latency(64 + 20));
}

TEST_CASE("dma: reads and writes one after the other") {
    const ChildResult run = run_dma(R"("operation": "read_and_write", "count": 200)", {"measure.window=100"});
    CHECK(run.metric("dma.t.latency.min") == write_latency(88));
    CHECK(run.metric("dma.t.latency.max") == read_latency(84));
    CHECK(run.metric("dma.t.measured") == 100);
    // Two transfers of 64 B in 618.097 ns.
    const std::uint64_t pair = write_latency(88) + read_latency(84);
    CHECK(run.metric("dma.t.rate") == 8 * ((128 * 1'000'000'000'000 + pair / 2) / pair));
}

TEST_CASE("dma: with few reads in flight the rate is in_flight x size / latency") {
    const ChildResult run = run_dma(R"("in_flight": 4, "count": 600)", {"measure.warmup=100", "measure.window=400"});
    // The four keep the distance that the link gave them in the beginning, and do not meet again. Their ends are whole
    // picoseconds, so that a round may be one shorter.
    const double expected = 4 * 64 * 8e12 / static_cast<double>(read_latency(84));
    CHECK(static_cast<double>(run.metric("dma.t.rate")) == Catch::Approx(expected).epsilon(1e-5));
    CHECK(run.metric("A.dma_t.in_flight.high_water") == 4);
}

TEST_CASE("dma: with many reads in flight the rate is that of completions on the link") {
    // Two completions of 256 B answer a read of 512 B.
    saturates(run_dma(R"("size": "512 B", "in_flight": 64, "count": 3000)"), 512, 512 + 2 * 20);
}

TEST_CASE("dma: with many writes in flight the rate is that of writes on the link") {
    saturates(run_dma(R"("operation": "write", "size": "256 B", "in_flight": 64, "count": 3000)"), 256, 256 + 24);
}

TEST_CASE("dma: the distance of the issues bounds the rate", "[formula]") {
    const ChildResult run = run_dma(R"("size": "64 B", "in_flight": 33, "issue": "23.8 ns", "count": 2000)");
    every_latency_is(run, read_latency(84));
    CHECK(run.metric("dma.t.transfer_rate") == 42'016'807);   // 1 / 23.8 ns is 42'016'806.7
    CHECK(run.metric("dma.t.rate") == 8 * 2'689'075'630);     // 64 B / 23.8 ns is 2'689'075'630.3
    CHECK(run.metric("A.dma_t.in_flight.high_water") == 17);  // 397.2 / 23.8, rounded up
}

TEST_CASE("dma: reads that wait for tags, of two generators on one host, come to their end") {
    const std::string of = R"({"host": "A", "size": "4 KiB", "in_flight": 8, "count": 300, "operation": )";
    const ChildResult run = finish_text(R"({"hosts": {"A": {"nic": {"dma_reads_in_flight": 4}}}, "dma": {"r": )" + of +
                                        R"("read"}, "wr": )" + of + R"("write_read"}}})");
    CHECK(run.metric("dma.r.transfers") == 300);
    CHECK(run.metric("dma.wr.transfers") == 300);
    CHECK(run.metric("A.dma_r.read_bytes") == 300 * 4096);
    CHECK(run.metric("A.dma_wr.written_bytes") == 300 * 4096);
}

TEST_CASE("dma: beside traffic, each is measured by itself, and both take part in the warm-up") {
    // Four reads of 512 B in flight, 428.487 ns each: 38.24 Gb/s at most, and little less, for messages leave PCIe idle
    // for most of the time.
    const ChildResult run = finish_text(
        R"({"hosts": {"A": {}, "B": {}}, "traffic": {"m": {"from": "A", "to": "B", "count": 300}},
            "dma": {"r": {"host": "B", "size": "512 B", "in_flight": 4, "count": 3000}},
            "expect": [{"metric": "dma.r.latency.min", "at_least": "428 ns", "at_most": "429 ns"},
                       {"metric": "dma.r.rate", "at_least": "35 Gbps", "at_most": "38.25 Gbps"},
                       {"metric": "traffic.m.goodput", "at_least": "90 Gbps"}]})");
    CHECK(run.metric("traffic.m.messages") == 300);
    CHECK(run.metric("dma.r.transfers") == 3000);
}

TEST_CASE("dma: a run that is stopped says how far a generator has come") {
    const ChildResult run =
        run_text(R"({"hosts": {"A": {}}, "dma": {"t": {"host": "A", "count": 1000000}}, "limits": {"items": 1000}})");
    CHECK(run.outcome == RunOutcome::item_limit);
    CHECK_THAT(run.why, Catch::Matchers::ContainsSubstring("; dma t: ") &&
                            Catch::Matchers::ContainsSubstring(" of 1000000 transfers issued, ") &&
                            Catch::Matchers::EndsWith(" ended on A"));
}

TEST_CASE("dma: random places depend on the seed, and on nothing else") {
    const std::string keys = R"("operation": "write", "access": "random", "window": "1 MiB", "count": 300)";
    CHECK(run_dma(keys).metrics == run_dma(keys).metrics);
}

}  // namespace ndsim::test::dma_test
