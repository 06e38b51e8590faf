// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/json.hpp"
#include "sim/config/problems.hpp"

namespace ndsim::format {

// Overrides: the path=value texts of --set. The values go into the file's tree before it is read, so that they are
// checked like values of the file. A value's position is the number of its override.
class Overrides {
public:
    static constexpr std::string_view kFile = "--set";  // file name in their problems

    Overrides(std::span<const std::string> texts, Problems& problems);

    // The tree of a file with the overrides and the implied parts; unknown paths are refused.
    [[nodiscard]] JsonNode applied_to(JsonNode root);

    // The same problems, each once, with the override's path if the position is an override's.
    [[nodiscard]] Problems named(const Problems& problems, const std::string& file) const;

private:
    // An override, and whether it has been applied.
    struct Override {
        std::string path;
        std::string value;
        Position at;
        bool done = false;
    };
    // Overrides of traffic, programs and the like, from which the rest of the tree follows.
    void apply_first(JsonNode& root);
    void apply_rest(JsonNode& root);
    void apply(JsonNode& root, Override& set, const std::string& path);

    std::vector<Override> list_;
    Problems& problems_;
};

// The paths that a user's path sets: nic.sq.depth sets one in every host.
[[nodiscard]] std::vector<std::string> meant_paths(const JsonNode& root, const std::string& path);

}  // namespace ndsim::format
