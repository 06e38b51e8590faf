// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/run/run.hpp"
#include "sim/config/field.hpp"
#include "tools/cli/effects.hpp"
#include "tools/cli/loaded.hpp"

namespace ndsim::cli {

// The host, switch or link of a parameter: its prefix in the settings, and in metrics.
struct Owner {
    std::string settings;     // hosts.A.
    std::string metrics;      // A.
    std::string_view prefix;  // of its parameters in the lists of effects
};

[[nodiscard]] std::optional<Owner> owner_of(std::string_view path);

// Whether pools and times, which cover run.measured, cover nine tenths of each generator's window at least. Generators
// that are not measured side by side have windows outside of it.
[[nodiscard]] bool covers_all_windows(const Metrics& metrics);

// Witness: a run's facts about one host, switch or link, and what they say of its parameters. Unless pools and times
// cover all windows, they do not show all that happened, and say nothing. The settings, metrics and pools must outlive
// it.
class Witness {
public:
    Witness(Owner owner, const std::vector<Setting>& settings, const Metrics& metrics, std::span<const PoolUse> pools,
            bool is_whole);

    [[nodiscard]] bool is_about(std::string_view path) const { return path.starts_with(owner_.settings); }
    // The parameter's name in the lists of effects.
    [[nodiscard]] std::string parameter(std::string_view path) const {
        return std::string(owner_.prefix) + std::string(path.substr(owner_.settings.size()));
    }

    // Why the parameter had no effect, by this rule; empty if it had one, or that is unknown.
    [[nodiscard]] std::string reason(const FieldEffect& effect, std::string_view value) const;
    // The smallest value that would have done as well by this rule, in percent of its own.
    [[nodiscard]] std::uint32_t least(const FieldEffect& effect, std::string_view value) const;
    // The same for a parameter that sizes pools: about the fullest pool, if none was ever too full. A pool is full when
    // its next piece has no room, and no piece is larger than the most that the pool has held.
    [[nodiscard]] std::optional<NoEffect> room_left(std::string_view parameter) const;

private:
    // A statistic; one of a part of the run may not show all that happened.
    struct Named {
        std::string_view name;
        std::uint64_t value = 0;
        bool is_of_part = false;
    };
    // A pool and its size.
    struct Sized {
        std::string_view name;
        std::string_view parameter;
        bool has_own = false;  // a size that the scenario gives for it, instead of the parameter
    };
    // A parameter and its value.
    struct Written {
        std::string name;
        std::string_view value;
    };

    [[nodiscard]] std::uint64_t sum(std::string_view names) const;
    // Whether all of these statistics are 0, in all that generators measure.
    [[nodiscard]] bool is_zero(std::string_view names) const;
    [[nodiscard]] bool is_used(std::string_view condition) const;
    // The largest of these statistics and parameters.
    [[nodiscard]] std::uint64_t most(std::string_view names) const;
    [[nodiscard]] std::uint32_t least_by_pace(std::string_view parameter, std::uint64_t depth) const;

    Owner owner_;
    bool is_whole_;  // pools and times cover all windows
    std::vector<Written> settings_;
    std::vector<Named> metrics_;
    std::vector<Sized> pools_;
};

}  // namespace ndsim::cli
