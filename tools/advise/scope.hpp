// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tools/cli/loaded.hpp"

namespace ndsim::advise {

// Scope: the depths and windows that the search may change. Those set by the file or the command line stay as they are,
// unless they are named for the search.
class Scope {
public:
    // All may change.
    Scope() = default;
    // `held` and `searched` are parameters as --set takes them, or the ends of such paths: "nic.sq.depth". UsageError
    // if the scenario has none of that name.
    Scope(const std::vector<Setting>& settings, const std::vector<std::string>& held,
          const std::vector<std::string>& searched);

    [[nodiscard]] bool may_change(const std::string& path) const;
    // Whether the file or the command line sets the path.
    [[nodiscard]] bool is_set(const std::string& path) const;
    // Whether it is named with --hold. is_searched(): whether it is named for the search.
    [[nodiscard]] bool is_held(const std::string& path) const;
    [[nodiscard]] bool is_searched(const std::string& path) const;
    [[nodiscard]] std::string value_of(const std::string& path) const;
    // The paths named for the search.
    [[nodiscard]] std::vector<std::string> searched() const;

private:
    // A parameter, and whether it is held or searched.
    struct Known {
        std::string value;
        bool is_set = false;
        bool is_held = false;
        bool is_searched = false;
    };
    void mark(const std::vector<std::string>& names, bool Known::*as, std::string_view option);

    std::map<std::string, Known> known_;
};

// Whether a parameter has that name: its path, the end of it, or the name of all links or switches, "link.rate".
[[nodiscard]] bool is_called(std::string_view path, std::string_view name);

// The arguments of --hold: "nic.sq.depth=64" is set, and so held; "nic.sq.depth" is held as it is.
struct Held {
    std::vector<std::string> overrides;
    std::vector<std::string> names;
};
[[nodiscard]] Held parse_held(const std::vector<std::string>& texts);

}  // namespace ndsim::advise
