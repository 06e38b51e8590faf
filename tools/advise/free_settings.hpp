// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "scenarios/format/scenario.hpp"
#include "tools/advise/dimension.hpp"
#include "tools/advise/scope.hpp"

namespace ndsim::advise {

// A depth that must not change.
struct HeldDepth {
    std::string path;
    std::string value;
};

// FreeSettings: the parameters with which a search may set a depth; it notes those that are held.
class FreeSettings {
public:
    explicit FreeSettings(const Scope& scope) : scope_(scope) {}

    // For a depth that each object of a host may have at one of the paths `owns`; otherwise the NIC's parameter sets
    // it.
    [[nodiscard]] std::vector<Dimension::Setting> of(const Host& host, const std::string& parameter,
                                                     const std::vector<std::string>& owns);
    void hold(const std::string& path);
    [[nodiscard]] const std::vector<HeldDepth>& held() const { return held_; }

private:
    const Scope& scope_;
    std::vector<HeldDepth> held_;
};

}  // namespace ndsim::advise
