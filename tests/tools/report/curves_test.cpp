// SPDX-License-Identifier: Apache-2.0
// What curves are made of: thinning, knees, the axes of sweeps, ticks.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tools/report/csv_file.hpp"
#include "tools/report/depth_curves.hpp"
#include "tools/report/map_colours.hpp"
#include "tools/report/scale.hpp"
#include "tools/report/swept.hpp"
#include "tools/report/thin.hpp"
#include "tools/report/unfolded.hpp"

namespace ndsim::report::curves_test {

using Values = std::vector<std::optional<std::uint64_t>>;

std::vector<Point> line(std::size_t count) {
    std::vector<Point> points;
    for (std::size_t i = 0; i < count; ++i) {
        points.push_back({static_cast<double>(i), 0});
    }
    return points;
}

bool has(const std::vector<Point>& points, double x, double y) {
    return std::ranges::any_of(points, [&](const Point& point) { return point.x == x && point.y == y; });
}

TEST_CASE("report: the contrast of colours is that of WCAG 2") {
    CHECK(contrast("#ffffff", "#000000") == Catch::Approx(21));  // (1 + 0.05) / (0 + 0.05)
    CHECK(contrast("#777777", "#777777") == Catch::Approx(1));
    // 119/255 = 0.4667; ((0.4667 + 0.055) / 1.055)^2.4 = 0.1845; 1.05 / 0.2345.
    CHECK(contrast("#777777", "#ffffff") == Catch::Approx(4.478).epsilon(0.001));
}

TEST_CASE("report: a figure stands out in each colour of a map") {
    for (int i = 0; i <= 1000; ++i) {
        const std::string ground = map_colour(i / 1000.0);
        INFO(ground);
        CHECK(contrast(ink_on(ground), ground) >= 4.5);
    }
    for (int grey = 0; grey < 256; ++grey) {  // black and white meet at sqrt(1.05 x 0.05) = 0.229: 0.229 / 0.05 = 4.58
        const std::string ground = fmt::format("#{0:02x}{0:02x}{0:02x}", grey);
        CHECK(contrast(ink_on(ground), ground) >= 4.5);
    }
}

TEST_CASE("report: few points are not thinned") {
    CHECK(thinned(line(40), 10).size() == 40);
}

TEST_CASE("report: a peak of one point among many is kept, up and down, and so are both ends") {
    std::vector<Point> points = line(100'000);
    points[31'416].y = 7;
    points[27'182].y = -3;
    const std::vector<Point> kept = thinned(points, 100);
    CHECK(kept.size() <= 400);
    CHECK(has(kept, 31'416, 7));
    CHECK(has(kept, 27'182, -3));
    CHECK(has(kept, 0, 0));
    CHECK(has(kept, 99'999, 0));
    CHECK(std::ranges::is_sorted(kept, {}, &Point::x));
}

TEST_CASE("report: what a column begins and ends with is kept, so that a step stands where it is") {
    std::vector<Point> points;
    for (int i = 0; i < 1000; ++i) {
        points.push_back({static_cast<double>(i), i < 555 ? 0.0 : 1.0});
    }
    const std::vector<Point> kept = thinned(points, 10);  // columns of 99.9
    CHECK(has(kept, 555, 1));                             // the first of the highest of its column
}

TEST_CASE("report: a rising curve loses only points that are less than a step away from one that stays") {
    std::vector<Point> points;
    for (int i = 0; i <= 10'000; ++i) {
        points.push_back({static_cast<double>(i), static_cast<double>(i) * i});
    }
    const std::vector<Point> kept = thinned_rise(points, 100, false);
    CHECK(kept.size() < 250);  // at most 100 in either direction, and what lies next to them
    CHECK(kept.front().x == 0);
    CHECK(kept.back().x == 10'000);
    std::size_t at = 0;
    for (const Point& point : points) {
        while (at + 1 < kept.size() && kept[at + 1].x <= point.x) {
            ++at;
        }
        REQUIRE(point.x - kept[at].x <= 100);
        REQUIRE(point.y - kept[at].y <= 1'000'000);
    }
}

TEST_CASE("report: the knee is the first value from which on all are within 1 % of the best") {
    CHECK(knee_of(Values{10, 20, 40, 79, 99, 100, 100}) == 4);
    CHECK(knee_of(Values{10, 20, 40, 79, 98, 100, 100}) == 5);
    CHECK(knee_of(Values{10, 100, 50, 100, 100}) == 3);  // it fell again
    CHECK(knee_of(Values{50, 100, 99, 100}) == 1);
    CHECK(knee_of(Values{10, std::nullopt, 99, 100}) == 2);  // a point that failed
}

TEST_CASE("report: a curve that is flat, that goes on rising, or that falls has no knee") {
    CHECK_FALSE(knee_of(Values{100, 100, 100}));
    CHECK_FALSE(knee_of(Values{10, 20, 30}));
    CHECK_FALSE(knee_of(Values{100, 50, 25}));
    CHECK_FALSE(knee_of(Values{std::nullopt, std::nullopt}));
    CHECK_FALSE(knee_of(Values{}));
}

TEST_CASE("report: an axis of whole numbers or of one quantity has numbers, in a unit that suits") {
    const SweptAxis depths = swept_axis({{"nic.sq.depth"}, {{"1"}, {"8"}, {"64"}}, {}});
    CHECK(depths.values == std::vector<double>{1, 8, 64});
    CHECK(depths.label() == "nic.sq.depth");
    const SweptAxis sizes = swept_axis({{"traffic.t.size"}, {{"512 B"}, {"1 KiB"}, {"2 KiB"}}, {}});
    CHECK(sizes.values == std::vector<double>{0.5, 1, 2});
    CHECK(sizes.label() == "traffic.t.size [KiB]");
    CHECK(sizes.labels == std::vector<std::string>{"512 B", "1 KiB", "2 KiB"});
}

TEST_CASE("report: an axis of words, of mixed quantities or of a number twice is one of names") {
    CHECK_FALSE(swept_axis({{"profile"}, {{"documented"}, {"infiniband"}}, {}}).is_numeric());
    CHECK_FALSE(swept_axis({{"a"}, {{"1 us"}, {"1 KiB"}}, {}}).is_numeric());
    CHECK_FALSE(swept_axis({{"a"}, {{"4"}, {"4"}}, {}}).is_numeric());
}

// The plan says 8, 1, 4: in their order these are its second, third and first step.
TEST_CASE("report: numbers of an axis stand in their order, whatever the order in which they were run") {
    const SweptAxis axis = swept_axis({{"a"}, {{"8"}, {"1"}, {"4"}}, {}});
    CHECK(axis.labels == std::vector<std::string>{"1", "4", "8"});
    CHECK(axis.values == std::vector<double>{1, 4, 8});
    CHECK(axis.places == std::vector<std::size_t>{1, 2, 0});
    CHECK(axis.ranks == std::vector<std::size_t>{2, 0, 1});
    CHECK(axis.rises);
    // The first parameter rises with the second; of one that falls, and of words, there is no knee.
    CHECK(swept_axis({{"a", "b"}, {{"1", "2 m"}, {"1", "4 m"}}, {}}).rises);
    CHECK_FALSE(swept_axis({{"a", "b"}, {{"2", "2 m"}, {"1", "4 m"}}, {}}).rises);
    CHECK_FALSE(swept_axis({{"profile"}, {{"documented"}, {"infiniband"}}, {}}).rises);
}

TEST_CASE("report: of paths that change together, what is expected does not count, and equal values are said once") {
    const SweptAxis axis = swept_axis({{"nic.sq.depth", "traffic.t.window", "expect[0].at_least"},
                                       {{"8", "8", "1 Gbps"}, {"16", "16", "2 Gbps"}},
                                       {}});
    CHECK(axis.name == "nic.sq.depth, traffic.t.window");
    CHECK(axis.values == std::vector<double>{8, 16});
    const SweptAxis pair = swept_axis({{"link.length", "nic.sq.depth"}, {{"2 m", "2"}, {"10 km", "2"}}, {}});
    CHECK_FALSE(pair.is_numeric());
    CHECK(pair.labels == std::vector<std::string>{"2 m, 2", "10 km, 2"});
}

TEST_CASE("report: cells of a CSV in quotes have commas, quotes and line ends") {
    const auto lines = parse_csv("a,\"b,c\",\"d \"\"e\"\"\"\n,\"two\nlines\",\n");
    REQUIRE(lines);
    CHECK(*lines == std::vector<std::vector<std::string>>{{"a", "b,c", "d \"e\""}, {"", "two\nlines", ""}});
    CHECK_FALSE(parse_csv("a,\"b\n"));
}

TEST_CASE("report: ticks are round and within the axis") {
    CHECK(round_ticks(0, 10, 5) == std::vector<double>{0, 2, 4, 6, 8, 10});
    CHECK(tick_text(0.25, 0.05) == "0.25");
    CHECK(tick_text(-1e-17, 0.5) == "0.0");
    CHECK(short_number(98.0312) == "98.03");
    CHECK(short_number(120) == "120");
    CHECK(short_number(0.5) == "0.5");
}

// A finished sweep of one axis that varies a size, a depth and an expected value together; each point has the figure
// of its number.
Swept swept_together(const std::vector<std::vector<std::string>>& steps) {
    Swept swept{{}, {}, {{"rate", std::nullopt}}, {}, {}};
    swept.plan.axes = {Axis{{"t.size", "t.depth", "expect[0].at_least"}, steps, {}}};
    swept.axes = {swept_axis(swept.plan.axes.front())};
    for (std::size_t i = 0; i < steps.size(); ++i) {
        swept.points.push_back({{0, "finished", {}, 0, 0}, {i}, {}, {i + 1}});
    }
    return swept;
}

TEST_CASE("report: parameters that change together are curves over the second, one for each value of the first") {
    const auto grid = unfolded(swept_together({{"64 KiB", "20", "1"},
                                               {"64 KiB", "21", "2"},
                                               {"64 KiB", "128", "2"},
                                               {"8 MiB", "20", "3"},
                                               {"8 MiB", "128", "4"}}));
    REQUIRE(grid);
    REQUIRE(grid->axes.size() == 2);
    CHECK(grid->axes[0].labels == std::vector<std::string>{"64 KiB", "8 MiB"});
    CHECK(grid->axes[1].values == std::vector<double>{20, 21, 128});
    CHECK(grid->at({0, 1}).figures == Values{2});
    CHECK(grid->at({1, 0}).figures == Values{4});
    CHECK(grid->at({1, 1}).figures == Values{std::nullopt});  // was not run
    CHECK(grid->at({1, 2}).figures == Values{5});
    CHECK(grid->at({1, 2}).steps == std::vector<std::size_t>{1, 2});
}

TEST_CASE("report: parameters that change together stay one axis where a scale would say less") {
    CHECK_FALSE(unfolded(swept_together({{"1", "20", "1"}, {"2", "30", "1"}, {"3", "40", "1"}})));   // one each
    CHECK_FALSE(unfolded(swept_together({{"1", "on", "1"}, {"1", "off", "1"}, {"2", "on", "1"}})));  // words
    CHECK_FALSE(unfolded(swept_together({{"1", "20", "1"}, {"1", "20", "2"}, {"2", "30", "1"}})));   // twice the same
}

}  // namespace ndsim::report::curves_test
