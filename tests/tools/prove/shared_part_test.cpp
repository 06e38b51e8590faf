// SPDX-License-Identifier: Apache-2.0
#include "tools/prove/shared_part.hpp"

#include "tests/support/catch.hpp"
#include "tests/tools/prove/results.hpp"

namespace ndsim::prove::shared_part_test {

using test::result;
using test::shares;

// With more of a limit one generator ends before the other is warm.
TEST_CASE("part: whether the same generators are measured side by side") {
    CHECK(have_same_part(shares(80, 20), shares(120, 20)));
    CHECK_FALSE(have_same_part(shares(80, 20), shares(0, 20)));
    CHECK_FALSE(have_same_part(shares(0, 20), shares(80, 20)));
    CHECK(have_same_part(Results{result({{"traffic.t.goodput", 1}, {"traffic.t.message_rate", 1}})},
                         Results{result({{"traffic.t.goodput", 2}, {"traffic.t.message_rate", 1}})}));
}

// 10 messages of 100 bytes in 1 ms are 8 Mbit/s.
Results in_a_ms(std::uint64_t messages_of_t, std::uint64_t messages_of_u) {
    const auto goodput = [](std::uint64_t messages) { return messages * 100 * 8 * 1000; };
    return {result({{"run.measured", 1'000'000'000},
                    {"traffic.t.messages", 500},
                    {"traffic.t.bytes", 50'000},
                    {"traffic.t.shared_goodput", goodput(messages_of_t)},
                    {"traffic.t.message_rate", 1},
                    {"traffic.u.messages", 500},
                    {"traffic.u.bytes", 50'000},
                    {"traffic.u.shared_goodput", goodput(messages_of_u)},
                    {"traffic.u.message_rate", 1}})};
}

Results with_intervals(Results results, std::uint64_t of_t, std::uint64_t of_u) {
    results.front()["metrics"]["traffic.t.shared_interval"] = {{"value", of_t}};
    results.front()["metrics"]["traffic.u.shared_interval"] = {{"value", of_u}};
    return results;
}

TEST_CASE("doubt: a generator that moved nothing while all were measured") {
    CHECK(doubt_of(in_a_ms(0, 30), {"traffic.t"}) ==
          "moves no data of traffic.t while all generators are measured (raise their count)");
    CHECK(doubt_of(in_a_ms(0, 30), {"traffic.u"}).empty());
    CHECK(doubt_of(in_a_ms(0, 30), {}).empty());
    CHECK_FALSE(doubt_of(in_a_ms(0, 0), {}).empty());
}

TEST_CASE("doubt: fewer than 20 messages while all were measured, and no interval of their rate") {
    const std::string_view kTooShort = "measures its generators side by side for too short a time (raise their count)";
    CHECK(doubt_of(in_a_ms(9, 10), {}) == kTooShort);
    CHECK(doubt_of(in_a_ms(10, 10), {}).empty());
    CHECK(doubt_of(in_a_ms(10, 10), {"traffic.t"}) == kTooShort);
    CHECK(doubt_of(with_intervals(in_a_ms(1, 1), 10'000, 10'000), {}).empty());  // long messages
    // Ten messages of t, give or take 15, and 20 of u, give or take 8 or 16: the 30 are certain to 23 or 31.
    CHECK(doubt_of(with_intervals(in_a_ms(10, 20), 1'500'000, 400'000), {}).empty());
    CHECK(doubt_of(with_intervals(in_a_ms(10, 20), 1'500'000, 800'000), {}) == kTooShort);
    CHECK(doubt_of(with_intervals(in_a_ms(10, 20), 1'500'000, 400'000), {"traffic.t"}) == kTooShort);
    // With another seed.
    CHECK(doubt_of({in_a_ms(30, 30).front(), in_a_ms(9, 10).front()}, {}) == kTooShort);
}

TEST_CASE("doubt: none of one generator, of empty messages, and without generators") {
    CHECK(doubt_of({result({{"traffic.t.bytes", 100}, {"traffic.t.goodput", 1}, {"traffic.t.message_rate", 1}})},
                   {"traffic.t"})
              .empty());
    CHECK(doubt_of({result({{"traffic.t.bytes", 0}, {"traffic.t.shared_goodput", 0}, {"traffic.t.message_rate", 1}})},
                   {"traffic.t"})
              .empty());
    CHECK(doubt_of({result({})}, {}).empty());
}

// A load of the host that ended before all generators were measured, and does so no longer with more of its limit.
TEST_CASE("doubt: transfers of the host that moved nothing side by side have no part") {
    const auto with_rate = [](std::uint64_t rate) {
        return Results{result({{"traffic.t.bytes", 100},
                               {"traffic.t.shared_goodput", 9},
                               {"traffic.t.message_rate", 1},
                               {"dma.d.transfer_rate", 5},
                               {"dma.d.rate", 7},
                               {"dma.d.shared_rate", rate}})};
    };
    CHECK_FALSE(takes_part(with_rate(0), "dma.d"));
    CHECK(takes_part(with_rate(3), "dma.d"));
    CHECK_FALSE(have_same_part(with_rate(3), with_rate(0)));
    CHECK(have_same_part(with_rate(3), with_rate(4)));
}

TEST_CASE("doubt: data of messages that all failed are those of no message") {
    CHECK_FALSE(
        doubt_of({result({{"traffic.t.bytes", 0}, {"traffic.t.shared_goodput", 9}, {"traffic.t.message_rate", 0}})},
                 {"traffic.t"})
            .empty());
}

}  // namespace ndsim::prove::shared_part_test
