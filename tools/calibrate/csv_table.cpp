// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/base/text.hpp"
#include "tools/calibrate/measurements.hpp"

namespace ndsim::calibrate {

namespace {

constexpr std::array<std::string_view, 3> kOfTheScenario{"seed", "payload", "profile"};
constexpr std::array<std::string_view, 3> kRates{"goodput", "message_rate", "shared_goodput"};

// A column: a parameter, or a figure, which has a unit.
struct CsvColumn {
    std::string name;            // as in the heading, without the unit
    std::string path;            // of the parameter, or the full name of the metric
    std::string unit_text;       // of a parameter, follows each number
    std::optional<Unit> figure;  // none: a parameter
    Position at;
};

// A cell and its place.
struct CsvCell {
    std::string text;
    Position at;
};

// Cells may be in double quotes; inside, two quotes mean one.
std::vector<CsvCell> cells_of(std::string_view line, std::uint32_t number) {
    std::vector<CsvCell> cells{{{}, {number, 1}}};
    bool is_quoted = false;
    std::uint32_t column = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
        column += (static_cast<unsigned char>(line[i]) & 0xC0U) == 0x80U ? 0 : 1;  // characters, not bytes
        if (line[i] == '"') {
            if (is_quoted && i + 1 < line.size() && line[i + 1] == '"') {
                cells.back().text += '"';
                ++i;
                ++column;
            } else {
                is_quoted = !is_quoted;
            }
        } else if (line[i] == ',' && !is_quoted) {
            cells.push_back({{}, {number, column + 1}});
        } else {
            cells.back().text += line[i];
        }
    }
    for (CsvCell& cell : cells) {
        const std::size_t blanks = std::min(cell.text.find_first_not_of(" \t"), cell.text.size());
        cell.at.column += static_cast<std::uint32_t>(blanks);
        cell.text = std::string(trimmed(cell.text));
    }
    return cells;
}

bool is_figure(std::string_view name) {
    return name.find('.') != std::string_view::npos || std::ranges::find(kRates, name) != kRates.end();
}

// Reads a table of measurements in CSV.
class CsvTable {
public:
    CsvTable(const std::optional<Generator>& generator, Problems& problems)
        : generator_(generator), problems_(problems) {}

    void read_line(std::string_view line, std::uint32_t number) {
        if (trimmed(line).empty() || trimmed(line).front() == '#') {
            return;
        }
        if (columns_.empty()) {
            for (const CsvCell& cell : cells_of(line, number)) {
                CsvColumn column = column_of(cell);
                if (!column.path.empty() && std::ranges::count(columns_, column.path, &CsvColumn::path) > 0) {
                    problems_.add(column.at, column.name, "this column is there twice");
                }
                columns_.push_back(std::move(column));
            }
            if (problems_.empty() &&
                std::ranges::none_of(columns_, [](const CsvColumn& each) { return each.figure.has_value(); })) {
                problems_.add({number, 1}, {}, "expected a figure among the columns, with its unit",
                              "such as goodput [Gbps] or latency.p50 [us]");
            }
            is_sound_ = problems_.empty();
        } else if (is_sound_) {  // with another heading the rows are meaningless
            read_row(cells_of(line, number), number);
        }
    }

    [[nodiscard]] Measurements take() { return std::move(found_); }

private:
    [[nodiscard]] CsvColumn column_of(const CsvCell& cell) {
        CsvColumn column{cell.text, {}, {}, {}, cell.at};
        if (const std::size_t bracket = cell.text.rfind(" [");
            bracket != std::string::npos && cell.text.back() == ']') {
            column.name = std::string(trimmed(cell.text.substr(0, bracket)));
            const std::string unit = cell.text.substr(bracket + 2, cell.text.size() - bracket - 3);
            if (!is_figure(column.name)) {
                column.unit_text = " " + unit;
            } else if (column.figure = unit_of(unit); !column.figure) {
                problems_.add(
                    cell.at, column.name,
                    "expected a unit of a rate or a time, such as [Gbps], [M/s] or [us], got " + in_quotes(unit));
            }
        }
        if (column.name.empty()) {
            problems_.add(cell.at, {}, "expected a name of a column");
        }
        column.path = whole_name(column);
        return column;
    }

    // size means that of the generator; so do goodput and latency.p50.
    [[nodiscard]] std::string whole_name(const CsvColumn& column) {
        const std::string& name = column.name;
        const bool is_short = name.find('.') == std::string::npos
                                  ? std::ranges::find(kOfTheScenario, name) == kOfTheScenario.end()
                                  : column.figure && (name.starts_with("latency.") || name.starts_with("delivery."));
        if (!is_short || name.empty()) {
            return name;
        }
        if (!generator_) {
            problems_.add(column.at, name, "expected a whole name, as the scenario has no generator",
                          "such as programs.A.round_trip.mean [us]");
            return name;
        }
        return fmt::format("traffic.{}.{}", generator_->name, name);
    }

    void read_row(const std::vector<CsvCell>& cells, std::uint32_t number) {
        if (cells.size() != columns_.size()) {
            problems_.add({number, 1}, {},
                          fmt::format("expected {} cells, as the heading has, got {}", columns_.size(), cells.size()));
            return;
        }
        MeasuredRun run{{number, 1}, {}};
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const CsvColumn& column = columns_[i];
            if (cells[i].text.empty()) {
                continue;  // not measured, or as in the scenario
            }
            if (!column.figure) {
                run.overrides.push_back(column.path + "=" + cells[i].text + column.unit_text);
                continue;
            }
            const auto value = value_in(*column.figure, cells[i].text);
            if (!value || *value == 0) {
                problems_.add(cells[i].at, column.name, "expected a number above 0, got " + in_quotes(cells[i].text));
                continue;
            }
            found_.figures.push_back({found_.runs.size(), column.path, column.figure->quantity, *value, cells[i].at});
        }
        found_.runs.push_back(std::move(run));
    }

    const std::optional<Generator>& generator_;
    Problems& problems_;
    std::vector<CsvColumn> columns_;
    bool is_sound_ = false;
    Measurements found_;
};

}  // namespace

Measurements read_csv(std::string_view text, const std::optional<Generator>& generator, Problems& problems) {
    CsvTable table(generator, problems);
    std::uint32_t number = 0;
    for (const std::string_view line : lines_of(text)) {
        table.read_line(line, ++number);
    }
    return table.take();
}

}  // namespace ndsim::calibrate
