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
#include "tools/cli/preset_files.hpp"
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

std::string text_of(const ScenarioArguments& arguments) {
    const std::string& file = arguments.file;
    return arguments.text ? *arguments.text
                          : read_file(file, std::filesystem::exists(file) ? std::string() : library_hint(file));
}

// Of a text that is none nothing is set: what is wrong with it is said later.
ScenarioArguments with_values(ScenarioArguments arguments, const std::string& text, PresetFiles& presets) {
    Problems none{""};
    if (parse_json(text, none)) {
        const std::vector<std::string> overrides = presets.overrides_for(tree_of(text, {}), arguments.overrides);
        arguments.overrides.insert(arguments.overrides.begin(), overrides.begin(), overrides.end());
        arguments.from_presets += overrides.size();
    }
    arguments.presets.clear();
    return arguments;
}

// Of arguments without files of presets.
Loaded load_text(const ScenarioArguments& arguments, const std::string& text, const Recordings& recordings,
                 std::span<const std::string_view> unless_said) {
    Loaded loaded;
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
    loaded.settings = settings_of(loaded.scenario, loaded.written, arguments.from_presets);
    return loaded;
}

}  // namespace

Loaded load(const ScenarioArguments& arguments, const Recordings& recordings,
            std::span<const std::string_view> unless_said) {
    const std::string text = text_of(arguments);
    PresetFiles presets(arguments.presets);
    const ScenarioArguments all = with_values(arguments, text, presets);
    try {
        return load_text(all, text, recordings, unless_said);
    } catch (const ConfigError& error) {
        throw ConfigError(presets.placed(error.problems()));
    }
}

ScenarioArguments with_presets(const ScenarioArguments& arguments) {
    if (arguments.presets.empty()) {
        return arguments;
    }
    static_cast<void>(load(arguments));  // says what is wrong with the files, where it stands
    PresetFiles presets(arguments.presets);
    return with_values(arguments, text_of(arguments), presets);
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
