// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>

#include "scenarios/format/scenario.hpp"

namespace ndsim::cli {

// HostClasses: which hosts, and which switches, are alike. They have the same parameters, faults and DMA loads, and
// their links and generators are the same, over ways of the same links, and lead to hosts and switches that are alike:
// all hosts of a ring, or all
// senders to one host. Hosts that receive are alike only if there are at least three of them; one with a program is
// like no other.
class HostClasses {
public:
    explicit HostClasses(const Scenario& scenario);

    // The name of the first host or switch of its class.
    [[nodiscard]] const std::string& of(const std::string& node) const { return first_.at(node); }

private:
    std::map<std::string, std::string, std::less<>> first_;
};

// The properties of a generator and of its queue pairs, without any name.
[[nodiscard]] std::string generator_values(const Scenario& scenario, const Traffic& traffic);

}  // namespace ndsim::cli
