// SPDX-License-Identifier: Apache-2.0
#include "sim/files/change_order.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "sim/base/rng.hpp"
#include "tests/support/catch.hpp"

namespace ndsim::test::change_order_test {

// Time, signal, value.
using Row = std::tuple<std::int64_t, std::uint32_t, std::uint64_t>;

std::vector<WaveChange> changes_of(const std::vector<Row>& rows) {
    std::vector<WaveChange> changes;
    for (const auto& [at, signal, value] : rows) {
        changes.push_back({Picoseconds{at}, value, signal});
    }
    return changes;
}

std::vector<Row> rows_of(std::span<const WaveChange> changes) {
    std::vector<Row> rows;
    for (const WaveChange& change : changes) {
        rows.emplace_back(change.at.count(), change.signal, change.value);
    }
    return rows;
}

TEST_CASE("change order: by time, then by signal, and those of one signal at one time keep their order") {
    ChangeOrder order;
    std::vector<WaveChange> changes = changes_of({{70, 1, 5}, {30, 2, 6}, {30, 0, 9}, {70, 1, 4}, {30, 0, 8}});
    CHECK(rows_of(order.take(changes, Picoseconds{30}, Picoseconds{71})) ==
          std::vector<Row>{{30, 0, 9}, {30, 0, 8}, {30, 2, 6}, {70, 1, 5}, {70, 1, 4}});
    CHECK(changes.empty());
}

TEST_CASE("change order: changes at the limit and later stay, in the order in which they came") {
    ChangeOrder order;
    std::vector<WaveChange> changes = changes_of({{100, 3, 1}, {99, 0, 2}, {100, 0, 3}, {400, 0, 4}, {50, 1, 5}});
    CHECK(rows_of(order.take(changes, Picoseconds{0}, Picoseconds{100})) == std::vector<Row>{{50, 1, 5}, {99, 0, 2}});
    CHECK(rows_of(changes) == std::vector<Row>{{100, 3, 1}, {100, 0, 3}, {400, 0, 4}});
    CHECK(order.take(changes, Picoseconds{100}, Picoseconds{100}).empty());
    CHECK(changes.size() == 3);
}

// 3,000 changes within 1 s of which all but one come in one microsecond: they share a span of 1 s / 16,384 = 61 us.
// In the second case each time has three signals, and the spans are of 1 ps.
TEST_CASE("change order: many changes in one span, and few in each, are in the order of a stable sort") {
    for (const std::int64_t width : {1'000'000, 1'000}) {
        Rng rng(7, "changes");
        std::vector<WaveChange> changes;
        for (std::uint64_t i = 0; i < 3'000; ++i) {
            const auto at = static_cast<std::int64_t>(rng.between(0, static_cast<std::uint64_t>(width) - 1));
            changes.push_back({Picoseconds{at}, i, static_cast<std::uint32_t>(rng.between(0, 2))});
        }
        const std::int64_t last = width == 1'000 ? width : 1'000'000'000'000;
        changes.push_back({Picoseconds{last}, 0, 0});
        std::vector<WaveChange> expected = changes;
        std::ranges::stable_sort(expected, {}, [](const WaveChange& c) { return std::tuple(c.at, c.signal); });
        ChangeOrder order;
        CHECK(rows_of(order.take(changes, Picoseconds{0}, Picoseconds{last + 1})) == rows_of(expected));
    }
}

}  // namespace ndsim::test::change_order_test
