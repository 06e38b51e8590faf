// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/witness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <utility>

#include "sim/kernel/occupancy.hpp"

namespace ndsim::cli {

namespace {

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

// In percent, rounded up; at most 100.
std::uint32_t percent_up(std::uint64_t part, std::uint64_t of) {
    return of == 0 ? 100 : static_cast<std::uint32_t>(std::min<std::uint64_t>(100, (100 * part + of - 1) / of));
}

// Whether nine tenths of a generator's window lie in run.measured: of its bytes, or, if a generator of DMA is asked
// about, at most of its time.
bool is_covered(const Metrics& metrics, const std::string& generator) {
    constexpr WideTime kSecond = 1'000'000'000'000;
    const auto value = [&](std::string_view name) {
        const Metric* const metric = metrics.find(generator + std::string(name));
        return static_cast<WideTime>(metric == nullptr ? 0 : metric->value);
    };
    const WideTime covered = metrics.find("run.measured")->value;
    if (const WideTime messages = value(".messages"); messages != 0) {
        const WideTime window = value(".bytes") * 8 * value(".measured") / messages;  // in bits
        return value(".shared_goodput") * covered * 10 >= window * kSecond * 9;
    }
    return covered * value(".transfer_rate") * 10 >= value(".measured") * kSecond * 9;
}

}  // namespace

bool covers_all_windows(const Metrics& metrics) {
    std::vector<std::string> generators;
    for (const Metric& metric : metrics.all()) {
        if ((metric.name.starts_with("traffic.") || metric.name.starts_with("dma.")) &&
            metric.name.ends_with(".measured")) {
            generators.push_back(metric.name.substr(0, metric.name.rfind('.')));
        }
    }
    return generators.size() <= 1 || metrics.find("run.measured") == nullptr ||
           std::ranges::all_of(generators, [&](const std::string& each) { return is_covered(metrics, each); });
}

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

Witness::Witness(Owner owner, const std::vector<Setting>& settings, const Metrics& metrics,
                 std::span<const PoolUse> pools, bool is_whole)
    : owner_(std::move(owner)), is_whole_(is_whole) {
    std::set<std::string_view> given;
    for (const Setting& setting : settings) {
        if (setting.path.starts_with(owner_.settings)) {
            settings_.push_back(
                {std::string(owner_.prefix) + setting.path.substr(owner_.settings.size()), setting.value});
            if (setting.is_given()) {
                given.insert(setting.path);
            }
        }
    }
    for (const Metric& metric : metrics.all()) {
        if (metric.name.starts_with(owner_.metrics)) {
            const bool is_of_window = metric.quantity == Quantity::time || metric.name.ends_with(".high_water");
            metrics_.push_back({std::string_view(metric.name).substr(owner_.metrics.size()), metric.value,
                                is_of_window && !is_whole_});
        }
    }
    for (const PoolUse& use : pools) {
        if (use.pool.starts_with(owner_.metrics) && use.facts->when_full != WhenFull::part) {
            const bool has_own =
                use.parameter != owner_.settings + std::string(use.facts->parameter) && given.contains(use.parameter);
            pools_.push_back({std::string_view(use.pool).substr(owner_.metrics.size()), use.facts->parameter, has_own});
        }
    }
}

std::string Witness::reason(const FieldEffect& effect, std::string_view value) const {
    if (!effect.unless.empty() && effect.unless == value) {
        return {};
    }
    switch (effect.rule) {
        case FieldEffect::Rule::counter:
        case FieldEffect::Rule::bound:
        case FieldEffect::Rule::floor:
            return is_zero(effect.where) ? std::string(effect.what) : "";
        case FieldEffect::Rule::setting:
            return is_used(effect.where) ? "" : std::string(effect.what);
        case FieldEffect::Rule::limit:
            return most(effect.where) < count_of(value)
                       ? fmt::format("at most {} of {} were asked for", most(effect.where), value)
                       : "";
    }
    return {};
}

// What asks for a limit may ask for less if the limit is smaller.
std::uint32_t Witness::least(const FieldEffect& effect, std::string_view value) const {
    switch (effect.rule) {
        case FieldEffect::Rule::bound:
            return 100;
        case FieldEffect::Rule::limit:
            return percent_up(most(effect.where), count_of(value));
        case FieldEffect::Rule::counter:
        case FieldEffect::Rule::floor:
        case FieldEffect::Rule::setting:
            return 0;
    }
    return 0;
}

// A CQ tells its consumer index after a quarter of its depth, at the latest (core::Cq::update_every).
std::uint32_t Witness::least_by_pace(std::string_view parameter, std::uint64_t depth) const {
    return parameter == "nic.cq.depth" ? percent_up(4 * most("nic.cq_update_every"), depth) : 0;
}

std::optional<NoEffect> Witness::room_left(std::string_view parameter) const {
    if (!is_whole_ && std::ranges::find(pools_, parameter, &Sized::parameter) != pools_.end()) {
        return std::nullopt;
    }
    std::uint64_t most = 0;
    std::uint64_t of = 0;
    bool any_own = false;
    for (const Sized& pool : pools_) {
        if (pool.parameter != parameter || pool.has_own) {
            any_own = any_own || pool.parameter == parameter;
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
    NoEffect room{{}, Effect::could_not_matter, any_own ? "each queue has a depth of its own" : "there was none"};
    if (of != 0) {
        room.why = fmt::format("at most {} of {} were used", most, of);
        room.least = std::max(percent_up(2 * most, of), least_by_pace(parameter, of));
    }
    return room;
}

std::uint64_t Witness::sum(std::string_view names) const {
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

bool Witness::is_zero(std::string_view names) const {
    bool is_known = true;
    for (std::string_view left = names; !left.empty();) {
        const std::string_view name = left.substr(0, left.find('+'));
        is_known = is_known && std::ranges::none_of(metrics_, [&](const Named& metric) {
                       return metric.is_of_part && matches(name, metric.name);
                   });
        left.remove_prefix(std::min(left.size(), name.size() + 1));
    }
    return is_known && sum(names) == 0;
}

bool Witness::is_used(std::string_view condition) const {
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

std::uint64_t Witness::most(std::string_view names) const {
    std::uint64_t most = 0;
    for (const Named& metric : metrics_) {
        most = matches(names, metric.name) ? std::max(most, metric.value) : most;
    }
    for (const Written& setting : settings_) {
        most = matches(names, setting.name) ? std::max(most, count_of(setting.value)) : most;
    }
    return most;
}

}  // namespace ndsim::cli
