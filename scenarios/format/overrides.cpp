// SPDX-License-Identifier: Apache-2.0
#include "scenarios/format/overrides.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <utility>

#include "scenarios/format/implied.hpp"
#include "scenarios/format/structure.hpp"
#include "scenarios/format/tree.hpp"
#include "sim/base/text.hpp"

namespace ndsim::format {

namespace {

void move_to(JsonNode& node, Position at) {
    node.at = at;
    for (JsonNode& item : node.items) {
        move_to(item, at);
    }
    for (JsonMember& member : node.members) {
        member.at = at;
        move_to(member.value, at);
    }
}

// true, 64, ["64 B"] and "quoted" mean the same as in the file; anything else is text without quotes.
JsonNode to_node(std::string_view text, Position at) {
    Problems ignored{std::string(Overrides::kFile)};
    auto node = parse_json(text, ignored);
    if (!node || !ignored.empty()) {
        node = JsonNode{};
        node->kind = JsonKind::string;
        node->text = text;
    }
    move_to(*node, at);
    return *node;
}

// All paths of the file that can be set.
class KnownPaths {
public:
    explicit KnownPaths(const JsonNode& root) { list(section("scenario"), &root, ""); }

    [[nodiscard]] std::vector<std::string>& paths() { return paths_; }

private:
    void list(const Section& of, const JsonNode* node, const std::string& path);
    void list_items(const Section& of, const JsonNode& list, const std::string& path);

