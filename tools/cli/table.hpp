// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/cli/output.hpp"

namespace ndsim::cli {

enum class Align : std::uint8_t { left, right };

// Table: aligned rows of cells, indented by two. Widths are counted in bytes: cells are ASCII. Text in the last column
// is broken into lines, so that no line is longer than 100 columns.
class Table {
public:
    explicit Table(std::vector<Align> columns) : columns_(std::move(columns)) {}

    // A row with fewer cells than columns ends early.
    void heading(std::vector<std::string> cells) { rows_.push_back({std::move(cells), Look::faint}); }
    void row(std::vector<std::string> cells) { rows_.push_back({std::move(cells), Look::plain}); }
    void total(std::vector<std::string> cells) { rows_.push_back({std::move(cells), Look::strong}); }

    [[nodiscard]] bool empty() const { return rows_.empty(); }
    [[nodiscard]] std::string text(const Paint& paint) const;

private:
    enum class Look : std::uint8_t { plain, faint, strong };
    // A row and its look.
    struct Row {
        std::vector<std::string> cells;
        Look look;
    };

    // A row with a long text at its end takes several lines.
    [[nodiscard]] std::vector<std::string> lines(const Row& row, const std::vector<std::size_t>& widths) const;

    std::vector<Align> columns_;
    std::vector<Row> rows_;
};

}  // namespace ndsim::cli
