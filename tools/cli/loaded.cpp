// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/loaded.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "scenarios/format/implied.hpp"
#include "scenarios/format/load.hpp"
#include "scenarios/format/overrides.hpp"
#include "scenarios/format/text_file.hpp"
#include "scenarios/format/tree.hpp"
#include "tools/cli/json_append.hpp"
#include "tools/cli/library.hpp"
#include "tools/cli/settings.hpp"

namespace ndsim::cli {

namespace {

// As load_scenario does it, of a text that is known to be right.
JsonNode tree_of(const std::string& text, const std::vector<std::string>& overrides) {
    Problems none{""};
    JsonNode tree = parse_json(text, none).value();
    format::Overrides sets(overrides, none);
    sets.apply_first(tree);
    format::add_implied(tree);
    sets.apply_rest(tree);
    return tree;
}

nlohmann::ordered_json object_of(const JsonNode& node) {
    auto object = object_for(node.members.size());
    for (const JsonMember& member : node.members) {
        append(object, member.key, to_json(member.value));
    }
    return object;
}

}  // namespace

Loaded load(const ScenarioArguments& arguments, const Recordings& recordings,
            std::span<const std::string_view> unless_said) {
    Loaded loaded;
    const bool is_there = std::filesystem::exists(arguments.file);
    const std::string text = read_file(arguments.file, is_there ? std::string() : library_hint(arguments.file));
    loaded.overrides = arguments.overrides;
    loaded.scenario = load_scenario(arguments.file, text, loaded.overrides);
    const auto record = [&loaded](const std::string& what, std::optional<bool> wanted, bool enabled) {
        if (wanted && *wanted != enabled) {
            loaded.overrides.push_back("outputs." + what + (*wanted ? "=true" : "=false"));
        }
    };
    record("waves", recordings.waves, loaded.scenario.outputs.waves.enabled);
    record("packets", recordings.packets, loaded.scenario.outputs.packets.enabled);
    record("timeline", recordings.timeline, loaded.scenario.outputs.timeline.enabled);
    const JsonNode said = tree_of(text, loaded.overrides);
    for (const std::string_view one : unless_said) {
        if (format::find_path(said, one.substr(0, one.find('='))) == nullptr) {
            loaded.overrides.emplace_back(one);
        }
    }
    if (loaded.overrides.size() != arguments.overrides.size()) {
        loaded.scenario = load_scenario(arguments.file, text, loaded.overrides);
    }
    loaded.written = tree_of(text, loaded.overrides);
    loaded.settings = settings_of(loaded.scenario, loaded.written);
    return loaded;
}

nlohmann::ordered_json to_json(const JsonNode& node) {
    switch (node.kind) {
        case JsonKind::null:
            return nullptr;
        case JsonKind::boolean:
            return node.flag;
        case JsonKind::integer:
            if (node.negative) {
                return -static_cast<std::int64_t>(node.magnitude);
            }
            return node.magnitude;
        case JsonKind::real:
        case JsonKind::string:
            return node.text;
        case JsonKind::object:
            return object_of(node);
        case JsonKind::array:
            break;
    }
    auto list = nlohmann::ordered_json::array();
    for (const JsonNode& item : node.items) {
        list.push_back(to_json(item));
    }
    return list;
}

nlohmann::ordered_json to_json(const std::vector<Setting>& settings) {
    auto object = object_for(settings.size());
    for (const Setting& setting : settings) {
        append(object, setting.path, {{"value", setting.value}, {"origin", setting.origin}});
    }
    return object;
}

std::string name_of(const Scenario& scenario) {
    const std::string stem = std::filesystem::path(scenario.file).stem().string();
    return stem.empty() ? "run" : stem;
}

}  // namespace ndsim::cli
