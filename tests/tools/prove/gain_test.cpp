// SPDX-License-Identifier: Apache-2.0
#include "tools/prove/gain.hpp"

#include "tests/support/catch.hpp"
#include "tests/tools/prove/results.hpp"

namespace ndsim::prove::gain_test {

using test::result;
using test::shares;

// The result of two generators of messages, and one of transfers.
Json run(std::uint64_t t, std::uint64_t u, std::uint64_t d, std::uint64_t latency = 100) {
    return result({{"traffic.t.goodput", t},
                   {"traffic.t.bytes", 1000},
                   {"traffic.t.message_rate", 1},
                   {"traffic.t.latency.mean", latency},
                   {"traffic.u.goodput", u},
                   {"traffic.u.bytes", 1000},
                   {"traffic.u.message_rate", 1},
                   {"traffic.u.latency.mean", 100},
                   {"dma.d.rate", d},
                   {"dma.d.bytes", 1000},
                   {"dma.d.transfer_rate", 1},
                   {"dma.d.latency.mean", 100}});
}

TEST_CASE("change: that of all generators together, in parts per million") {
    // 300 before, 360 and 270 behind: a fifth more, a tenth less.
    CHECK(change_of(Results{run(100, 100, 100)}, Results{run(100, 160, 100)}, {}).goodput == 200'000);
    CHECK(change_of(Results{run(100, 100, 100)}, Results{run(100, 70, 100)}, {}).goodput == -100'000);
    // One of three mean latencies is 30 % less, which is 10 % for each.
    CHECK(change_of(Results{run(100, 100, 100)}, Results{run(100, 100, 100, 70)}, {}).latency == -100'000);
}

TEST_CASE("change: only the named generators count") {
    CHECK(change_of(Results{run(100, 100, 100)}, Results{run(150, 50, 100)}, {"traffic.t"}).goodput == 500'000);
    CHECK(change_of(Results{run(100, 100, 100)}, Results{run(100, 100, 200)}, {"dma.d"}).goodput == 1'000'000);
    // 250 of t and u instead of 200; the 30 that d lost do not count.
    CHECK(change_of(Results{run(100, 100, 100)}, Results{run(150, 100, 70)}, {"traffic.t", "traffic.u"}).goodput ==
          250'000);
    CHECK(change_of(Results{run(100, 100, 100)}, Results{run(100, 100, 100, 70)}, {"traffic.t"}).latency == -300'000);
}

TEST_CASE("change: what a generator gets while all are measured goes before what it gets in all") {
    const auto shared = [](std::uint64_t goodput) {
        return result({{"traffic.t.goodput", 900},
                       {"traffic.t.bytes", 1000},
                       {"traffic.t.shared_goodput", goodput},
                       {"traffic.t.message_rate", 1}});
    };
    CHECK(change_of(Results{shared(100)}, Results{shared(150)}, {}).goodput == 500'000);
}

TEST_CASE("change: generators that had no part before do not count") {
    CHECK(change_of(shares(80, 0), shares(120, 20), {}).goodput == 500'000);
    CHECK(change_of(shares(80, 20), shares(100, 20), {}).goodput == 200'000);
}

TEST_CASE("change: of empty messages their rate") {
    const auto empty = [](std::uint64_t rate) {
        return result({{"traffic.t.goodput", 0}, {"traffic.t.message_rate", rate}});
    };
    CHECK(change_of(Results{empty(100)}, Results{empty(101)}, {}).goodput == 10'000);
}

// 1000 messages a second before, and 5000 bits a second of another time behind: no factor of 5.
TEST_CASE("change: goodput is not compared with message rates") {
    const auto shared = [](std::uint64_t goodput) {
        return Results{result(
            {{"traffic.t.bytes", 64'000}, {"traffic.t.shared_goodput", goodput}, {"traffic.t.message_rate", 1000}})};
    };
    CHECK(change_of(shared(0), shared(5000), {"traffic.t"}).goodput == 0);
    CHECK(change_of(shared(5000), shared(0), {"traffic.t"}).goodput == -1'000'000);
}

TEST_CASE("change: with several seeds that of their means") {
    // 900 and 300 are 600 in the mean, and so are 660 and 540. Two of 900 are half as much again.
    const Results before{run(700, 100, 100), run(100, 100, 100)};
    CHECK(change_of(before, Results{run(460, 100, 100), run(340, 100, 100)}, {}).goodput == 0);
    CHECK(change_of(before, Results{run(700, 100, 100), run(700, 100, 100)}, {}).goodput == 500'000);
}

TEST_CASE("change: chance brings as much as the best of the seeds has over the worst") {
    const Results results{run(100, 100, 100), run(130, 100, 100), run(85, 100, 100)};
    CHECK(spread_of(results, {}, false) == 157'894);             // 330 over 285
    CHECK(spread_of(results, {"traffic.t"}, false) == 529'411);  // 130 over 85
    CHECK(spread_of(results, {"traffic.u"}, false) == 0);
    CHECK(spread_of(Results{run(1, 1, 1)}, {}, false) == 0);
    // The latencies of arrivals: 100 and 80, by a quarter faster.
    const Results open{run(100, 100, 100, 100), run(100, 100, 100, 80)};
    CHECK(spread_of(open, {"traffic.t"}, true) == 250'000);
}

TEST_CASE("change: a gain is one of goodput, and of latency only where messages come by themselves") {
    CHECK(gain_of({120'000, 50'000}, false) == 120'000);  // a larger window
    CHECK(gain_of({0, -200'000}, false) == 0);
    CHECK(gain_of({0, -200'000}, true) == 250'000);     // through in 80 % of the time: by a quarter faster
    CHECK(gain_of({-30'000, -500'000}, true) == 0);     // less is through
    CHECK(gain_of({10'000, 300'000}, true) == 10'000);  // slower
    CHECK(gain_of({-5'000, 0}, false) == 0);
}

}  // namespace ndsim::prove::gain_test
