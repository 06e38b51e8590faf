// SPDX-License-Identifier: Apache-2.0
#include "tools/report/heatmap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "tools/report/depth_curves.hpp"
#include "tools/report/html.hpp"
#include "tools/report/map_colours.hpp"
#include "tools/report/scale.hpp"
#include "tools/report/svg.hpp"
#include "tools/report/swept_map.hpp"

namespace ndsim::report {

namespace {

constexpr std::size_t kMostMaps = 6;
constexpr std::size_t kCells = 2500;  // in one figure
constexpr double kStrip = 6;          // of a cell's colour, beside its text
constexpr double kBaseline = 17;
constexpr int kKeySteps = 24;
constexpr double kKeyStep = 6;
constexpr double kKeyHeight = 13;
constexpr double kKeyRow = 18;

// The key to the colours of a heatmap: a bar from the lowest to the highest value.
SweptMap::Key key_of(double low, double high, const std::string& unit) {
    return {kKeyRow, [low, high, unit](Svg& svg, Point at) {
                svg.text({at.x, at.y + 11}, short_number(low) + unit);
                const double left = at.x + width_of(short_number(low) + unit) + 8;
                for (int i = 0; i < kKeySteps; ++i) {
                    svg.rect({left + i * kKeyStep, at.y}, kKeyStep + 0.2, kKeyHeight,
                             map_colour(static_cast<double>(i) / (kKeySteps - 1)));
                }
                svg.text({left + kKeySteps * kKeyStep + 8, at.y + 11}, short_number(high) + unit);
            }};
}

// One metric: the more, the darker.
Figure heatmap(const Swept& swept, const SweptMap& map, std::size_t metric, std::size_t number) {
    std::uint64_t low = ~std::uint64_t{0};
    std::uint64_t high = 0;
    map.for_points([&](const SweptPoint& point) {
        if (const auto value = point.figures[metric]) {
            low = std::min(low, *value);
            high = std::max(high, *value);
        }
    });
    const Unit unit = unit_for(swept.metrics[metric].quantity, high);
    const std::string unit_name = unit.name.empty() ? "" : " " + unit.name;
    const auto draw = [&](Svg& svg, const SweptPoint& point, const SweptMap::Cell& cell) {
        const std::optional<std::uint64_t> value = point.figures[metric];
        const double range = static_cast<double>(high - low);
        const double share = !value || range <= 0 ? 0 : static_cast<double>(*value - low) / range;
        const std::string text = value ? short_number(unit(*value)) : point.words();
        const std::string title = map.where(point) + ", " + swept.metrics[metric].name + " = " + text +
                                  (value ? unit_name : "") +
                                  (point.bound_by.empty() ? "" : ", bound by " + point.bound_by);
        const std::string ground = map_colour(share);
        svg.rect(cell.corner, cell.width, cell.height, value ? ground : std::string(colour::kGrid), title);
        svg.text({cell.corner.x + cell.width / 2, cell.corner.y + kBaseline}, cut_to(text, cell.width - 2),
                 {Anchor::middle, value ? ink_on(ground) : colour::kText});
    };
    return map.figure(fmt::format("heatmap-{}", number), swept.metrics[metric].name + unit.in_brackets(), draw,
                      key_of(unit(low), unit(high), unit_name));
}

// What bound each point; points with the same limit have the same colour.
std::string bound_map(const SweptMap& map) {
    std::vector<std::string> limits;
    map.for_points([&](const SweptPoint& point) {
        if (!point.bound_by.empty() && std::ranges::find(limits, point.bound_by) == limits.end()) {
            limits.push_back(point.bound_by);
        }
    });
    if (limits.empty()) {
        return {};
    }
    const auto draw = [&](Svg& svg, const SweptPoint& point, const SweptMap::Cell& cell) {
        const std::string text = point.bound_by.empty() ? "-" : point.bound_by;
        const std::string title =
            map.where(point) + ", " + (point.bound_by.empty() ? "nothing bound it" : "bound by " + point.bound_by);
        svg.rect(cell.corner, cell.width, cell.height, colour::kIdle, title);
        if (!point.bound_by.empty()) {
            const auto limit = static_cast<std::size_t>(std::ranges::find(limits, point.bound_by) - limits.begin());
            svg.rect(cell.corner, kStrip, cell.height, nth_colour(limit), title);
        }
        svg.text({cell.corner.x + kStrip + 4, cell.corner.y + kBaseline}, cut_to(text, cell.width - kStrip - 6));
    };
    const auto draw_key = [&limits](Svg& svg, Point at) {
        for (std::size_t i = 0; i < limits.size(); ++i) {
            const double y = at.y + static_cast<double>(i) * kKeyRow;
            svg.rect({at.x, y}, kStrip, kKeyHeight, nth_colour(i));
            svg.text({at.x + kStrip + 4, y + 11}, limits[i]);
        }
    };
    return html_of(map.figure("bound-map", "What bound each point", draw,
                              {kKeyRow * static_cast<double>(limits.size()), draw_key}));
}

}  // namespace

std::string heatmap_chapter(const Swept& swept) {
    if (swept.axes.size() < 2) {
        return {};
    }
    const SweptMap map(swept);
    if (map.cells() > kCells) {
        return note(fmt::format("More than {} points cannot be shown; sweep fewer values.", kCells));
    }
    const WorthAPicture worth = worth_a_picture(swept);
    std::string html;
    std::size_t number = 0;
    for (const auto* const metrics : {&worth.rates, &worth.latencies, &worth.others}) {
        for (const std::size_t metric : *metrics) {
            const bool any = std::ranges::any_of(
                swept.points, [metric](const SweptPoint& point) { return point.figures[metric].has_value(); });
            if (any && number < kMostMaps) {
                html += html_of(heatmap(swept, map, metric, ++number));
            }
        }
    }
    const std::string bound = bound_map(map);
    const std::string darker = html.empty() ? "" : "Darker means more. ";
    html += bound;
    return html.empty() ? "" : html + note(darker + "The pointer shows what bound a point.");
}

}  // namespace ndsim::report
