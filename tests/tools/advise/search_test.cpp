// SPDX-License-Identifier: Apache-2.0
#include "tools/advise/search.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "tests/support/catch.hpp"

using namespace ndsim::advise;

namespace search_test {

Trial trial(bool holds) {
    Trial trial;
    trial.judgement.verdict = holds ? Verdict::met : Verdict::missed;
    return trial;
}

// A search whose points hold as the rule says; it counts how many were asked for, and that none is asked for twice.
struct Asked {
    std::size_t points = 0;
    std::size_t batches = 0;
    std::vector<Depths> all;
};
Search search_of(std::vector<Span> spans, std::function<bool(const Depths&)> rule, Asked& asked) {
    return {std::move(spans), [rule = std::move(rule), &asked](const std::vector<Depths>& points) {
                std::vector<Trial> trials;
                for (const Depths& point : points) {
                    CHECK(std::ranges::count(asked.all, point) == 0);
                    asked.all.push_back(point);
                    trials.push_back(trial(rule(point)));
                }
                asked.points += points.size();
                ++asked.batches;
                return trials;
            }};
}

TEST_CASE("search: a curve ends at neighbours, of which one fails and the other holds") {
    Asked asked;
    Search search = search_of(
        {{1, 512}, {1, 16}}, [](const Depths& d) { return d[0] >= 37 && d[1] >= 3; }, asked);
    const std::vector<Curve> curves = search.curves({0, 1});
    REQUIRE(curves.size() == 2);
    CHECK(curves[0].smallest == 37);
    CHECK_FALSE(curves[0].steps.at(36).holds());
    CHECK(curves[0].steps.at(37).holds());
    CHECK_FALSE(curves[0].exception);
    CHECK(curves[1].smallest == 3);
    // Powers of two and the ends are on the curve, and three depths behind the smallest.
    for (const std::uint64_t depth : {1U, 2U, 4U, 8U, 16U, 32U, 64U, 128U, 256U, 512U, 38U, 39U, 40U}) {
        CHECK(curves[0].steps.contains(depth));
    }
    // 10 powers, 5 halvings (48, 40, 36, 38, 37), and 39 behind, as 38 and 40 are known; 5 powers, 1 halving (3), and 5
    // and 6 behind. The generous point is on both: 16 + 8 - 1.
    CHECK(asked.points == 23);
}

TEST_CASE("search: the deepest fall of the goodput is told, and one of a hundredth is none") {
    // Of depths 1, 2, 4, 8, 16: 8 gives 900 and 4 had given 1000, which is the deepest; 16 is 20 below that of 4.
    const std::map<std::uint64_t, std::uint64_t> goodput{{1, 500}, {2, 496}, {4, 1000}, {8, 900}, {16, 980}};
    for (const bool has_fall : {true, false}) {
        Search search({{1, 16}}, [&](const std::vector<Depths>& points) {
            std::vector<Trial> trials;
            for (const Depths& point : points) {
                trials.push_back(trial(false));  // so that only powers of two are tried
                const std::uint64_t known = goodput.at(point.front());
                trials.back().goodput_of_all = has_fall || point.front() < 8 ? known : 991;
            }
            return trials;
        });
        const Curve curve = search.curves({0}).front();
        REQUIRE(curve.fall.has_value() == has_fall);
        if (has_fall) {
            CHECK(curve.fall->from == 4);
            CHECK(curve.fall->to == 8);
        }
    }
}

TEST_CASE("search: a depth that fails although a smaller one holds is told, and the answer is behind it") {
    Asked asked;
    Search saw = search_of(
        {{1, 64}}, [](const Depths& d) { return d[0] >= 6 && d[0] != 16; }, asked);
    const Curve curve = saw.curves({0}).front();
    CHECK(curve.exception == 16);
    CHECK(curve.smallest == 17);

    // A tooth just behind the smallest depth is between no powers of two: 8 holds, 9 fails.
    Search tooth = search_of(
        {{1, 64}}, [](const Depths& d) { return d[0] >= 8 && d[0] != 9; }, asked = {});
    const Curve behind = tooth.curves({0}).front();
    CHECK(behind.exception == 9);
    CHECK(behind.smallest == 10);
}

// 5 is open, and so is 16, which is behind depths that hold: the answer is behind it, and it is not said to fail.
TEST_CASE("search: what is open neither holds nor fails") {
    const Oracle oracle = [](const std::vector<Depths>& points) {
        std::vector<Trial> trials(points.size());
        for (std::size_t i = 0; i < points.size(); ++i) {
            const std::uint64_t depth = points[i].front();
            trials[i].judgement.verdict = depth == 5 || depth == 16 ? Verdict::open
                                          : depth < 5               ? Verdict::missed
                                                                    : Verdict::met;
        }
        return trials;
    };
    Search search({{1, 64}}, oracle);
    const Curve curve = search.curves({0}).front();
    CHECK(curve.steps.at(8).holds());
    CHECK(curve.steps.at(16).is_open());
    CHECK(curve.smallest == 17);
    CHECK_FALSE(curve.exception);
    CHECK(search.smallest(0, 5) == 6);
    const Joint joint = search.joint({0}, {5});
    CHECK(joint.depths == Depths{6});
    CHECK(joint.trial.holds());
    CHECK(joint.one_less[0]->is_open());
    // More than enough of everything is open itself: nothing is known to be enough.
    CHECK_FALSE(Search({{1, 16}}, oracle).smallest(0, 8));
}

TEST_CASE("search: the lowest depth may be enough, and the most generous one not") {
    Asked asked;
    Search easy = search_of(
        {{1, 64}, {0, 8}}, [](const Depths&) { return true; }, asked);
    const std::vector<Curve> curves = easy.curves({0, 1});
    CHECK(curves[0].smallest == 1);
    CHECK(curves[1].smallest == 0);
    Search hard = search_of(
        {{1, 64}}, [](const Depths&) { return false; }, asked = {});
    CHECK_FALSE(hard.curves({0}).front().smallest);
}

TEST_CASE("search: depths that are enough together, none of which can be one less") {
    // A product must be reached: what one dimension saves another must have.
    Asked asked;
    Search search = search_of(
        {{1, 64}, {1, 64}}, [](const Depths& d) { return d[0] * d[1] >= 100; }, asked);
    const Joint first = search.joint({0, 1}, {1, 1});
    CHECK(first.depths == Depths{2, 50});  // 2 x 64 >= 100 > 1 x 64; then 2 x 50
    CHECK(first.trial.holds());
    CHECK_FALSE(first.one_less[0]->holds());
    CHECK_FALSE(first.one_less[1]->holds());
    const Joint second = search.joint({1, 0}, {64, 64});
    CHECK(second.depths == Depths{50, 2});
    CHECK(pareto_front({first, second, first}).size() == 2);
}

TEST_CASE("search: the smallest depth is found from wherever it is looked for") {
    for (const std::uint64_t near : {1U, 36U, 37U, 38U, 50U, 512U}) {
        Asked asked;
        Search search = search_of(
            {{1, 512}, {3, 3}}, [](const Depths& d) { return d[0] >= 37; }, asked);
        CHECK(search.smallest(0, near) == 37);
        if (near == 37) {
            CHECK(asked.points == 3);  // the most generous, 37, and 36
        }
        // 512, and a step for each doubling on the way from `near`, and for each halving behind it: 9 + 9 at most.
        CHECK(asked.points <= 1 + 18 + 1);
        // What has one depth is not searched, and has none less.
        const Joint joint = search.joint({0, 1}, {near, 3});
        CHECK(joint.depths == Depths{37, 3});
        CHECK(joint.one_less[0].has_value());
        CHECK_FALSE(joint.one_less[1]);
    }
    Asked asked;
    Search never = search_of(
        {{1, 8}}, [](const Depths&) { return false; }, asked);
    CHECK_FALSE(never.smallest(0, 4));
    Search always = search_of(
        {{1, 8}}, [](const Depths&) { return true; }, asked = {});
    CHECK(always.smallest(0, 4) == 1);
}

TEST_CASE("search: the front has none that another one beats") {
    const auto joint = [](Depths depths) { return Joint{std::move(depths), {}, {}}; };
    const std::vector<Joint> front = pareto_front({joint({4, 4}), joint({3, 4}), joint({5, 2}), joint({5, 3})});
    REQUIRE(front.size() == 2);
    CHECK(front[0].depths == Depths{3, 4});
    CHECK(front[1].depths == Depths{5, 2});
}

TEST_CASE("search: it ends when nobody answers") {
    struct Stopped {};
    Search search({{1, 8}}, [](const std::vector<Depths>&) -> std::vector<Trial> { throw Stopped(); });
    CHECK_THROWS_AS(search.curves({0}), Stopped);
}

}  // namespace search_test
