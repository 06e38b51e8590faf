// SPDX-License-Identifier: Apache-2.0
#include "tools/sweep/columns.hpp"

#include <algorithm>
#include <array>

namespace ndsim::sweep {

namespace {

constexpr std::size_t kColumns = 4;
constexpr std::size_t kColumnsTogether = 6;

// The first of these endings in a figure's name decides its order.
constexpr std::array<std::string_view, 6> kWorth{".goodput",       ".rate",        ".message_rate",
                                                 ".transfer_rate", ".latency.p99", ".latency.mean"};
constexpr std::array<std::string_view, 3> kTogether{".goodput", ".slowest", ".fastest"};

// Adds the names of figures that some point has, in order of first appearance.
template <class Wanted>
void add_names(const std::vector<PointRow>& rows, const Wanted& wanted, std::vector<std::string>& names) {
    for (const PointRow& row : rows) {
        for (const Figure& figure : row.figures) {
            if (wanted(figure.name) && std::ranges::find(names, figure.name) == names.end()) {
                names.push_back(figure.name);
            }
        }
    }
}

// Sums of several generators come first; with one generator the sum is its own part.
std::vector<std::string> columns_together(const std::vector<PointRow>& rows) {
    std::vector<std::string> sums;
    add_names(
        rows, [](const std::string& name) { return is_side_by_side(name) && name.ends_with(kTogether[0]); }, sums);
    std::vector<std::string> columns;
    std::vector<std::string> of_one;
    for (const std::string& sum : sums) {
        const std::string group = sum.substr(0, sum.rfind('.'));
        std::vector<std::string> parts;
        for (const std::string_view end : kTogether) {
            add_names(
                rows, [name = group + std::string(end)](const std::string& each) { return each == name; }, parts);
        }
        std::vector<std::string>& to = parts.size() > 1 ? columns : of_one;
        to.insert(to.end(), parts.begin(), parts.end());
    }
    columns.insert(columns.end(), of_one.begin(), of_one.end());
    if (!columns.empty()) {
        add_names(
            rows, [](const std::string& name) { return name.starts_with("dma.") && name.ends_with(".rate"); }, columns);
    }
    columns.resize(std::min(columns.size(), kColumnsTogether));
    return columns;
}

}  // namespace

bool is_side_by_side(std::string_view name) {
    return name.starts_with("run.to_") || name.starts_with("run.from_");
}

bool is_rate(std::optional<Quantity> quantity) {
    return quantity == Quantity::rate || quantity == Quantity::frequency;
}

std::string steadiness_of(const std::string& name) {
    return name.substr(0, name.rfind('.')) + ".steady";
}

std::vector<std::string> columns_worth(const std::vector<PointRow>& rows) {
    std::vector<std::string> columns = columns_together(rows);
    if (!columns.empty()) {
        return columns;
    }
    for (const std::string_view end : kWorth) {
        add_names(
            rows, [end](const std::string& name) { return name.ends_with(end); }, columns);
    }
    if (columns.empty()) {
        add_names(
            rows, [](const std::string& name) { return name.starts_with("programs.") && name.ends_with(".mean"); },
            columns);
    }
    columns.resize(std::min(columns.size(), kColumns));
    return columns;
}

}  // namespace ndsim::sweep
