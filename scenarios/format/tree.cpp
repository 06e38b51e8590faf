// SPDX-License-Identifier: Apache-2.0
#include "scenarios/format/tree.hpp"

#include <algorithm>
#include <charconv>

namespace ndsim::format {

std::string below(const std::string& path, std::string_view key) {
    return path.empty() ? std::string(key) : path + "." + std::string(key);
}

std::string element(const std::string& path, std::size_t index) {
    return path + "[" + std::to_string(index) + "]";
}

std::vector<Step> steps_of(std::string_view path) {
    std::vector<Step> steps;
    while (!path.empty()) {
        const bool is_index = path.front() == '[';
        const std::size_t from = is_index || path.front() == '.' ? 1 : 0;
        const std::size_t end = std::min(path.find_first_of(is_index ? "]" : ".[", from), path.size());
        const std::string_view word = path.substr(from, end - from);
        Step step{std::string(word), std::nullopt};
        std::size_t index = 0;
        const auto read = std::from_chars(word.data(), word.data() + word.size(), index);
        if (is_index && read.ec == std::errc{} && read.ptr == word.data() + word.size()) {
            step.index = index;
        }
        steps.push_back(std::move(step));
        path.remove_prefix(std::min(end + (is_index ? 1 : 0), path.size()));
    }
    return steps;
}

namespace {

// Follows the path as far as it exists, and as far as it exists in the file: an override also adds the objects around
// its value.
struct Descent {
    const JsonNode* node;
    const JsonNode* in_file;
    bool arrived;
};
Descent descend(const JsonNode& root, std::string_view path) {
    const JsonNode* node = &root;
    const JsonNode* in_file = &root;
    for (const Step& step : steps_of(path)) {
        const JsonNode* next = nullptr;
        if (!step.index) {
            next = node->find(step.key);
        } else if (*step.index < node->items.size()) {
            next = &node->items[*step.index];
        }
        if (next == nullptr) {
            return {node, in_file, false};
        }
        node = next;
        in_file = node->at.set == 0 ? node : in_file;
    }
    return {node, in_file, true};
}

}  // namespace

const JsonNode* find_path(const JsonNode& root, std::string_view path) {
    const Descent descent = descend(root, path);
    return descent.arrived ? descent.node : nullptr;
}

Position place_of(const JsonNode& root, std::string_view path) {
    const Descent descent = descend(root, path);
    return (descent.arrived || !descent.node->is(JsonKind::object) ? descent.node : descent.in_file)->at;
}

JsonNode& member_of(JsonNode& object, std::string_view key, Position at) {
    if (JsonNode* const found = object.find(key)) {
        return *found;
    }
    JsonMember& added = object.members.emplace_back();
    added.key = key;
    added.at = at;
    added.value.kind = JsonKind::object;
    added.value.at = at;
    return added.value;
}

Absence no_such(std::string_view kind, std::string_view name, const std::vector<std::string>& known,
                const std::string& where) {
    Absence absence{"there is no " + std::string(kind) + " " + in_quotes(name) + where, {}};
    constexpr std::size_t kMostShown = 12;
    if (const auto meant = suggestion(name, known)) {
        absence.message += "; did you mean " + in_quotes(*meant) + "?";
    } else if (known.empty()) {
        absence.hint = "there is none at all";
    } else {
        const auto shown = static_cast<std::ptrdiff_t>(std::min(known.size(), kMostShown));
        const std::vector<std::string> first(known.begin(), known.begin() + shown);
        absence.hint = "known are " + join(first, ", ") + (known.size() > kMostShown ? " ..." : "");
    }
    return absence;
}

}  // namespace ndsim::format
