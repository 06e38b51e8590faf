// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>

#include "tools/report/html.hpp"
#include "tools/report/svg.hpp"
#include "tools/report/swept.hpp"

namespace ndsim::report {

// SweptMap: the points of a sweep as a table of cells over its two axes with the most values; the other axes are at
// their first value. The caller draws the cells.
class SweptMap {
public:
    // The place of a cell in the picture.
    struct Cell {
        Point corner;
        double width = 0;
        double height = 0;
    };
    using Draw = std::function<void(Svg&, const SweptPoint&, const Cell&)>;
    // What the colours mean, below the cells.
    struct Key {
        double height = 0;
        std::function<void(Svg&, Point)> draw;
    };

    // The sweep has two axes at least.
    explicit SweptMap(const Swept& swept);

    [[nodiscard]] std::size_t cells() const { return rows_.steps() * columns_.steps(); }
    // Calls `each` with every point, row by row.
    void for_points(const std::function<void(const SweptPoint&)>& each) const;
    [[nodiscard]] Figure figure(std::string id, const std::string& title, const Draw& draw, const Key& key) const;
    // "mtu = 1024, window = 4"
    [[nodiscard]] std::string where(const SweptPoint& point) const;

private:
    // ", size = 64 B" for each axis that is neither rows nor columns: the points shown have its first value.
    [[nodiscard]] std::string others() const;
    [[nodiscard]] double width() const;
    [[nodiscard]] double x(std::size_t column) const;
    [[nodiscard]] const SweptPoint& point(std::size_t row, std::size_t column) const;

    const Swept& swept_;
    std::pair<std::size_t, std::size_t> axes_;  // of rows and columns
    const SweptAxis& rows_;
    const SweptAxis& columns_;
};

}  // namespace ndsim::report