    std::vector<std::string> paths_;
};

void KnownPaths::list(const Section& of, const JsonNode* node, const std::string& path) {
    if (of.params != nullptr) {
        of.params([&](std::span<const Param> params) {
            for (const Param& param : params) {
                paths_.push_back(below(path, param.path()));
            }
        });
    }
    for (const Key& key : of.keys) {
        const std::string inner = below(path, key.name);
        const JsonNode* const child = node == nullptr ? nullptr : node->find(key.name);
        const bool is_leaf = key.shape != Shape::object && key.shape != Shape::map && key.shape != Shape::list &&
                             key.shape != Shape::lists;
        if (is_leaf) {
            paths_.push_back(inner);
        }
        if (key.shape == Shape::object || key.shape == Shape::flag_or_object) {
            list(section(key.section), child, inner);
        } else if (key.shape == Shape::list && child != nullptr) {
            list_items(section(key.section), *child, inner);
        } else if (!is_leaf && child != nullptr) {
            for (const JsonMember& member : child->members) {
                if (key.shape == Shape::map) {
                    list(section(key.section), &member.value, below(inner, member.key));
                } else {
                    list_items(section(key.section), member.value, below(inner, member.key));
                }
            }
        }
    }
}

void KnownPaths::list_items(const Section& of, const JsonNode& items, const std::string& path) {
    for (std::size_t i = 0; i < items.items.size(); ++i) {
        if (const Section* const variant = variant_of(of, items.items[i])) {
            list(*variant, &items.items[i], element(path, i));
        }
    }
}

bool contains(const std::vector<std::string>& paths, const std::string& path) {
    return std::find(paths.begin(), paths.end(), path) != paths.end();
}

// The shortest paths with this end: traffic.stream.window for "window".
std::vector<std::string> paths_ending_in(const std::string& end, const std::vector<std::string>& known) {
    constexpr std::size_t kMostShown = 2;
    std::vector<std::string> found;
    std::copy_if(known.begin(), known.end(), std::back_inserter(found),
                 [&](const std::string& each) { return each.ends_with("." + end); });
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
    found.resize(std::min(found.size(), kMostShown));
    return found;
}

// The short form of the only parameter with the same last name: pcie.tags for nic.tags.
std::vector<std::string> only_one_called(const std::string& path, const std::vector<std::string>& known) {
    const std::size_t dot = path.rfind('.');
    const std::string name = dot == std::string::npos ? path : path.substr(dot + 1);
    const std::vector<std::string> found = paths_ending_in(name, known);
    const auto is_other = [&](const std::string& each) {
        return each.ends_with("." + name) && each != found.front() && !each.ends_with("." + found.front());
    };
    return found.empty() || std::any_of(known.begin(), known.end(), is_other) ? std::vector<std::string>{}
                                                                              : std::vector{found.front()};
}

// The message about a path that cannot be set.
std::string no_such_path(const std::string& path, const std::vector<std::string>& known) {
    const auto inner = std::find_if(known.begin(), known.end(), [&](const std::string& each) {
        return each.starts_with(path + ".") || each.starts_with(path + "[");
    });
    if (inner != known.end()) {
        return "is not a single value; set one in it, such as " + in_quotes(*inner);
    }
    std::vector<std::string> meant = paths_ending_in(path, known);
    if (const auto nearest = suggestion(path, known); meant.empty() && nearest) {
        meant = {*nearest};
    }
    if (meant.empty()) {
        meant = only_one_called(path, known);
    }
    for (std::string& each : meant) {
        each = in_quotes(each);
    }
    return "there is no such path" + (meant.empty() ? "" : "; did you mean " + join(meant, " or ") + "?");
}

// A path as the user wrote it, and the map whose members it sets: nic.sq.depth is that of every host.
struct ShortForm {
    std::string_view begin;
    std::string_view map;
    bool keeps_begin = true;
};
constexpr std::array<ShortForm, 8> kShortForms{{{"nic.", "hosts"},
                                                {"pcie.", "hosts"},
                                                {"cpu.", "hosts"},
                                                {"root.", "hosts"},
                                                {"iommu.", "hosts"},
                                                {"adapter.", "hosts"},
                                                {"switch.", "switches", false},
                                                {"link.", "links", false}}};

void add_short_forms(std::vector<std::string>& paths) {
    const auto add = [&](const std::string& prefix) {
        return [&paths, prefix](std::span<const Param> params) {
            for (const Param& param : params) {
                paths.push_back(below(prefix, param.path()));
            }
        };
    };
    section("host").params(add(""));
    section("switch").params(add("switch"));
    section("link").params(add("link"));
}

// The short form that a path has; nullptr if it has none.
const ShortForm* short_form(std::string_view path) {
    const auto form = std::find_if(kShortForms.begin(), kShortForms.end(),
                                   [&](const ShortForm& each) { return path.starts_with(each.begin); });
    return form == kShortForms.end() ? nullptr : &*form;
}

bool concerns_the_network(std::string_view path) {
    return path.starts_with("hosts.") || path.starts_with("switches.") || path.starts_with("links.") ||
           short_form(path) != nullptr;
}

}  // namespace

std::vector<std::string> meant_paths(const JsonNode& root, const std::string& path) {
    const ShortForm* const form = short_form(path);
    if (form == nullptr) {
        return {path};
    }
    std::vector<std::string> paths;
    if (const JsonNode* const map = root.find(form->map)) {
        for (const JsonMember& member : map->members) {
            const std::string prefix = below(std::string(form->map), member.key);
            paths.push_back(below(prefix, form->keeps_begin ? path : path.substr(form->begin.size())));
        }
    }
    return paths;
}

Overrides::Overrides(std::span<const std::string> texts, Problems& problems) : problems_(problems) {
    for (const std::string& text : texts) {
        const Position at{.set = static_cast<std::uint32_t>(list_.size() + 1)};
        const std::size_t equals = text.find('=');
        Override set{text.substr(0, equals), {}, at};
        if (equals == std::string::npos || equals == 0) {
            problems_.add({std::string(Overrides::kFile), 0, 0, {}, "expected path=value, got " + in_quotes(text), {}});
            set.done = true;
        } else {
            set.value = text.substr(equals + 1);
        }
        list_.push_back(std::move(set));
    }
}

void Overrides::apply(JsonNode& root, Override& set, const std::string& path) {
    JsonNode* node = &root;
    for (const Step& step : steps_of(path)) {
        if (step.index) {
            node = &node->items.at(*step.index);
            continue;
        }
        if (node->is(JsonKind::boolean)) {  // "waves": true
            *node = JsonNode{};
            node->kind = JsonKind::object;
            node->at = set.at;
        }
        node = &member_of(*node, step.key, set.at);
    }
    *node = to_node(set.value, set.at);
    set.done = true;
}

JsonNode Overrides::applied_to(JsonNode root) {
    apply_first(root);
    add_implied(root);
    apply_rest(root);
    return root;
}

void Overrides::apply_first(JsonNode& root) {
    if (list_.empty()) {
        return;
    }
    const std::vector<std::string> known = KnownPaths(root).paths();
    for (Override& set : list_) {
        if (!set.done && !concerns_the_network(set.path) && contains(known, set.path)) {
            apply(root, set, set.path);
        }
    }
}

void Overrides::apply_rest(JsonNode& root) {
    if (list_.empty()) {
        return;
    }
    std::vector<std::string> known = KnownPaths(root).paths();
    add_short_forms(known);
    for (Override& set : list_) {
        if (set.done) {
            continue;
        }
        const std::vector<std::string> meant = meant_paths(root, set.path);
        const bool is_known = contains(known, set.path);
        if (!is_known || meant.empty()) {
            std::string message = is_known ? "the scenario has no " + std::string(short_form(set.path)->map)
                                           : no_such_path(set.path, known);
            problems_.add({std::string(Overrides::kFile), 0, 0, set.path, std::move(message), {}});
            continue;
        }
        for (const std::string& path : meant) {
            apply(root, set, path);
        }
    }
}

Problems Overrides::named(const Problems& problems, const std::string& file) const {
    Problems named(file);
    std::set<std::pair<std::uint32_t, std::string>> seen;
    for (Problem problem : problems.sorted()) {
        if (problem.set != 0) {
            if (!seen.emplace(problem.set, problem.message).second) {
                continue;
            }
            problem.file = kFile;
            problem.path = list_.at(problem.set - 1).path;
        }
        named.add(std::move(problem));
    }
    return named;
}

}  // namespace ndsim::format
