// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/format/scenario.hpp"
#include "scenarios/format/values.hpp"

namespace ndsim::format {

// Readers of a file's parts, in the order in which they must be called: each needs the earlier ones. They add to
// `root.problems` values that are wrong by themselves, or names of things that do not exist; checks.hpp has the rest.
void read_hosts(const Place& root, Scenario& scenario);
void read_programs(const Place& root, Scenario& scenario);
void read_traffic(const Place& root, Scenario& scenario);
void read_dma(const Place& root, Scenario& scenario);
void read_faults(const Place& root, Scenario& scenario);
void read_expectations(const Place& root, Scenario& scenario);
void read_outputs(const Place& root, Scenario& scenario);
void read_sweep(const Place& root, Scenario& scenario);
void read_target(const Place& root, Scenario& scenario);

// The thing of that name, or nullptr.
template <class Things>
[[nodiscard]] auto* find_named(Things& things, std::string_view name) {
    const auto found =
        std::find_if(things.begin(), things.end(), [&](const auto& thing) { return thing.name == name; });
    return found == things.end() ? nullptr : &*found;
}

template <class Things>
[[nodiscard]] std::vector<std::string> names_of(const Things& things) {
    std::vector<std::string> names;
    names.reserve(things.size());
    for (const auto& thing : things) {
        names.push_back(thing.name);
    }
    return names;
}

// Names such as "A.q0" of a host's things.
template <class Things>
[[nodiscard]] std::vector<std::string> qualified_names(const Host& host, const Things& things) {
    std::vector<std::string> names = names_of(things);
    for (std::string& name : names) {
        name.insert(0, host.name + ".");
    }
    return names;
}

}  // namespace ndsim::format
