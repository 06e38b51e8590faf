// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace ndsim::cli {

namespace {

constexpr std::size_t kColumns = 100;  // of a line
constexpr std::size_t kNarrow = 30;    // the narrowest column whose text is broken into lines

// The words of `text` in lines of at most `width`, unless a word is longer.
std::vector<std::string> lines_of(const std::string& text, std::size_t width) {
    std::vector<std::string> lines{""};
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        std::string& line = lines.back();
        if (!line.empty() && line.size() + 1 + word.size() > width) {
            lines.push_back(word);
        } else {
            line += (line.empty() ? "" : " ") + word;
        }
    }
    return lines;
}

}  // namespace

std::vector<std::string> Table::lines(const Row& row, const std::vector<std::size_t>& widths) const {
    std::string line;
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
        const bool is_last = i + 1 == columns_.size();
        if (is_last && columns_[i] == Align::left && line.size() + 2 + row.cells[i].size() > kColumns &&
            line.size() + 2 + kNarrow <= kColumns) {
            std::vector<std::string> broken = lines_of(row.cells[i], kColumns - line.size() - 2);
            const std::string indent(line.size() + 2, ' ');
            broken.front() = line + "  " + broken.front();
            std::for_each(broken.begin() + 1, broken.end(), [&](std::string& next) { next = indent + next; });
            return broken;
        }
        line += columns_[i] == Align::left ? fmt::format("  {:<{}}", row.cells[i], widths[i])
                                           : fmt::format("  {:>{}}", row.cells[i], widths[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return {line};
}

std::string Table::text(const Paint& paint) const {
    std::vector<std::size_t> widths(columns_.size());
    for (const Row& row : rows_) {
        for (std::size_t i = 0; i < row.cells.size(); ++i) {
            widths.at(i) = std::max(widths.at(i), row.cells[i].size());
        }
    }
    std::string text;
    for (const Row& row : rows_) {
        for (const std::string& line : lines(row, widths)) {
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
    }
    return text;
}

}  // namespace ndsim::cli
