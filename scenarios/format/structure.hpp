// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sim/config/json.hpp"
#include "sim/config/params.hpp"

namespace ndsim::format {

// The structure of a scenario file: its kinds of objects, the parameters of each, and its other contents. The loader,
// --set, the JSON schema and the reference page all read this one table.

// The value of a key that is no parameter.
enum class Shape : std::uint8_t {
    text,
    name,            // a name that the file gives to a thing
    reference,       // names another thing in the file: "q0", "A.q0", "A.s1[3]"
    choice,          // one of Key::choices
    choices,         // a list of these
    bound,           // a whole number, or a number and a unit, of any quantity
    sizes,           // a size, or a list of sizes
    size_list,       // a list of sizes
    count_list,      // a list of whole numbers, at least 1
    pair,            // a list of two references
    references,      // a list of references
    texts,           // a text, or a list of texts
    steps,           // a value or a range, or a list of them; for several paths also a list of values for each step
    object,          // a section
    flag_or_object,  // true, false, or a section
    map,             // an object with a section for each name
    list,            // a list of sections
    lists,           // an object with a list of sections for each name
};

// A key that is no parameter.
struct Key {
    std::string_view name;
    Shape shape{};
    std::string_view sentence;
    std::string_view section{};  // of its value
    std::span<const std::string_view> choices{};
    bool required = false;
};

using ParamVisitor = std::function<void(std::span<const Param>)>;

// Section: one kind of object. If it has variants, an object is one of these, and the first key present decides which.
struct Section {
    std::string_view name;
    std::string_view where;  // its path in the file
    std::string_view sentence;
    std::span<const Key> keys;
    void (*params)(const ParamVisitor&) = nullptr;  // shows the parameters with their defaults and relative paths
    std::string_view verb{};                        // the key that marks an object as this variant
    std::span<const std::string_view> variants{};
};

[[nodiscard]] std::span<const Section> sections();
[[nodiscard]] const Section& section(std::string_view name);
// The section of this object: itself, or the variant whose verb the object has; nullptr if it has none.
[[nodiscard]] const Section* variant_of(const Section& section, const JsonNode& object);
[[nodiscard]] std::vector<std::string_view> verbs_of(const Section& section);
// The default of a parameter if it is not the struct's value: "nic.sq.depth", or "-" for none.
[[nodiscard]] std::optional<std::string_view> other_default(const Section& section, const Param& param);
[[nodiscard]] std::vector<std::string_view> key_names(const Section& section);

// Letters, digits and underscores, the first one a letter: valid as a name in a waveform and in a metric.
[[nodiscard]] bool is_name(std::string_view text);
inline constexpr std::size_t kLongestName = 64;
inline constexpr std::string_view kNameRule = "a name is a letter, then letters, digits and _, at most 64 characters";

}  // namespace ndsim::format
