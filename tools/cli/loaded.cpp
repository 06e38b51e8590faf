// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/loaded.hpp"

#include <filesystem>

#include "scenarios/format/load.hpp"
#include "scenarios/format/text_file.hpp"
#include "scenarios/format/tree.hpp"
#include "tools/cli/library.hpp"
#include "tools/cli/preset_files.hpp"

namespace ndsim::cli {

namespace {

ScenarioText text_of(const ScenarioArguments& arguments) {
    const std::string& file = arguments.file;
    const std::string hint = arguments.text || std::filesystem::exists(file) ? std::string() : library_hint(file);
    return {file, arguments.text ? *arguments.text : read_file(file, hint)};
}

ScenarioArguments with_values(ScenarioArguments arguments, const ScenarioText& text, PresetFiles& presets) {
    if (arguments.presets.empty()) {
        return arguments;
    }
    const std::vector<std::string> overrides = presets.overrides_for(text.tree({}), arguments.overrides);
    arguments.overrides.insert(arguments.overrides.begin(), overrides.begin(), overrides.end());
    arguments.from_presets += overrides.size();
    arguments.presets.clear();
    return arguments;
}

// Overrides for flags, if the scenario does not have them already.
std::vector<std::string> overrides_of_flags(const LoadedScenario& loaded, const Recordings& recordings,
                                            std::span<const std::string_view> unless_said) {
    std::vector<std::string> overrides;
    const auto record = [&](const std::string& what, std::optional<bool> wanted, bool enabled) {
        if (wanted && *wanted != enabled) {
            overrides.push_back("outputs." + what + (*wanted ? "=true" : "=false"));
        }
    };
    const Outputs& outputs = loaded.scenario.outputs;
    record("waves", recordings.waves, outputs.waves.enabled);
    record("packets", recordings.packets, outputs.packets.enabled);
    record("timeline", recordings.timeline, outputs.timeline.enabled);
    for (const std::string_view one : unless_said) {
        if (format::find_path(loaded.tree, one.substr(0, one.find('='))) == nullptr) {
            overrides.emplace_back(one);
        }
    }
    return overrides;
}

// For arguments without preset files.
Loaded load_text(const ScenarioArguments& arguments, const ScenarioText& text, const Recordings& recordings,
                 std::span<const std::string_view> unless_said) {
    std::vector<std::string> overrides = arguments.overrides;
    LoadedScenario loaded = text.load(overrides);
    if (const auto more = overrides_of_flags(loaded, recordings, unless_said); !more.empty()) {
        overrides.insert(overrides.end(), more.begin(), more.end());
        loaded = text.load(overrides);
    }
    return {std::move(loaded.scenario), std::move(overrides), std::move(loaded.tree), arguments.from_presets};
}

}  // namespace

Loaded load(const ScenarioArguments& arguments, const Recordings& recordings,
            std::span<const std::string_view> unless_said) {
    const ScenarioText text = text_of(arguments);
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
    static_cast<void>(load(arguments));  // reports errors of the files, with their places
    PresetFiles presets(arguments.presets);
    return with_values(arguments, text_of(arguments), presets);
}

bool is_possible(const ScenarioArguments& arguments) {
    try {
        static_cast<void>(load(arguments));
        return true;
    } catch (const ConfigError&) {
        return false;
    }
}

std::string name_of(const Scenario& scenario) {
    const std::string stem = std::filesystem::path(scenario.file).stem().string();
    return stem.empty() ? "run" : stem;
}

}  // namespace ndsim::cli
