// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/preset_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <tuple>

#include "scenarios/format/implied.hpp"
#include "scenarios/format/overrides.hpp"
#include "scenarios/format/text_file.hpp"
#include "scenarios/format/tree.hpp"
#include "tools/cli/loaded.hpp"

namespace ndsim::cli {

namespace {

constexpr std::array<std::string_view, 2> kKeys{"about", "set"};
constexpr std::string_view kExample = R"(such as {"set": {"nic.rx_pipe": "100 ns"}})";

// The value as --set takes it: texts there have no quotes.
std::optional<std::string> as_override(const JsonNode& value) {
    if (value.is(JsonKind::null) || value.is(JsonKind::object)) {
        return std::nullopt;
    }
    return value.is(JsonKind::string) || value.is(JsonKind::real) ? value.text : to_json(value).dump();
}

}  // namespace

PresetFiles::PresetFiles(const std::vector<std::string>& files) {
    Problems problems{""};
    for (const std::string& file : files) {
        problems.in_file(file);
        read(file, problems);
    }
    problems.throw_if_any();
}

void PresetFiles::read(const std::string& file, Problems& problems) {
    const auto root = parse_json(read_file(file), problems);
    if (!root) {
        return;
    }
    if (!root->is(JsonKind::object)) {
        problems.add(root->at, {}, "expected an object, got " + root->shown(), std::string(kExample));
        return;
    }
    for (const JsonMember& member : root->members) {
        if (std::ranges::find(kKeys, member.key) == kKeys.end()) {
            const auto meant = format::suggestion(member.key, kKeys);
            problems.add(member.at, {},
                         "unknown key " + in_quotes(member.key) +
                             (meant ? "; did you mean " + in_quotes(*meant) + "?" : std::string()),
                         "a preset's file has \"about\" and \"set\"");
        }
    }
    if (const JsonNode* const about = root->find("about"); about != nullptr && !about->is(JsonKind::string)) {
        problems.add(about->at, "about", "expected a text in double quotes, got " + about->shown());
    }
    const JsonNode* const set = root->find("set");
    if (set == nullptr) {
        problems.add(root->at, {}, "\"set\" is missing", std::string(kExample));
    } else if (!set->is(JsonKind::object)) {
        problems.add(set->at, "set", "expected an object, got " + set->shown(), std::string(kExample));
    } else {
        for (const JsonMember& member : set->members) {
            if (const auto text = as_override(member.value); text) {
                values_.push_back({file, member.value.at, member.key, *text});
            } else {
                problems.add(member.value.at, member.key,
                             "expected a value as --set takes it, got " + member.value.shown());
            }
        }
    }
}

std::vector<std::string> PresetFiles::overrides_for(const JsonNode& scenario, std::span<const std::string> sets) {
    std::vector<std::string> overrides;
    JsonNode complete = scenario;
    format::add_implied(complete);
    for (std::size_t i = 0; i < values_.size(); ++i) {
        const std::vector<std::string> paths = format::meant_paths(complete, values_[i].path);
        if (paths.empty()) {
            continue;  // of switches or links, and the scenario has none
        }
        const auto is_set = [&](const std::string& path) {
            return std::ranges::any_of(sets, [&](const std::string& set) { return set.starts_with(path + "="); });
        };
        if (is_set(values_[i].path)) {
            continue;
        }
        const auto is_said = [&](const std::string& path) {
            return format::find_path(scenario, path) != nullptr || is_set(path);
        };
        // As a whole where nothing overrides it, so that its errors are reported once.
        const bool whole = std::ranges::none_of(paths, is_said);
        for (const std::string& path : whole ? std::vector{values_[i].path} : paths) {
            if (whole || !is_said(path)) {
                overrides.push_back(path + "=" + values_[i].text);
                made_.push_back({path, i});
            }
        }
    }
    return overrides;
}

Problems PresetFiles::placed(std::span<const Problem> problems) const {
    Problems placed{""};
    std::set<std::tuple<std::string, Position, std::string>> seen;
    for (Problem problem : problems) {
        const auto made = std::ranges::find(made_.rbegin(), made_.rend(), problem.path, &Made::path);
        if (problem.file == format::Overrides::kFile && made != made_.rend()) {
            const Value& value = values_[made->value];
            if (!seen.emplace(value.file, value.at, problem.message).second) {
                continue;
            }
            problem.file = value.file;
            problem.line = value.at.line;
            problem.column = value.at.column;
            problem.path = value.path;
        }
        placed.add(std::move(problem));
    }
    return placed;
}

}  // namespace ndsim::cli
