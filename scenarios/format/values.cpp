// SPDX-License-Identifier: Apache-2.0
#include "scenarios/format/values.hpp"

#include <algorithm>

#include "scenarios/format/tree.hpp"
#include "sim/base/text.hpp"
#include "sim/config/params.hpp"

namespace ndsim::format {

namespace {

constexpr Bytes kLargestMessage{1ULL << 30U};

std::optional<std::string> text_of(const Place& place, const JsonNode& node, const std::string& path) {
    if (!node.is(JsonKind::string)) {
        place.wrong(node, path, "expected a text in double quotes, got " + node.shown());
        return std::nullopt;
    }
    return node.text;
}

std::optional<std::size_t> index_of(const Place& place, const JsonNode& node, const std::string& path,
                                    std::span<const std::string_view> names) {
    const auto found = node.is(JsonKind::string) ? std::find(names.begin(), names.end(), node.text) : names.end();
    if (found != names.end()) {
        return static_cast<std::size_t>(found - names.begin());
    }
    const auto meant = node.is(JsonKind::string) ? suggestion(node.text, names) : std::nullopt;
    std::vector<std::string> quoted;
    for (const std::string_view name : names) {
        quoted.push_back(in_quotes(name));
    }
    place.wrong(node, path, "expected one of " + join(quoted, ", ") + ", got " + node.shown(),
                meant ? "did you mean " + in_quotes(*meant) + "?" : std::string());
    return std::nullopt;
}

std::optional<Bytes> size_of(const Place& place, const JsonNode& node, const std::string& path) {
    if (!node.is(JsonKind::string)) {
        place.wrong(node, path, expected(Quantity::size) + ", got " + node.shown());
        return std::nullopt;
    }
    const Parsed<Bytes> size = parse<Bytes>(node.text);
    if (!size.value) {
        place.wrong(node, path, size.error);
    } else if (*size.value > kLargestMessage) {
        place.wrong(node, path, "expected 0 B .. " + to_text(kLargestMessage) + ", got " + to_text(*size.value));
        return std::nullopt;
    }
    return size.value;
}

// The list of the key, or nullptr.
const JsonNode* list_at(const Place& place, std::string_view key) {
    const JsonNode* const node = place.node.find(key);
    if (node != nullptr && !node->is(JsonKind::array)) {
        place.wrong(*node, place.inner(key), "expected a list, got " + node->shown());
        return nullptr;
    }
    return node;
}

}  // namespace

bool check_keys(const Place& place, const Section& of, std::span<Param> params) {
    const std::vector<std::string_view> own = key_names(of);
    read_params(params, place.node, place.path, place.problems, own);
    if (!place.node.is(JsonKind::object)) {
        return false;
    }
    for (const Key& key : of.keys) {
        if (key.required && place.node.find(key.name) == nullptr) {
            place.wrong(place.node, place.path, in_quotes(key.name) + " is missing", std::string(key.sentence));
        }
    }
    return true;
}

void refuse_variant(const Place& place, const Section& of, const std::string& what) {
    const std::vector<std::string_view> verbs = verbs_of(of);
    if (!place.node.is(JsonKind::object)) {
        place.wrong(place.node, place.path, "expected " + what + ", got " + place.node.shown(),
                    what + " is one of " + join(verbs, ", "));
        return;
    }
    std::string hint;
    for (const JsonMember& member : place.node.members) {
        if (const auto meant = suggestion(member.key, verbs); meant && hint.empty()) {
            hint = "did you mean " + in_quotes(*meant) + " by " + in_quotes(member.key) + "?";
        }
    }
    place.wrong(place.node, place.path, what + " needs one of the keys " + join(verbs, ", "), hint);
}

std::optional<std::string> read_text(const Place& place, std::string_view key) {
    const JsonNode* const node = place.node.find(key);
    return node == nullptr ? std::nullopt : text_of(place, *node, place.inner(key));
}

std::optional<std::string> read_name(const Place& place, std::string_view key) {
    std::optional<std::string> name = read_text(place, key);
    if (name && !is_name(*name)) {
        place.wrong(*place.node.find(key), place.inner(key), in_quotes(*name) + " is not a valid name",
                    std::string(kNameRule));
        return std::nullopt;
    }
    return name;
}

std::vector<std::string> read_texts(const Place& place, std::string_view key) {
    std::vector<std::string> texts;
    if (const JsonNode* const list = list_at(place, key)) {
        for (std::size_t i = 0; i < list->items.size(); ++i) {
            if (auto text = text_of(place, list->items[i], element(place.inner(key), i))) {
                texts.push_back(std::move(*text));
            }
        }
    }
    return texts;
}

void for_each_text(
    const Place& place, std::string_view key,
    const std::function<void(const std::string& text, const JsonNode& node, const std::string& path)>& read) {
    const JsonNode* const node = place.node.find(key);
    const bool is_list = node != nullptr && node->is(JsonKind::array);
    const std::size_t count = is_list ? node->items.size() : node != nullptr ? 1 : 0;
    for (std::size_t i = 0; i < count; ++i) {
        const JsonNode& own = is_list ? node->items[i] : *node;
        const std::string path = is_list ? element(place.inner(key), i) : place.inner(key);
        if (const auto text = text_of(place, own, path)) {
            read(*text, own, path);
        }
    }
}

std::optional<std::size_t> read_choice(const Place& place, std::string_view key,
                                       std::span<const std::string_view> names) {
    const JsonNode* const node = place.node.find(key);
    return node == nullptr ? std::nullopt : index_of(place, *node, place.inner(key), names);
}

std::vector<std::size_t> read_choices(const Place& place, std::string_view key,
                                      std::span<const std::string_view> names) {
    std::vector<std::size_t> indices;
    if (const JsonNode* const list = list_at(place, key)) {
        for (std::size_t i = 0; i < list->items.size(); ++i) {
            const std::string path = element(place.inner(key), i);
            const auto index = index_of(place, list->items[i], path, names);
            if (index && std::find(indices.begin(), indices.end(), *index) != indices.end()) {
                place.wrong(list->items[i], path, in_quotes(names[*index]) + " appears twice");
            } else if (index) {
                indices.push_back(*index);
            }
        }
    }
    return indices;
}

std::vector<Bytes> read_sizes(const Place& place, std::string_view key, bool list_only) {
    const JsonNode* const node = place.node.find(key);
    std::vector<Bytes> sizes;
    if (node == nullptr) {
        return sizes;
    }
    if (!node->is(JsonKind::array) && !list_only) {
        if (const auto size = size_of(place, *node, place.inner(key))) {
            sizes.push_back(*size);
        }
        return sizes;
    }
    if (list_at(place, key) != nullptr) {
        for (std::size_t i = 0; i < node->items.size(); ++i) {
            if (const auto size = size_of(place, node->items[i], element(place.inner(key), i))) {
                sizes.push_back(*size);
            }
        }
        if (node->items.empty()) {
            place.wrong(*node, place.inner(key), "the list is empty");
        }
    }
    return sizes;
}

std::vector<std::uint32_t> read_counts(const Place& place, std::string_view key, std::uint32_t most) {
    std::vector<std::uint32_t> counts;
    const JsonNode* const list = list_at(place, key);
    if (list == nullptr) {
        return counts;
    }
    for (std::size_t i = 0; i < list->items.size(); ++i) {
        const JsonNode& item = list->items[i];
        const auto count = item.as_unsigned();
        if (!count || *count < 1 || *count > most) {
            place.wrong(item, element(place.inner(key), i),
                        "expected 1 .. " + std::to_string(most) + ", got " + item.shown());
        } else {
            counts.push_back(static_cast<std::uint32_t>(*count));
        }
    }
    if (list->items.empty()) {
        place.wrong(*list, place.inner(key), "the list is empty");
    }
    return counts;
}

void for_each_named(const Place& place, std::string_view key,
                    const std::function<void(const std::string& name, const Place& member)>& read) {
    const JsonNode* const node = place.node.find(key);
    if (node == nullptr) {
        return;
    }
    const std::string path = place.inner(key);
    if (!node->is(JsonKind::object)) {
        place.wrong(*node, path, "expected an object, got " + node->shown());
        return;
    }
    for (auto member = node->members.begin(); member != node->members.end(); ++member) {
        if (!is_name(member->key)) {
            place.problems.add(member->at, path, in_quotes(member->key) + " is not a valid name",
                               std::string(kNameRule));
            continue;
        }
        // Duplicates are already a problem.
        const bool is_first = &member->value == node->find(member->key);
        if (is_first) {
            read(member->key, Place{member->value, below(path, member->key), place.problems});
        }
    }
}

void for_each_item(const Place& place, std::string_view key, const std::function<void(const Place& item)>& read) {
    if (const JsonNode* const list = list_at(place, key)) {
        for (std::size_t i = 0; i < list->items.size(); ++i) {
            read(Place{list->items[i], element(place.inner(key), i), place.problems});
        }
    }
}

}  // namespace ndsim::format
