// SPDX-License-Identifier: Apache-2.0
#include "sim/config/json_index.hpp"

#include <algorithm>
#include <functional>

#include "sim/config/json.hpp"

namespace ndsim {

namespace {

constexpr std::size_t kSmall = 32;  // up to this many members, a linear search is as fast

}  // namespace

std::size_t JsonIndex::find(const std::vector<JsonMember>& members, std::string_view key) {
    if (members.size() <= kSmall) {
        const auto found = std::ranges::find(members, key, &JsonMember::key);
        return static_cast<std::size_t>(found - members.begin());
    }
    const std::hash<std::string_view> hash;
    if (places_ == nullptr) {
        places_ = std::make_unique<Places>();
    }
    for (; places_->known < members.size(); ++places_->known) {
        places_->by_hash.emplace(hash(members[places_->known].key), places_->known);
    }
    std::size_t first = members.size();
    const auto [begin, end] = places_->by_hash.equal_range(hash(key));
    for (auto each = begin; each != end; ++each) {
        if (each->second < first && members[each->second].key == key) {
            first = each->second;
        }
    }
    return first;
}

}  // namespace ndsim
