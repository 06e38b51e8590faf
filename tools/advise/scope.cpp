// SPDX-License-Identifier: Apache-2.0
#include "tools/advise/scope.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "sim/base/nearest_name.hpp"
#include "sim/config/quantity.hpp"
#include "tools/cli/failure.hpp"

namespace ndsim::advise {

namespace {

// The name of all links, or of all switches, as --set takes it: link.rate is links.l0.rate and links.l1.rate.
std::string_view short_form_of(std::string_view path) {
    return path.starts_with("links.") ? "link" : path.starts_with("switches.") ? "switch" : "";
}

// All names of a parameter: its path, the path without its first parts, and its short form.
std::set<std::string> names_of(const std::string& path) {
    std::set<std::string> names{path};
    const std::string_view every = short_form_of(path);
    if (const std::size_t dot = path.find('.', path.find('.') + 1); !every.empty() && dot != std::string::npos) {
        names.insert(std::string(every) + path.substr(dot));
    }
    for (std::size_t dot = path.find('.'); dot != std::string::npos; dot = path.find('.', dot + 1)) {
        names.insert(path.substr(dot + 1));
    }
    return names;
}

// Whether a value is a whole number or a size, as that of each depth is.
bool may_be_depth(const std::string& value) {
    const bool is_whole = !value.empty() && std::ranges::all_of(value, [](char c) { return c >= '0' && c <= '9'; });
    return is_whole || parse(Quantity::size, value).value.has_value();
}

}  // namespace

bool is_called(std::string_view path, std::string_view name) {
    if (path == name ||
        (path.size() > name.size() && path.ends_with(name) && path[path.size() - name.size() - 1] == '.')) {
        return true;
    }
    const std::string_view every = short_form_of(path);
    return !every.empty() && name.starts_with(every) && path.ends_with(name.substr(every.size())) &&
           std::ranges::count(path, '.') == std::ranges::count(name, '.') + 1;
}

Scope::Scope(const std::vector<Setting>& settings, const std::vector<std::string>& held,
             const std::vector<std::string>& searched) {
    for (const Setting& setting : settings) {
        known_[setting.path] = {setting.value, setting.is_given()};
    }
    mark(held, &Known::is_held, "--hold");
    mark(searched, &Known::is_searched, "--search");
    for (const auto& [path, known] : known_) {
        if (known.is_held && known.is_searched) {
            throw cli::UsageError(fmt::format("--search: {} is held by --hold", path));
        }
    }
}

void Scope::mark(const std::vector<std::string>& names, bool Known::*as, std::string_view option) {
    for (const std::string& name : names) {
        bool found = false;
        std::set<std::string> others;
        for (auto& [path, known] : known_) {
            if (is_called(path, name)) {
                known.*as = true;
                found = true;
            }
            if (as != &Known::is_searched || may_be_depth(known.value)) {
                others.merge(names_of(path));
            }
        }
        if (!found) {
            const auto meant = nearest(name, others);
            throw cli::UsageError(fmt::format("{}: the scenario has no parameter \"{}\"{}", option, name,
                                              meant ? fmt::format("; did you mean \"{}\"?", *meant) : ""));
        }
    }
}

bool Scope::may_change(const std::string& path) const {
    const auto at = known_.find(path);
    return at == known_.end() || at->second.is_searched || !(at->second.is_set || at->second.is_held);
}

bool Scope::is_set(const std::string& path) const {
    const auto at = known_.find(path);
    return at != known_.end() && at->second.is_set;
}

bool Scope::is_held(const std::string& path) const {
    const auto at = known_.find(path);
    return at != known_.end() && at->second.is_held;
}

bool Scope::is_searched(const std::string& path) const {
    const auto at = known_.find(path);
    return at != known_.end() && at->second.is_searched;
}

std::string Scope::value_of(const std::string& path) const {
    const auto at = known_.find(path);
    return at == known_.end() ? std::string() : at->second.value;
}

std::vector<std::string> Scope::searched() const {
    std::vector<std::string> paths;
    for (const auto& [path, known] : known_) {
        if (known.is_searched) {
            paths.push_back(path);
        }
    }
    return paths;
}

Held parse_held(const std::vector<std::string>& texts) {
    Held held;
    for (const std::string& text : texts) {
        (text.find('=') == std::string::npos ? held.names : held.overrides).push_back(text);
    }
    return held;
}

}  // namespace ndsim::advise
