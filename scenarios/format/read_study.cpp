// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>

#include "scenarios/format/read.hpp"
#include "scenarios/format/tree.hpp"
#include "scenarios/format/values.hpp"

namespace ndsim::format {

namespace {

bool is_value(const JsonNode& node) {
    return node.is(JsonKind::string) || node.is(JsonKind::integer) || node.is(JsonKind::real) ||
           node.is(JsonKind::boolean);
}

// The value in the form that --set takes.
std::string override_text(const JsonNode& node) {
    if (node.is(JsonKind::boolean)) {
        return node.flag ? "true" : "false";
    }
    if (node.is(JsonKind::integer)) {
        return (node.negative ? "-" : "") + std::to_string(node.magnitude);
    }
    return node.text;
}

// Reads the axes of a sweep.
class AxisReader {
public:
    AxisReader(const Place& place, Axis& axis) : place_(place), axis_(axis) {}

    void read(const JsonNode& values) {
        const std::string at = place_.inner("values");
        if (!values.is(JsonKind::array)) {
            read_entry(values, at);
        } else if (values.items.empty()) {
            place_.wrong(values, at, "expected at least one value");
        }
        for (std::size_t i = 0; i < values.items.size(); ++i) {
            read_entry(values.items[i], element(at, i));
        }
    }

private:
    void read_entry(const JsonNode& entry, const std::string& at) {
        if (entry.is(JsonKind::array)) {
            read_tuple(entry, at);
        } else if (!is_value(entry)) {
            place_.wrong(entry, at, "expected a value, or a range such as \"1..64*2\", got " + entry.shown());
        } else if (const auto values = values_of(override_text(entry)); !values.value) {
            place_.wrong(entry, at, values.error);
        } else {
            std::ranges::transform(*values.value, std::back_inserter(axis_.steps), [this](const std::string& value) {
                return std::vector<std::string>(axis_.paths.size(), value);
            });
        }
    }

    void read_tuple(const JsonNode& tuple, const std::string& at) {
        if (tuple.items.size() != axis_.paths.size() || !std::ranges::all_of(tuple.items, is_value)) {
            place_.wrong(tuple, at,
                         "expected one value for each path, which are " + std::to_string(axis_.paths.size()));
            return;
        }
        std::vector<std::string>& step = axis_.steps.emplace_back();
        std::ranges::transform(tuple.items, std::back_inserter(step), override_text);
    }

    const Place& place_;
    Axis& axis_;
};

}  // namespace

void read_sweep(const Place& root, Scenario& scenario) {
    for_each_item(root, "sweep", [&](const Place& place) {
        if (!check_keys(place, section("axis"), {})) {
            return;
        }
        Axis axis;
        axis.at = place.node.at;
        for_each_text(place, "vary", [&](const std::string& text, const JsonNode& node, const std::string& path) {
            axis.paths.push_back(text);
            if (text.empty()) {
                place.wrong(node, path, "expected a path, such as \"nic.sq.depth\"");
            }
        });
        const JsonNode* const vary = place.node.find("vary");
        if (vary != nullptr && vary->is(JsonKind::array) && vary->items.empty()) {
            place.wrong(*vary, place.inner("vary"), "expected at least one path");
        }
        if (const JsonNode* const values = place.node.find("values"); values != nullptr && !axis.paths.empty()) {
            AxisReader(place, axis).read(*values);
        }
        scenario.sweep.push_back(std::move(axis));
    });
    if (points_of(scenario.sweep) > kMostPoints) {
        root.wrong(*root.node.find("sweep"), root.inner("sweep"),
                   "has more than " + std::to_string(kMostPoints) + " points");
    }
}

void read_target(const Place& root, Scenario& scenario) {
    for_each_text(root, "target", [&](const std::string& text, const JsonNode& node, const std::string& path) {
        auto targets = parse_targets(text);
        if (!targets.value) {
            root.wrong(node, path, targets.error);
            return;
        }
        for (Target& target : *targets.value) {
            target.at = node.at;
            target.path = path;
            scenario.target.push_back(std::move(target));
        }
    });
}

}  // namespace ndsim::format
