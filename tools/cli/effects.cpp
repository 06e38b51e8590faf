// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/effects.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "models/nic/nic_params.hpp"
#include "models/switch/switch_params.hpp"
#include "sim/config/field_lister.hpp"
#include "tools/cli/busy.hpp"
#include "tools/cli/table.hpp"
#include "tools/cli/witness.hpp"

namespace ndsim::cli {

namespace {

using Rule = FieldEffect::Rule;

// The effects listed by the parameters of hosts, switches and links.
std::map<std::string, std::vector<FieldEffect>> told_effects() {
    std::map<std::string, std::vector<FieldEffect>> told;
    const auto take = [&told](auto params, const std::string& prefix) {
        for (const Param& param : params_of(params, prefix)) {
            told[param.path()] = param.effects();
        }
    };
    take(NodeParams{}, "");
    take(SwitchParams{}, "switch");
    take(LinkParams{}, "link");
    return told;
}

Effect effect_of(Rule rule) {
    return rule == Rule::counter || rule == Rule::setting ? Effect::never_read : Effect::could_not_matter;
}

std::string table_of(const std::vector<NoEffect>& found, Effect effect, const std::vector<Setting>& settings,
                     const Paint& paint) {
    Table table({Align::left, Align::left, Align::left});
    for (const NoEffect& each : found) {
        if (each.effect == effect) {
            const auto setting = std::find_if(settings.begin(), settings.end(),
                                              [&](const Setting& candidate) { return candidate.path == each.path; });
            table.row({each.path, setting->value, each.why});
        }
    }
    return table.text(paint);
}

}  // namespace

std::vector<NoEffect> without_effect(const std::vector<Setting>& settings, const Metrics& metrics,
                                     std::span<const PoolUse> pools) {
    const auto told = told_effects();
    const bool is_whole = covers_all_windows(metrics);
    std::vector<NoEffect> found;
    std::optional<Witness> witness;
    for (const Setting& setting : settings) {
        if (!witness || !witness->is_about(setting.path)) {
            const std::optional<Owner> owner = owner_of(setting.path);
            if (!owner) {
                continue;
            }
            witness.emplace(*owner, settings, metrics, pools, is_whole);
        }
        const auto parameter = told.find(witness->parameter(setting.path));
        if (parameter == told.end()) {
            continue;
        }
        const auto& [name, effects] = *parameter;
        if (effects.empty()) {
            if (std::optional<NoEffect> room = witness->room_left(name)) {
                room->path = setting.path;
                found.push_back(*std::move(room));
            }
        }
        for (const FieldEffect& effect : effects) {
            if (std::string why = witness->reason(effect, setting.value); !why.empty()) {
                const std::uint32_t least = witness->least(effect, setting.value);
                const std::uint32_t most = effect.rule == Rule::floor ? 100 : kAnyMore;
                found.push_back({setting.path, effect_of(effect.rule), std::move(why), least, most});
                break;
            }
        }
    }
    return found;
}

std::string effects_text(const std::vector<Setting>& settings, const RunResult& result, const Paint& paint) {
    const std::vector<NoEffect> found = without_effect(settings, result.metrics, result.pools);
    return "\n" + paint.strong("Parameters without effect") + ": never read\n" +
           table_of(found, Effect::never_read, settings, paint) + "\n" + paint.strong("Parameters without effect") +
           ": could not matter\n" + table_of(found, Effect::could_not_matter, settings, paint) +
           busy_text(busy_shares(result.metrics), paint);
}

}  // namespace ndsim::cli
