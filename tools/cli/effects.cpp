// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/effects.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>

#include "models/nic/nic_params.hpp"
#include "models/switch/switch_params.hpp"
#include "sim/config/field_lister.hpp"
#include "tools/cli/busy.hpp"
#include "tools/cli/table.hpp"

namespace ndsim::cli {

namespace {

using Rule = FieldEffect::Rule;

// Whether a name matches a pattern, in which "*" stands for anything but a dot.
bool matches(std::string_view pattern, std::string_view name) {
    const std::size_t star = pattern.find('*');
    if (star == std::string_view::npos) {
        return pattern == name;
    }
    if (!name.starts_with(pattern.substr(0, star))) {
        return false;
    }
    pattern.remove_prefix(star + 1);
    name.remove_prefix(star);
    while (!matches(pattern, name)) {
        if (name.empty() || name.front() == '.') {
            return false;
        }
        name.remove_prefix(1);
    }
    return true;
}

// The count of a setting; 0 if it is none.
std::uint64_t count_of(std::string_view text) {
    std::uint64_t count = 0;
    std::from_chars(text.data(), text.data() + text.size(), count);
    return count;
}

// The host, switch or link of a parameter: its prefix in the settings, and in metrics.
struct Owner {
    std::string settings;     // hosts.A.
    std::string metrics;      // A.
    std::string_view prefix;  // of its parameters in the lists of effects
};

std::optional<Owner> owner_of(std::string_view path) {
    // A kind of owner.
    struct Kind {
        std::string_view section;
        std::string_view joint;  // between its name and its metrics' names
        std::string_view prefix;
    };
    constexpr std::array<Kind, 3> kKinds{
        {{"hosts.", ".", ""}, {"switches.", ".", "switch."}, {"links.", "_", "link."}}};
    for (const auto& [section, joint, prefix] : kKinds) {
        if (path.starts_with(section)) {
            const std::size_t end = path.find('.', section.size());
            const std::string name(path.substr(section.size(), end - section.size()));
            return Owner{std::string(path.substr(0, end + 1)), name + std::string(joint), prefix};
        }
    }
    return std::nullopt;
}

// A run's facts about one host, switch or link.
class Witness {
public:
    Witness(Owner owner, const std::vector<Setting>& settings, const Metrics& metrics, std::span<const PoolUse> pools)
        : owner_(std::move(owner)) {
        for (const Setting& setting : settings) {
            if (setting.path.starts_with(owner_.settings)) {
                settings_.push_back(
                    {std::string(owner_.prefix) + setting.path.substr(owner_.settings.size()), setting.value});
            }
        }
        for (const Metric& metric : metrics.all()) {
            if (metric.name.starts_with(owner_.metrics)) {
                metrics_.push_back({std::string_view(metric.name).substr(owner_.metrics.size()), metric.value});
            }
        }
        for (const PoolUse& use : pools) {
            if (use.pool.starts_with(owner_.metrics) && use.facts->when_full != WhenFull::part) {
                pools_.push_back({std::string_view(use.pool).substr(owner_.metrics.size()), use.facts->parameter});
            }
        }
    }

    [[nodiscard]] bool is_about(std::string_view path) const { return path.starts_with(owner_.settings); }
    // The parameter's name in the lists of effects.
    [[nodiscard]] std::string parameter(std::string_view path) const {
        return std::string(owner_.prefix) + std::string(path.substr(owner_.settings.size()));
    }

    // Why the parameter had no effect, by this rule; empty if it had one, or that is unknown.
    [[nodiscard]] std::string reason(const FieldEffect& effect, std::string_view value) const {
        if (!effect.unless.empty() && effect.unless == value) {
            return {};
        }
        switch (effect.rule) {
            case Rule::counter:
            case Rule::bound:
            case Rule::floor:
                return sum(effect.where) == 0 ? std::string(effect.what) : "";
            case Rule::setting:
                return is_used(effect.where) ? "" : std::string(effect.what);
            case Rule::limit:
                return limit_left(effect.where, count_of(value));
        }
        return {};
    }
    // The same for a parameter that sizes pools: about the fullest pool, if none was ever too full. A pool is full when
    // its next piece has no room, and no piece is larger than the most that the pool has held.
    [[nodiscard]] std::optional<NoEffect> room_left(std::string_view parameter) const {
        std::uint64_t most = 0;
        std::uint64_t of = 0;
        for (const Sized& pool : pools_) {
            if (pool.parameter != parameter) {
                continue;
            }
            const std::string name(pool.name);
            const std::uint64_t used = sum(name + ".high_water");
            const std::uint64_t capacity = sum(name + ".capacity");
            if (sum(name + ".full") > 0 || used >= std::max<std::uint64_t>(capacity, 1)) {
                return std::nullopt;  // even with entries but without capacity
            }
            if (of == 0 || used * of > most * capacity) {
                most = used;
                of = capacity;
            }
        }
        NoEffect room{{}, Effect::could_not_matter, "there was none"};
        if (of != 0) {
            room.why = fmt::format("at most {} of {} were used", most, of);
            room.least = static_cast<std::uint32_t>(std::min<std::uint64_t>(100, (200 * most + of - 1) / of));
        }
        return room;
    }

private:
    // A parameter's value.
    struct Named {
        std::string_view name;
        std::uint64_t value = 0;
    };
    // A pool and its size.
    struct Sized {
        std::string_view name;
        std::string_view parameter;
    };
    // A statistic's value.
    struct Written {
        std::string name;
        std::string_view value;
    };

    [[nodiscard]] std::uint64_t sum(std::string_view names) const {
        std::uint64_t sum = 0;
        while (!names.empty()) {
            const std::string_view name = names.substr(0, names.find('+'));
            for (const Named& metric : metrics_) {
                sum += matches(name, metric.name) ? metric.value : 0;
            }
            names.remove_prefix(std::min(names.size(), name.size() + 1));
        }
        return sum;
    }

    [[nodiscard]] bool is_used(std::string_view condition) const {
        const std::string_view name = condition.substr(0, condition.find('='));
        for (const Written& setting : settings_) {
            if (setting.name != name) {
                continue;
            }
            if (name.size() < condition.size()) {
                return setting.value == condition.substr(name.size() + 1);
            }
            return setting.value != "false" && setting.value != "0" && !setting.value.starts_with("0 ");
        }
        return true;
    }

    [[nodiscard]] std::string limit_left(std::string_view names, std::uint64_t limit) const {
        std::uint64_t most = 0;
        for (const Named& metric : metrics_) {
            most = matches(names, metric.name) ? std::max(most, metric.value) : most;
        }
        for (const Written& setting : settings_) {
            most = matches(names, setting.name) ? std::max(most, count_of(setting.value)) : most;
        }
        return most < limit ? fmt::format("at most {} of {} were asked for", most, limit) : "";
    }

    Owner owner_;
    std::vector<Written> settings_;
    std::vector<Named> metrics_;
    std::vector<Sized> pools_;
};

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
    std::vector<NoEffect> found;
    std::optional<Witness> witness;
    for (const Setting& setting : settings) {
        if (!witness || !witness->is_about(setting.path)) {
            const std::optional<Owner> owner = owner_of(setting.path);
            if (!owner) {
                continue;
            }
            witness.emplace(*owner, settings, metrics, pools);
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
                // A smaller limit than was asked for is refused, and no result.
                const std::uint32_t least = effect.rule == Rule::bound ? 100 : 0;
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
