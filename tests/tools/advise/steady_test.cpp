// SPDX-License-Identifier: Apache-2.0
#include "tools/advise/steady.hpp"

#include <cstdint>
#include <vector>

#include "tests/support/catch.hpp"

using namespace ndsim::advise;

namespace steady_test {

// Judges points; `reached` is in parts per million of the target.
Oracle oracle_of(std::uint64_t (*reached)(const Depths&)) {
    return [reached](const std::vector<Depths>& points) {
        std::vector<Trial> trials;
        for (const Depths& point : points) {
            Trial& trial = trials.emplace_back();
            trial.judgement.worst_ppm = reached(point);
            trial.judgement.verdict = trial.judgement.worst_ppm >= 1'000'000 ? Verdict::met : Verdict::missed;
        }
        return trials;
    };
}

TEST_CASE("steady: more of a dimension is one more, the powers of two above that, and the most generous depth") {
    const std::vector<Span> spans{{1, 20}, {4, 4}, {0, 3}};
    std::vector<Depths> raised;
    for (const Raise& raise : raises_of({3, 4, 1}, spans)) {
        raised.push_back({raise.dimension, raise.depth});
    }
    CHECK(raised == std::vector<Depths>{{0, 4}, {0, 8}, {0, 16}, {0, 20}, {2, 2}, {2, 3}});
    CHECK(raises_of({20, 4, 3}, spans).empty());
}

// A short queue of 3 requests fills the wire while there are 18 or 19 tags; with more of them it takes 4 requests.
std::uint64_t bunches(const Depths& d) {
    const bool holds = d[1] >= 18 && d[0] >= (d[1] < 20 ? 3 : 4);
    return holds ? 1'000'000 : 1'000'000 - d[1];
}

TEST_CASE("steady: a point breaks if more of another dimension breaks it, and the worst raise is told") {
    const std::vector<Span> spans{{1, 64}, {1, 256}};
    Search quiet(spans, oracle_of(bunches));
    Steady steady(spans, quiet, oracle_of(bunches));
    const std::vector<Trial> trials = steady.trials_of({{3, 18}, {4, 18}, {2, 18}});
    CHECK_FALSE(trials[0].holds());
    REQUIRE(trials[0].raised);
    CHECK(trials[0].raised->dimension == 1);
    CHECK(trials[0].raised->depth == 256);
    CHECK(trials[1].holds());
    CHECK_FALSE(trials[1].raised);
    CHECK_FALSE(trials[2].holds());
    CHECK_FALSE(trials[2].raised);  // by itself
}

TEST_CASE("steady: the search with it finds depths that more cannot break, and one less is broken by more") {
    const std::vector<Span> spans{{1, 64}, {1, 256}};
    Search quiet(spans, oracle_of(bunches));
    Steady steady(spans, quiet, oracle_of(bunches));
    Search search(spans, [&](const std::vector<Depths>& points) { return steady.trials_of(points); });
    const Joint joint = search.joint({0, 1}, {3, 18});
    CHECK(joint.depths == Depths{4, 18});
    REQUIRE(joint.one_less[0]);
    CHECK(joint.one_less[0]->raised);        // 3 hold with 18 tags
    CHECK_FALSE(joint.one_less[1]->raised);  // 17 tags do not
}

// Late software takes 64 tags a hundredth below the target, where the quiet run just reaches it. The worst of each
// dimension is tried: 64 tags, and of the queue, which always has a tenth to spare, the most generous depth.
TEST_CASE("steady: of each dimension the worst raise is tried, and the most generous of equals") {
    static std::vector<Depths> tried;
    const std::vector<Span> spans{{1, 64}, {1, 256}};
    Search quiet(spans, oracle_of([](const Depths& d) -> std::uint64_t { return d[1] == 64 ? 1'000'000 : 1'100'000; }));
    Steady steady(spans, quiet, oracle_of([](const Depths& d) -> std::uint64_t {
                      tried.push_back(d);
                      return d[1] == 64 ? 990'000 : 1'100'000;
                  }));
    const Trial trial = steady.trials_of({{4, 18}}).front();
    CHECK(tried == std::vector<Depths>{{4, 18}, {4, 64}, {64, 18}});
    CHECK_FALSE(trial.holds());
    REQUIRE(trial.raised);
    CHECK(trial.raised->dimension == 1);
    CHECK(trial.raised->depth == 64);
}

}  // namespace steady_test
