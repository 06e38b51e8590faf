// SPDX-License-Identifier: Apache-2.0
#include "sim/config/params.hpp"

#include <algorithm>

#include "sim/base/nearest_name.hpp"
#include "sim/base/text.hpp"

namespace ndsim {

namespace {

std::string below(const std::string& path, std::string_view key) {
    return path.empty() ? std::string(key) : path + "." + std::string(key);
}

// The possible keys of the object at `path`.
std::vector<std::string> keys_of(std::span<const Param> params, const std::string& path) {
    const std::string prefix = path.empty() ? "" : path + ".";
    std::vector<std::string> keys;
    for (const Param& param : params) {
        if (param.path().starts_with(prefix)) {
            const std::string_view rest = std::string_view(param.path()).substr(prefix.size());
            const std::string_view key = rest.substr(0, rest.find('.'));
            if (keys.empty() || keys.back() != key) {
                keys.emplace_back(key);
            }
        }
    }
    return keys;
}

Param* find(std::span<Param> params, std::string_view path) {
    const auto found = std::find_if(params.begin(), params.end(), [&](const Param& p) { return p.path() == path; });
    return found == params.end() ? nullptr : &*found;
}

}  // namespace

void read_params(std::span<Param> params, const JsonNode& object, const std::string& path, Problems& problems,
                 std::span<const std::string_view> own_keys) {
    if (!object.is(JsonKind::object)) {
        problems.add(object.at, path, "expected an object, got " + object.shown());
        return;
    }
    const auto contains = [](const auto& keys, const std::string& key) {
        return std::find(keys.begin(), keys.end(), key) != keys.end();
    };
    const std::vector<std::string> known = keys_of(params, path);
    for (const JsonMember& member : object.members) {
        if (contains(own_keys, member.key)) {
            continue;
        }
        if (!contains(known, member.key)) {
            std::vector<std::string> all = known;
            all.insert(all.end(), own_keys.begin(), own_keys.end());
            const auto meant = nearest(member.key, all);
            const std::string suggestion = meant ? "; did you mean " + in_quotes(*meant) + "?" : "";
            problems.add(member.at, path, "unknown key " + in_quotes(member.key) + suggestion,
                         meant ? "" : "known are " + join(all, ", "));
            continue;
        }
        const std::string inner = below(path, member.key);
        if (Param* const param = find(params, inner)) {
            if (auto error = param->set(member.value)) {
                problems.add(member.value.at, inner, std::move(*error));
            }
        } else {
            read_params(params, member.value, inner, problems);
        }
    }
}

}  // namespace ndsim
