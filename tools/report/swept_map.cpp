// SPDX-License-Identifier: Apache-2.0
#include "tools/report/swept_map.hpp"

#include <algorithm>
#include <vector>

namespace ndsim::report {

namespace {

constexpr double kMapLeft = 130;
constexpr double kMapTop = 30;
constexpr double kMapRow = 28;
constexpr double kNarrowest = 52;
constexpr double kWidest = 110;

// The two axes with the most values, in their order.
std::pair<std::size_t, std::size_t> two_axes(const Swept& swept) {
    std::vector<std::size_t> order(swept.axes.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        order[i] = i;
    }
    std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t i) { return swept.axes[i].steps(); });
    return {std::min(order[0], order[1]), std::max(order[0], order[1])};
}

}  // namespace

SweptMap::SweptMap(const Swept& swept)
    : swept_(swept), axes_(two_axes(swept)), rows_(swept.axes[axes_.first]), columns_(swept.axes[axes_.second]) {}

void SweptMap::for_points(const std::function<void(const SweptPoint&)>& each) const {
    for (std::size_t row = 0; row < rows_.steps(); ++row) {
        for (std::size_t column = 0; column < columns_.steps(); ++column) {
            each(point(row, column));
        }
    }
}

Figure SweptMap::figure(std::string id, const std::string& title, const Draw& draw, const Key& key) const {
    const double bottom = kMapTop + kMapRow * static_cast<double>(rows_.steps());
    const std::string whole = title + others();
    Svg svg(std::max(kPictureWidth, x(columns_.steps()) + 8), bottom + 46 + key.height, whole);
    svg.text({4, kMapTop - 14}, cut_to(rows_.name, kPictureWidth / 2), {Anchor::start, colour::kFaint});
    svg.text({kMapLeft, bottom + 36}, columns_.name, {Anchor::start, colour::kFaint});
    key.draw(svg, {kMapLeft, bottom + 48});
    for (std::size_t column = 0; column < columns_.steps(); ++column) {
        svg.text({x(column) + width() / 2, bottom + 16}, cut_to(columns_.labels[column], width()), {Anchor::middle});
    }
    for (std::size_t row = 0; row < rows_.steps(); ++row) {
        const double y = kMapTop + kMapRow * static_cast<double>(row);
        svg.text({kMapLeft - 8, y + 18}, cut_to(rows_.labels[row], kMapLeft - 12), {Anchor::end});
        for (std::size_t column = 0; column < columns_.steps(); ++column) {
            draw(svg, point(row, column), {{x(column) + 1, y + 1}, width() - 2, kMapRow - 2});
        }
    }
    return {std::move(id), whole, svg.take(), {}, {}};
}

std::string SweptMap::where(const SweptPoint& point) const {
    std::string text;
    for (std::size_t i = 0; i < swept_.axes.size(); ++i) {
        text += (i == 0 ? "" : ", ") + swept_.axes[i].name + " = " + swept_.axes[i].labels[point.steps[i]];
    }
    return text;
}

std::string SweptMap::others() const {
    std::string text;
    for (std::size_t i = 0; i < swept_.axes.size(); ++i) {
        if (i != axes_.first && i != axes_.second) {
            text += ", " + swept_.axes[i].name + " = " + swept_.axes[i].labels.front();
        }
    }
    return text;
}

double SweptMap::width() const {
    return std::clamp((kPictureWidth - kMapLeft) / static_cast<double>(columns_.steps()), kNarrowest, kWidest);
}

double SweptMap::x(std::size_t column) const {
    return kMapLeft + width() * static_cast<double>(column);
}

const SweptPoint& SweptMap::point(std::size_t row, std::size_t column) const {
    std::vector<std::size_t> steps(swept_.axes.size());
    steps[axes_.first] = row;
    steps[axes_.second] = column;
    return swept_.at(steps);
}

}  // namespace ndsim::report
