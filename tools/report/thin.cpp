// SPDX-License-Identifier: Apache-2.0
#include "tools/report/thin.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace ndsim::report {

namespace {

constexpr std::size_t kOfColumn = 4;

bool is_lower(const Point& a, const Point& b) {
    return a.y < b.y;
}

// Appends the points of a column, [begin, end), that will be visible.
void keep_of_column(const std::vector<Point>& points, std::size_t begin, std::size_t end, std::vector<Point>& kept) {
    const auto first = points.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last = points.begin() + static_cast<std::ptrdiff_t>(end);
    const auto index = [&](auto found) { return static_cast<std::size_t>(found - points.begin()); };
    std::array<std::size_t, kOfColumn> seen{begin, index(std::min_element(first, last, is_lower)),
                                            index(std::max_element(first, last, is_lower)), end - 1};
    std::ranges::sort(seen);
    for (std::size_t i = 0; i < seen.size(); ++i) {
        if (i == 0 || seen.at(i) != seen.at(i - 1)) {
            kept.push_back(points[seen.at(i)]);
        }
    }
}

}  // namespace

std::vector<Point> thinned(std::vector<Point> points, std::size_t columns) {
    if (points.size() <= kOfColumn * columns) {
        return points;
    }
    const double low = points.front().x;
    const double width = (points.back().x - low) / static_cast<double>(columns);
    std::vector<Point> kept;
    std::size_t begin = 0;
    for (std::size_t column = 1; begin < points.size(); ++column) {
        std::size_t end = begin;
        while (end < points.size() &&
               (column >= columns || points[end].x < low + width * static_cast<double>(column))) {
            ++end;
        }
        if (end > begin) {
            keep_of_column(points, begin, end, kept);
        }
        begin = end;
    }
    return kept;
}

std::vector<Point> thinned_rise(std::vector<Point> points, std::size_t steps, bool logarithmic) {
    if (points.size() <= steps) {
        return points;
    }
    const auto place = [logarithmic](double x) { return logarithmic ? std::log(x) : x; };
    const double wide = (place(points.back().x) - place(points.front().x)) / static_cast<double>(steps);
    const double high = (points.back().y - points.front().y) / static_cast<double>(steps);
    std::vector<Point> kept{points.front()};
    for (std::size_t i = 1; i < points.size(); ++i) {
        const bool is_last = i + 1 == points.size();
        const Point& next = points[is_last ? i : i + 1];
        if (is_last || place(next.x) - place(kept.back().x) > wide || next.y - kept.back().y > high) {
            kept.push_back(points[i]);
        }
    }
    return kept;
}

}  // namespace ndsim::report
