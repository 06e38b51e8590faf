// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ndsim {

struct JsonMember;

// JsonIndex: finds members of large objects by their keys. It follows members added at the end; none may be removed, or
// get another key. A copy starts anew.
class JsonIndex {
public:
    JsonIndex() = default;
    JsonIndex(const JsonIndex&) {}
    JsonIndex& operator=(const JsonIndex&) {
        places_.reset();
        return *this;
    }
    JsonIndex(JsonIndex&&) = default;
    JsonIndex& operator=(JsonIndex&&) = default;
    ~JsonIndex() = default;

    // The place of the first member with this key, or the number of members.
    [[nodiscard]] std::size_t find(const std::vector<JsonMember>& members, std::string_view key);

private:
    // Places of the members by the hash of their keys.
    struct Places {
        std::unordered_multimap<std::size_t, std::size_t> by_hash;
        std::size_t known = 0;  // members so far
    };

    std::unique_ptr<Places> places_;
};

}  // namespace ndsim
