// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/config/json.hpp"
#include "sim/config/problems.hpp"

namespace ndsim::cli {

// PresetFiles: what the files of --preset say: values as --set takes them, in place of those of the built-in presets.
// Of two for the same path the later one counts.
class PresetFiles {
public:
    explicit PresetFiles(const std::vector<std::string>& files);  // ConfigError with all that is wrong with them

    // Overrides for all that neither the scenario, a tree with what it implies, nor --set says itself.
    [[nodiscard]] std::vector<std::string> overrides_for(const JsonNode& scenario, std::span<const std::string> sets);
    // The same problems; those of these overrides stand where the preset's file has the value.
    [[nodiscard]] Problems placed(std::span<const Problem> problems) const;

private:
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
