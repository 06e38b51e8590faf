// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/format/structure.hpp"
#include "scenarios/format/tree.hpp"
#include "sim/base/units.hpp"
#include "sim/config/json.hpp"
#include "sim/config/problems.hpp"

namespace ndsim::format {

// Place: an object of the file that is being read, its path, and the list of problems.
struct Place {
    const JsonNode& node;
    std::string path;
    Problems& problems;

    [[nodiscard]] std::string inner(std::string_view key) const { return below(path, key); }
    void wrong(const JsonNode& value, const std::string& at, std::string message, std::string hint = {}) const {
        problems.add(value.at, at, std::move(message), std::move(hint));
    }
};

// Reports keys that the section does not have, and missing ones that it needs. False if the node is no object.
bool check_keys(const Place& place, const Section& of, std::span<Param> params);

// Reports that the node is none of the section's variants; `what` is one of them, as in "an operation".
void refuse_variant(const Place& place, const Section& of, const std::string& what);

// Sets the parameters of the section's struct, and checks all keys.
template <HasFields S>
bool read_section(S& s, const Place& place, std::string_view name) {
    std::vector<Param> params = params_of(s, place.path);
    return check_keys(place, section(name), params);
}

// The value of the key; nothing if there is no such key, or if the value is wrong, which is then a problem.
[[nodiscard]] std::optional<std::string> read_text(const Place& place, std::string_view key);
[[nodiscard]] std::optional<std::string> read_name(const Place& place, std::string_view key);
[[nodiscard]] std::vector<std::string> read_texts(const Place& place, std::string_view key);
// Calls `read` with the text at the key or, if it is a list, with each of its texts, and with its node and path.
void for_each_text(
    const Place& place, std::string_view key,
    const std::function<void(const std::string& text, const JsonNode& node, const std::string& path)>& read);
// The index of one of the names.
[[nodiscard]] std::optional<std::size_t> read_choice(const Place& place, std::string_view key,
                                                     std::span<const std::string_view> names);
[[nodiscard]] std::vector<std::size_t> read_choices(const Place& place, std::string_view key,
                                                    std::span<const std::string_view> names);
// A size or, if the key's shape allows it, a list of sizes.
[[nodiscard]] std::vector<Bytes> read_sizes(const Place& place, std::string_view key, bool list_only);
// A list of whole numbers from 1 to `most`.
[[nodiscard]] std::vector<std::uint32_t> read_counts(const Place& place, std::string_view key, std::uint32_t most);

// Calls `read` for every member of the key's object. Names must be valid.
void for_each_named(const Place& place, std::string_view key,
                    const std::function<void(const std::string& name, const Place& member)>& read);
// Calls `read` for every item of the key's list.
void for_each_item(const Place& place, std::string_view key, const std::function<void(const Place& item)>& read);

}  // namespace ndsim::format
