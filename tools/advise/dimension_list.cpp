// SPDX-License-Identifier: Apache-2.0
#include "tools/advise/dimension_list.hpp"

#include <algorithm>

namespace ndsim::advise {

namespace {

bool has(const Dimension& dimension, const std::string& path) {
    return std::ranges::find(dimension.settings, path, &Dimension::Setting::path) != dimension.settings.end();
}

}  // namespace

Dimension* DimensionList::named(const std::string& name, const std::string& sentence,
                                const std::vector<Dimension::Setting>& settings) {
    if (settings.empty()) {
        return nullptr;
    }
    const auto found = std::ranges::find(all_, name, &Dimension::name);
    Dimension& named = found == all_.end() ? all_.emplace_back(Dimension{name, sentence, {}}) : *found;
    for (const Dimension::Setting& setting : settings) {
        if (!has(named, setting.path)) {
            named.settings.push_back(setting);
        }
    }
    return &named;
}

std::uint64_t DimensionList::once(const Dimension& dimension, const Host& on) {
    return counted_.insert({dimension.name, on.name}).second ? 1 : 0;
}

std::uint64_t DimensionList::hosts_of(const Dimension& dimension) const {
    return static_cast<std::uint64_t>(
        std::ranges::count(counted_, dimension.name, &std::pair<std::string, std::string>::first));
}

bool DimensionList::sets(const std::string& path) const {
    return std::ranges::any_of(all_, [&](const Dimension& each) { return has(each, path); });
}

}  // namespace ndsim::advise
