// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/format/scenario.hpp"
#include "tools/advise/dimension.hpp"

namespace ndsim::advise {

// DimensionList: the dimensions of several generators, and hosts; those that share one have it once.
class DimensionList {
public:
    // The dimension of that name, with these settings, too; none if no parameter sets it. Valid until the next call.
    Dimension* named(const std::string& name, const std::string& sentence,
                     const std::vector<Dimension::Setting>& settings);
    void add(Dimension dimension) { all_.push_back(std::move(dimension)); }
    // The factor of a host's memory for the dimension: 1 for the first time, then 0.
    [[nodiscard]] std::uint64_t once(const Dimension& dimension, const Host& on);
    // The hosts whose memory the dimension has counted.
    [[nodiscard]] std::uint64_t hosts_of(const Dimension& dimension) const;
    // Whether a dimension sets this parameter.
    [[nodiscard]] bool sets(const std::string& path) const;

    [[nodiscard]] std::vector<Dimension> take() { return std::move(all_); }

private:
    std::vector<Dimension> all_;
    std::set<std::pair<std::string, std::string>> counted_;  // dimensions, and hosts
};

}  // namespace ndsim::advise
