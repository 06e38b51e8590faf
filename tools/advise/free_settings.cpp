// SPDX-License-Identifier: Apache-2.0
#include "tools/advise/free_settings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tools/advise/named_dimension.hpp"

namespace ndsim::advise {

void FreeSettings::hold(const std::string& path) {
    if (std::ranges::find(held_, path, &HeldDepth::path) == held_.end()) {
        held_.push_back({path, scope_.value_of(path)});
    }
}

std::vector<Dimension::Setting> FreeSettings::of(const Host& host, const std::string& parameter,
                                                 const std::vector<std::string>& owns) {
    const std::string of_nic = fmt::format("hosts.{}.{}", host.name, parameter);
    const std::uint64_t most = range_of(parameter).high;
    std::vector<Dimension::Setting> settings;
    const auto add = [&](const std::string& path) {
        if (std::ranges::find(settings, path, &Dimension::Setting::path) == settings.end()) {
            settings.push_back({path, 1, most});
        }
    };
    for (const std::string& own : owns) {
        const bool follows = !scope_.is_set(own) || scope_.is_set(of_nic);
        const bool may_change =
            (scope_.is_set(own) && scope_.may_change(own)) || (follows && scope_.may_change(of_nic));
        if (scope_.is_held(own) || !may_change) {
            hold(follows && !scope_.is_held(own) ? of_nic : own);
            continue;
        }
        if (follows) {
            add(of_nic);
        }
        if (scope_.is_set(own)) {
            add(own);
        }
    }
    return settings;
}

}  // namespace ndsim::advise
