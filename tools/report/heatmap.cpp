// SPDX-License-Identifier: Apache-2.0
#include "tools/report/heatmap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "tools/report/depth_curves.hpp"
#include "tools/report/html.hpp"
#include "tools/report/scale.hpp"
#include "tools/report/svg.hpp"

namespace ndsim::report {

namespace {

constexpr double kMapLeft = 130;
constexpr double kMapTop = 30;
constexpr double kMapRow = 28;
constexpr double kNarrowest = 52;
constexpr double kWidest = 110;
constexpr std::size_t kMostMaps = 6;
constexpr std::string_view kOnDark = "#ffffff";  // text in cells, whatever the page's ground is
constexpr std::string_view kOnLight = "#111111";
constexpr std::size_t kCells = 2500;  // in one figure

// From white to dark blue, in equal steps of lightness, so that it also works in grey.
struct Rgb {
    double red, green, blue;
};
constexpr Rgb kLow{247, 251, 255};
constexpr Rgb kHigh{8, 64, 129};

std::string colour_at(double share) {
    const auto mixed = [share](double low, double high) { return std::lround(low + share * (high - low)); };
    return fmt::format("#{:02x}{:02x}{:02x}", mixed(kLow.red, kHigh.red), mixed(kLow.green, kHigh.green),
                       mixed(kLow.blue, kHigh.blue));
}

// The two axes with the most values, in their order.
std::pair<std::size_t, std::size_t> two_axes(const Swept& swept) {
    std::vector<std::size_t> order(swept.axes.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        order[i] = i;
    }
    std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t i) { return swept.axes[i].steps(); });
    return {std::min(order[0], order[1]), std::max(order[0], order[1])};
}

// One metric over two axes, with the others at their first value.
class Heatmap {
public:
    Heatmap(const Swept& swept, std::size_t metric)
        : swept_(swept),
          metric_(metric),
          rows_(swept.axes[two_axes(swept).first]),
          columns_(swept.axes[two_axes(swept).second]) {
        for (std::size_t row = 0; row < rows_.steps(); ++row) {
            for (std::size_t column = 0; column < columns_.steps(); ++column) {
                if (const auto value = point(row, column).figures[metric_]) {
                    low_ = std::min(low_, *value);
                    high_ = std::max(high_, *value);
                }
            }
        }
        unit_ = unit_for(swept.metrics[metric].quantity, high_);
    }

    [[nodiscard]] Figure figure(std::size_t number) const {
        const std::string title = swept_.metrics[metric_].name + unit_.in_brackets();
        const double bottom = kMapTop + kMapRow * static_cast<double>(rows_.steps());
        Svg svg(std::max(kPictureWidth, x(columns_.steps()) + 8), bottom + 46, title);
        svg.text({4, kMapTop - 14}, cut_to(rows_.name, kPictureWidth / 2), {Anchor::start, colour::kFaint});
        svg.text({kMapLeft, bottom + 36}, columns_.name, {Anchor::start, colour::kFaint});
        for (std::size_t column = 0; column < columns_.steps(); ++column) {
            svg.text({x(column) + width() / 2, bottom + 16}, cut_to(columns_.labels[column], width()),
                     {Anchor::middle});
        }
        for (std::size_t row = 0; row < rows_.steps(); ++row) {
            const double y = kMapTop + kMapRow * static_cast<double>(row);
            svg.text({kMapLeft - 8, y + 18}, cut_to(rows_.labels[row], kMapLeft - 12), {Anchor::end});
            for (std::size_t column = 0; column < columns_.steps(); ++column) {
                draw_cell(svg, point(row, column), {x(column), y});
            }
        }
        return {fmt::format("heatmap-{}", number), title, svg.take(), {}, {}};
    }

private:
    [[nodiscard]] double width() const {
        return std::clamp((kPictureWidth - kMapLeft) / static_cast<double>(columns_.steps()), kNarrowest, kWidest);
    }
    [[nodiscard]] double x(std::size_t column) const { return kMapLeft + width() * static_cast<double>(column); }
    [[nodiscard]] const SweptPoint& point(std::size_t row, std::size_t column) const {
        std::vector<std::size_t> steps(swept_.axes.size());
        const auto [first, second] = two_axes(swept_);
        steps[first] = row;
        steps[second] = column;
        return swept_.at(steps);
    }
    void draw_cell(Svg& svg, const SweptPoint& point, Point at) const {
        const std::optional<std::uint64_t> value = point.figures[metric_];
        const double range = static_cast<double>(high_ - low_);
        const double share = !value || range <= 0 ? 0 : static_cast<double>(*value - low_) / range;
        const std::string text = value ? short_number(unit_(*value)) : point.outcome;
        std::string title;
        for (std::size_t i = 0; i < swept_.axes.size(); ++i) {
            title += swept_.axes[i].name + " = " + swept_.axes[i].labels[point.steps[i]] + ", ";
        }
        title += text + (value && !unit_.name.empty() ? " " + unit_.name : "");
        title += point.bound_by.empty() ? "" : ", bound by " + point.bound_by;
        svg.rect({at.x + 1, at.y + 1}, width() - 2, kMapRow - 2, value ? colour_at(share) : std::string(colour::kGrid),
                 title);
        svg.text({at.x + width() / 2, at.y + 18}, cut_to(text, width() - 4),
                 {Anchor::middle, !value        ? colour::kText
                                  : share > 0.5 ? kOnDark
                                                : kOnLight});
    }

    const Swept& swept_;
    std::size_t metric_;
    const SweptAxis& rows_;
    const SweptAxis& columns_;
    std::uint64_t low_ = ~std::uint64_t{0};
    std::uint64_t high_ = 0;
    Unit unit_;
};

}  // namespace

std::string heatmap_chapter(const Swept& swept) {
    if (swept.axes.size() < 2) {
        return {};
    }
    const auto [first, second] = two_axes(swept);
    if (swept.axes[first].steps() * swept.axes[second].steps() > kCells) {
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
                html += html_of(Heatmap(swept, metric).figure(++number));
            }
        }
    }
    std::string text = "Darker means more. The pointer shows what bound a point.";
    for (std::size_t i = 0; i < swept.axes.size(); ++i) {
        if (i != first && i != second) {
            text += " Here " + swept.axes[i].name + " = " + swept.axes[i].labels.front() + ".";
        }
    }
    return html.empty() ? "" : html + note(text);
}

}  // namespace ndsim::report
