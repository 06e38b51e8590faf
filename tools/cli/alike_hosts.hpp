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

// AlikeHosts: hosts that only send, and are alike down to their generators; and at other hosts the cores and queue
// pairs of generators that are alike. Tables show what they have once.
class AlikeHosts {
public:
    using Names = std::map<std::string, std::string, std::less<>>;

    AlikeHosts() = default;  // nothing is alike
    explicit AlikeHosts(const Scenario& scenario);
    explicit AlikeHosts(Names names) : names_(std::move(names)) {}

    // What names of things that are alike begin with, and what stands for that in their key. Enough to make the same
    // again where there is no scenario.
    [[nodiscard]] const Names& names() const { return names_; }

    // The same for things that are alike: units, pools, lanes, ports of a switch, generators. Of anything else it is
    // the name itself.
    [[nodiscard]] std::string key(std::string_view name) const;

    // Those that are alike together, in the order in which the first of them comes.
    [[nodiscard]] std::vector<std::vector<std::string>> groups(const std::vector<std::string>& names) const;

    // Those of alike hosts in one: of all their requests, or all their time. Its name is that of the first and the
    // last.
    [[nodiscard]] std::vector<MeanLedger> merged(const std::vector<MeanLedger>& ledgers) const;
    [[nodiscard]] std::vector<EngineUse> merged(const std::vector<EngineUse>& engines) const;

private:
    void add_generators(const Alike& alike, std::size_t number);
    void add_host(const Scenario& scenario, const Host& host, const std::string& group);
    void add_name(std::string name, std::string key) { names_.emplace(std::move(name), std::move(key)); }

    Names names_;
};

// What several are called together: "S1 .. S8", or "A" of one alone.
[[nodiscard]] std::string first_and_last(const std::vector<std::string>& names);

}  // namespace ndsim::cli
