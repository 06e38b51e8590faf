// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/format/scenario.hpp"
#include "scenarios/run/run.hpp"
#include "tools/cli/alike.hpp"

namespace ndsim::cli {

// AlikeHosts: hosts of one class, with their links and what they have; and at other hosts the cores and queue pairs of
// alike generators. Tables show them once.
class AlikeHosts {
public:
    using Names = std::map<std::string, std::string, std::less<>>;

    AlikeHosts() = default;  // nothing is alike
    explicit AlikeHosts(const Scenario& scenario);
    explicit AlikeHosts(Names names) : names_(std::move(names)) {}

    // Beginnings of names of alike things, and their replacements in keys. They are enough to make the object again
    // without a scenario.
    [[nodiscard]] const Names& names() const { return names_; }

    // The same key for things that are alike: units, pools, lanes, ports of a switch, generators. The key of anything
    // else is its name.
    [[nodiscard]] std::string key(std::string_view name) const;

    // Groups of alike things, in the order of each group's first one.
    [[nodiscard]] std::vector<std::vector<std::string>> groups(const std::vector<std::string>& names) const;

    // The common name of each of these hosts and those like it: "S1 .. S8", or "A" of a single one.
    [[nodiscard]] std::map<std::string, std::string> common_names(const std::vector<std::string>& hosts) const;

    // Merges the entries of alike hosts: all their requests, or all their time. The name is that of the first and the
    // last.
    [[nodiscard]] std::vector<MeanLedger> merged(const std::vector<MeanLedger>& ledgers) const;
    [[nodiscard]] std::vector<EngineUse> merged(const std::vector<EngineUse>& engines) const;

private:
    void add_generators(const Alike& alike, std::size_t number);
    void add_host(const Scenario& scenario, const HostClasses& classes, const std::string& host,
                  const std::string& group);
    void add_name(std::string name, std::string key) { names_.emplace(std::move(name), std::move(key)); }

    Names names_;
};

// The common names of all hosts of a scenario.
[[nodiscard]] std::map<std::string, std::string> common_names(const Scenario& scenario);

// The common name of several: "S1 .. S8", or "A" of one alone.
[[nodiscard]] std::string first_and_last(const std::vector<std::string>& names);
// The same for names in any order: shorter ones come first, S9 before S10.
[[nodiscard]] std::string least_and_greatest(const std::vector<std::string>& names);

}  // namespace ndsim::cli
