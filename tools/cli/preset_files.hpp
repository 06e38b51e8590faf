// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/config/json.hpp"
#include "sim/config/problems.hpp"

namespace ndsim::cli {

// PresetFiles: the values in the files of --preset, as --set takes them, in place of those of the built-in presets. If
// two files set a path, the later one counts.
class PresetFiles {
public:
    explicit PresetFiles(const std::vector<std::string>& files);  // ConfigError lists all problems

    // Overrides for values that neither the scenario (a tree with implied parts) nor --set sets.
    [[nodiscard]] std::vector<std::string> overrides_for(const JsonNode& scenario, std::span<const std::string> sets);
    // The same problems; those of these overrides get the value's place in the preset's file.
    [[nodiscard]] Problems placed(std::span<const Problem> problems) const;

private:
    // A value in a preset file.
    struct Value {
        std::string file;
        Position at;
        std::string path;
        std::string text;
    };
    struct Made {  // an override of a value
        std::string path;
        std::size_t value = 0;
    };
    void read(const std::string& file, Problems& problems);

    std::vector<Value> values_;
    std::vector<Made> made_;
};

}  // namespace ndsim::cli
