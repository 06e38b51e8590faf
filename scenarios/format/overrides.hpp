// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/json.hpp"
#include "sim/config/problems.hpp"

namespace ndsim::format {

// Overrides: what --set says, path=value. Values go into the file's tree before it is read, so that they are checked
// as if the file had them. A value's position is the number of its override.
class Overrides {
public:
    static constexpr std::string_view kFile = "--set";  // where problems with them are said to be

    Overrides(std::span<const std::string> texts, Problems& problems);

    // The tree of a file, with what the overrides say and what the file implies; what is unknown is refused.
    [[nodiscard]] JsonNode applied_to(JsonNode root);

    // The same problems, with the override's path where the position is that of an override, each once.
    [[nodiscard]] Problems named(const Problems& problems, const std::string& file) const;

private:
    struct Override {
        std::string path;
        std::string value;
        Position at;
        bool done = false;
    };
    // Those of traffic, programs and the like, from which the rest of the tree follows.
    void apply_first(JsonNode& root);
    void apply_rest(JsonNode& root);
    void apply(JsonNode& root, Override& set, const std::string& path);

    std::vector<Override> list_;
    Problems& problems_;
};

// Where a path as the user wrote it sets something: nic.sq.depth does so in every host.
[[nodiscard]] std::vector<std::string> meant_paths(const JsonNode& root, const std::string& path);

}  // namespace ndsim::format
