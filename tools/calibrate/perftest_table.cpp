// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "sim/base/text.hpp"
#include "tools/calibrate/measurements.hpp"

namespace ndsim::calibrate {

namespace {

constexpr std::string_view kSize = "#bytes";

// A column of perftest, and its use. One column is enough for a rate and for a latency: the average of bandwidth, and
// the typical time, which is the median and ignores the few times spoilt by the operating system.
struct PerftestColumn {
    std::string_view name;
    std::string_view metric;  // none: left out
    std::string_view unless;  // ... if this column is there
};
constexpr auto kColumns = std::to_array<PerftestColumn>({
    {kSize, "", ""},
    {"#iterations", "", ""},
    {"BW peak[MB/sec]", "", ""},
    {"BW peak[Gb/sec]", "", ""},
    {"BW average[MB/sec]", "goodput", ""},
    {"BW average[Gb/sec]", "goodput", ""},
    {"MsgRate[Mpps]", "message_rate", "BW average"},
    {"t_min[usec]", "", ""},
    {"t_max[usec]", "", ""},
    {"t_typical[usec]", "latency.p50", ""},
    {"t_avg[usec]", "latency.mean", "t_typical"},
    {"t_stdev[usec]", "", ""},
    {"99% percentile[usec]", "", ""},
    {"99.9% percentile[usec]", "", ""},
    {"tps average", "", ""},
    {"CPU_Util[%]", "", ""},
});

// PerftestTable: the columns of a heading, in order, and the rows.
class PerftestTable {
public:
    PerftestTable(const Generator& generator, Measurements& found, Problems& problems)
        : generator_(generator), found_(found), problems_(problems) {}

    void read_heading(std::string_view line, Position at) {
        columns_.clear();
        std::string rest(line);
        std::vector<std::pair<std::size_t, const PerftestColumn*>> places;
        for (const PerftestColumn& column : kColumns) {
            if (const std::size_t place = line.find(column.name); place != std::string_view::npos) {
                places.emplace_back(place, &column);
                rest.replace(place, column.name.size(), column.name.size(), ' ');
            }
        }
        if (const std::string_view unknown = trimmed(rest); !unknown.empty()) {
            problems_.add(at, {}, "expected the columns of a table of perftest, got " + in_quotes(unknown));
            return;
        }
        std::ranges::sort(places);
        const bool has_times =
            std::ranges::any_of(places, [](const auto& each) { return each.second->name.starts_with("t_"); });
        if (has_times && generator_.operation == TrafficOperation::write) {
            problems_.add(at, {},
                          "expected a table of ib_send_lat or ib_read_lat, as the time of ib_write_lat is no figure of "
                          "a generator",
                          "programs can do what ib_write_lat does, and CSV has any figure");
            return;
        }
        for (const auto& [place, column] : places) {
            columns_.push_back(column);
        }
    }

    // False: the table has ended.
    [[nodiscard]] bool read_row(std::string_view line, Position at) {
        line = trimmed(line);
        if (line.starts_with("---")) {
            return false;
        }
        if (line.empty() || std::isdigit(static_cast<unsigned char>(line.front())) == 0) {
            return true;  // a warning between the rows
        }
        std::vector<std::string_view> cells;
        while (!line.empty()) {
            cells.push_back(line.substr(0, line.find_first_of(" \t")));
            line = trimmed(line.substr(cells.back().size()));
        }
        if (cells.size() != columns_.size()) {
            problems_.add(
                at, {},
                fmt::format("expected {} numbers, as the heading has columns, got {}", columns_.size(), cells.size()));
            return true;
        }
        MeasuredRun run{at, {}};
        for (std::size_t i = 0; i < cells.size(); ++i) {
            if (columns_[i]->name == kSize) {
                run.overrides.push_back(fmt::format("traffic.{}.size={} B", generator_.name, cells[i]));
            } else if (is_read(*columns_[i])) {
                read_figure(*columns_[i], cells[i], at);
            }
        }
        found_.runs.push_back(std::move(run));
        return true;
    }

    [[nodiscard]] bool is_open() const { return !columns_.empty(); }

private:
    [[nodiscard]] bool is_read(const PerftestColumn& column) const {
        const auto stands_for_it = [&](const PerftestColumn* other) { return other->name.starts_with(column.unless); };
        return !column.metric.empty() && (column.unless.empty() || std::ranges::none_of(columns_, stands_for_it));
    }

    // The time of ib_send_lat is half a round trip, from post to the receiver's poll; that of ib_read_lat is all of it.
    [[nodiscard]] std::string metric_of(const PerftestColumn& column) const {
        std::string metric(column.metric);
        if (generator_.operation == TrafficOperation::send && metric.starts_with("latency.")) {
            metric.replace(0, metric.find('.'), "delivery");
        }
        return metric;
    }

    void read_figure(const PerftestColumn& column, std::string_view cell, Position at) {
        const std::size_t bracket = column.name.find('[');
        const auto unit = unit_of(column.name.substr(bracket + 1, column.name.size() - bracket - 2));
        const auto value = value_in(unit.value(), cell);
        if (!value || *value == 0) {
            problems_.add(at, std::string(column.name), "expected a number above 0, got " + in_quotes(cell));
            return;
        }
        found_.figures.push_back({found_.runs.size(), fmt::format("traffic.{}.{}", generator_.name, metric_of(column)),
                                  unit->quantity, *value, at});
    }

    const Generator& generator_;
    Measurements& found_;
    Problems& problems_;
    std::vector<const PerftestColumn*> columns_;
};

bool is_perftest_heading(std::string_view line) {
    return trimmed(line).starts_with(kSize);
}

}  // namespace

bool is_perftest(std::string_view text) {
    return std::ranges::any_of(lines_of(text), is_perftest_heading);
}

Measurements read_perftest(std::string_view text, const Generator& generator, Problems& problems) {
    Measurements found;
    PerftestTable table(generator, found, problems);
    bool is_inside = false;
    Position at;
    for (const std::string_view line : lines_of(text)) {
        at = {at.line + 1, 1};
        if (is_perftest_heading(line)) {
            table.read_heading(line, at);
            is_inside = table.is_open();
        } else if (is_inside) {
            is_inside = table.read_row(line, at);
        }
    }
    return found;
}

}  // namespace ndsim::calibrate
