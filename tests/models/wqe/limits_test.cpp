// SPDX-License-Identifier: Apache-2.0
#include "tests/models/wqe/wqe_bench.hpp"

namespace ndsim::test::limits_test {

WqeParams with_cache(std::uint32_t units) {
    WqeParams params = WqeBench::fast();
    params.wqe_cache = units;
    return params;
}

// One queue holds 16 units and cannot send before 3 us; another one gets a WQE at 2 us. When is that read?
Picoseconds other_is_read(std::uint32_t wqe_cache) {
    WqeBench bench(with_cache(wqe_cache));
    bench.messages.blocked[kQp] = Stall::psn_window;
    bench.at(0ns, [&] { bench.post(kQp, 16); });
    bench.at(2us, [&] { bench.post(kQp2, 1); });
    bench.at(3us, [&] {
        bench.messages.blocked.clear();
        bench.engine.resume_qp(kQp);
    });
    bench.run();
    REQUIRE(bench.dma.reads.size() == 3);
    CHECK(bench.messages.begun.size() == 17);
    bench.check_done();
    return bench.dma.reads[2].at;
}

TEST_CASE("wqe: with the cache full of WQEs a read waits until the first message gives its units back", "[limit]") {
    CHECK(other_is_read(16) == 3us);
}

TEST_CASE("wqe: with room for one unit more it does not wait", "[limit]") {
    CHECK(other_is_read(17) == 2us);
}

// One queue holds `held` units in a cache of 16, and another one's WQE of one unit is pushed.
std::uint64_t pushed_taken(std::uint32_t held) {
    WqeBench bench(with_cache(16));
    bench.messages.blocked[kQp] = Stall::psn_window;
    bench.at(0ns, [&] { bench.post(kQp, held); });
    bench.at(2us, [&] {
        bench.build(kQp2);
        bench.push_doorbell(kQp2, 1);
    });
    bench.at(3us, [&] {
        bench.messages.blocked.clear();
        bench.engine.resume_qp(kQp);
    });
    bench.run();
    CHECK(bench.messages.begun.size() == held + 1);
    bench.check_done();
    return statistic(bench.engine, "pushed_taken");
}

TEST_CASE("wqe: a pushed WQE takes the cache's last unit", "[limit]") {
    CHECK(pushed_taken(15) == 1);
}

TEST_CASE("wqe: a pushed WQE that finds the cache full is fetched later", "[limit]") {
    CHECK(pushed_taken(16) == 0);
}

TEST_CASE("wqe: a queue holds two batches ahead, and reads on when a message has given a unit back", "[limit]") {
    WqeBench bench;  // a batch of 8 units, a large cache
    bench.messages.blocked[kQp] = Stall::psn_window;
    bench.at(0ns, [&] { bench.post(kQp, 32); });
    bench.at(5us - 1_ps, [&] { CHECK(bench.dma.reads.size() == 2); });
    bench.at(5us, [&] {
        bench.messages.blocked.clear();
        bench.engine.resume_qp(kQp);
    });
    bench.run();
    REQUIRE(bench.dma.reads.size() == 4);
    for (const auto& read : bench.dma.reads) {
        CHECK(read.pieces.at(0).length == 8 * 64);
    }
    CHECK(bench.dma.reads[2].at == 5us);
    CHECK(bench.messages.begun.size() == 32);
    bench.check_done();
}

// A message each from two queue pairs at 0; the next of the first one is wanted 1 ps before the rate allows it.
std::vector<Picoseconds> starts(Frequency per_qp, Frequency global, Picoseconds wanted) {
    WqeParams params;
    params.per_qp_rate = per_qp;
    params.global_rate = global;
    WqeBench bench(params);
    const auto push = [&bench] {
        bench.build(kQp);
        bench.push_doorbell(kQp, 1);
    };
    bench.at(0ns, push);
    bench.at(wanted, push);
    bench.run();
    std::vector<Picoseconds> result;
    for (const auto& begun : bench.messages.begun) {
        result.push_back(begun.at);
    }
    bench.check_done();
    return result;
}
using Times = std::vector<Picoseconds>;
constexpr Frequency kMega{1'000'000};  // one in a microsecond
constexpr Frequency kFast{10'000'000'000};

TEST_CASE("wqe: a queue pair's next message waits for its rate by the picosecond that is missing", "[limit]") {
    CHECK(starts(kMega, kFast, 1us - 1_ps) == Times{0ns, 1us});
}

TEST_CASE("wqe: a queue pair's next message starts at once when its rate allows it", "[limit]") {
    CHECK(starts(kMega, kFast, 1us + 1_ps) == Times{0ns, 1us + 1_ps});
}

TEST_CASE("wqe: the NIC's next message waits for its rate by the picosecond that is missing", "[limit]") {
    CHECK(starts(kFast, kMega, 1us - 1_ps) == Times{0ns, 1us});
}

TEST_CASE("wqe: the NIC's next message starts at once when its rate allows it", "[limit]") {
    CHECK(starts(kFast, kMega, 1us + 1_ps) == Times{0ns, 1us + 1_ps});
}

// A message at 0 whose last packet is built at 500 ns; another one is wanted 1 ps before that.
Picoseconds second_starts(std::uint32_t sq_in_flight) {
    WqeParams params = WqeBench::fast();
    params.sq_in_flight = sq_in_flight;
    WqeBench bench(params);
    bench.messages.build_time = 500ns;
    bench.at(0ns, [&] {
        bench.build(kQp);
        bench.push_doorbell(kQp, 1);
    });
    bench.at(500ns - 1_ps, [&] {
        bench.build(kQp2);
        bench.push_doorbell(kQp2, 1);
    });
    bench.run();
    REQUIRE(bench.messages.begun.size() == 2);
    bench.check_done();
    return bench.messages.begun[1].at;
}

TEST_CASE("wqe: without a slot for work in process a message waits until the first one is built", "[limit]") {
    CHECK(second_starts(1) == 500ns);
}

TEST_CASE("wqe: with one slot more it does not wait", "[limit]") {
    CHECK(second_starts(2) == 500ns - 1_ps);
}

}  // namespace ndsim::test::limits_test
