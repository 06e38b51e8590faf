// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ndsim::cli {

std::string Table::text(const Paint& paint) const {
    std::vector<std::size_t> widths(columns_.size());
    for (const Row& row : rows_) {
        for (std::size_t i = 0; i < row.cells.size(); ++i) {
            widths.at(i) = std::max(widths.at(i), row.cells[i].size());
        }
    }
    std::string text;
    for (const Row& row : rows_) {
        std::string line;
        for (std::size_t i = 0; i < row.cells.size(); ++i) {
            line += columns_[i] == Align::left ? fmt::format("  {:<{}}", row.cells[i], widths[i])
                                               : fmt::format("  {:>{}}", row.cells[i], widths[i]);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        switch (row.look) {
            case Look::plain:
                text += line;
                break;
            case Look::faint:
                text += paint.faint(line);
                break;
            case Look::strong:
                text += paint.strong(line);
                break;
        }
        text += '\n';
    }
    return text;
}

}  // namespace ndsim::cli
