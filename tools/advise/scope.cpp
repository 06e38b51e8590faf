// SPDX-License-Identifier: Apache-2.0
#include "tools/advise/scope.hpp"

#include <fmt/format.h>

#include <set>

#include "sim/base/nearest_name.hpp"
#include "tools/cli/failure.hpp"

namespace ndsim::advise {

namespace {

// All names of a parameter: its path, and the path without its first parts.
std::set<std::string> names_of(const std::string& path) {
    std::set<std::string> names{path};
    for (std::size_t dot = path.find('.'); dot != std::string::npos; dot = path.find('.', dot + 1)) {
        names.insert(path.substr(dot + 1));
    }
    return names;
}

}  // namespace

bool is_called(std::string_view path, std::string_view name) {
    return path == name ||
           (path.size() > name.size() && path.ends_with(name) && path[path.size() - name.size() - 1] == '.');
}

Scope::Scope(const std::vector<Setting>& settings, const std::vector<std::string>& held,
             const std::vector<std::string>& searched) {
    for (const Setting& setting : settings) {
        known_[setting.path] = {setting.value, setting.is_given()};
    }
    mark(held, &Known::is_held, "--hold");
    mark(searched, &Known::is_searched, "--search");
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
            others.merge(names_of(path));
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
