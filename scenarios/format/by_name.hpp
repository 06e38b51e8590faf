// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

namespace ndsim {

// ByName: finds the things of a long list by name. The list must not change meanwhile; if several have a name, the
// first is found.
template <class Thing>
class ByName {
public:
    explicit ByName(const std::vector<Thing>& things) {
        for (const Thing& thing : things) {
            things_.try_emplace(thing.name, &thing);
        }
    }
    // The thing, or nullptr.
    [[nodiscard]] const Thing* find(std::string_view name) const {
        const auto found = things_.find(name);
        return found == things_.end() ? nullptr : found->second;
    }

private:
    std::unordered_map<std::string_view, const Thing*> things_;
};

}  // namespace ndsim
