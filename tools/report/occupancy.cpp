// SPDX-License-Identifier: Apache-2.0
#include "tools/report/occupancy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "tools/cli/figures.hpp"
#include "tools/report/alike_rows.hpp"
#include "tools/report/html.hpp"
#include "tools/report/scale.hpp"
#include "tools/report/thin.hpp"

namespace ndsim::report {

namespace {

constexpr std::size_t kMostPools = 8;
constexpr std::size_t kPools = 10;
constexpr double kHeight = 90;

// The unit of the pool's levels, up to `most`.
Unit unit_of(const inspect::RecordedRun& run, const std::string& pool, std::uint64_t most) {
    const auto found = run.pools.find(pool);
    if (found == run.pools.end()) {
        return {1, "in use"};
    }
    return found->second.unit == "bytes" ? unit_for(Quantity::size, most) : Unit{1, found->second.unit};
}

std::uint64_t value_of(const inspect::RecordedRun& run, const std::string& name) {
    const auto found = run.metrics.find(name);
    return found == run.metrics.end() ? 0 : found->second.value;
}

// The highest level of a pool.
struct Fullest {
    std::string pool;
    std::uint64_t most = 0;
    std::uint64_t capacity = 0;        // 0: unknown
    std::vector<std::string> alike{};  // alike pools of which it is the fullest, if there are several

    [[nodiscard]] double share() const {
        return capacity == 0 ? 0 : static_cast<double>(most) / static_cast<double>(capacity);
    }
    [[nodiscard]] std::string words(const Unit& unit) const {
        const auto text = [&unit](std::uint64_t value) {
            return unit.of > 1 ? short_number(unit(value)) : std::to_string(value);
        };
        return "at most " + text(most) + (capacity == 0 ? "" : " of " + text(capacity));
    }
};

bool is_fuller(const Fullest& a, const Fullest& b) {
    return a.share() > b.share();
}

// Fullest first, and only one of alike pools.
std::vector<Fullest> fullest_first(const inspect::RecordedRun& run, std::vector<Fullest> pools) {
    std::ranges::stable_sort(pools, is_fuller);
    std::map<std::string, std::vector<std::string>> names;
    for (const Fullest& pool : pools) {
        names[run.alike.key(pool.pool)].push_back(pool.pool);
    }
    std::vector<Fullest> fullest;
    for (Fullest& pool : pools) {
        if (auto& group = names.at(run.alike.key(pool.pool)); !group.empty()) {
            if (group.size() > 1) {
                std::ranges::sort(group, {}, [](const std::string& name) { return std::tuple(name.size(), name); });
                pool.alike = std::move(group);
            }
            group.clear();
            fullest.push_back(std::move(pool));
        }
    }
    return fullest;
}

// Pools with figures that hold something back when full, fullest first.
std::vector<Fullest> pools_of(const inspect::RecordedRun& run) {
    std::vector<Fullest> pools;
    for (const auto& [name, pool] : run.pools) {
        const std::uint64_t most = value_of(run, name + ".high_water");
        const std::uint64_t capacity = value_of(run, name + ".capacity");
        if (most > 0 && capacity > 0 && !pool.kept_full) {
            pools.push_back({name, most, capacity});
        }
    }
    return fullest_first(run, std::move(pools));
}

// The kind of a switch's pool, "queue"; empty for any other pool.
std::string pool_of_switch(const inspect::RecordedRun& run, const std::string& pool) {
    const bool is_switch = run.setting("switches." + pool.substr(0, pool.find('.')) + ".buffer").has_value();
    return is_switch ? pool.substr(pool.rfind('.') + 1) : "";
}

// The first ones, then the first of each kind of a switch.
std::vector<Fullest> first_of(const inspect::RecordedRun& run, const std::vector<Fullest>& pools, std::size_t most) {
    std::set<std::string> of_switches;
    std::vector<Fullest> shown;
    for (std::size_t i = 0; i < pools.size(); ++i) {
        const std::string kind = pool_of_switch(run, pools[i].pool);
        const bool is_first = !kind.empty() && of_switches.insert(kind).second;
        if (i < most || is_first) {
            shown.push_back(pools[i]);
        }
    }
    return shown;
}

// The time covered by the timeline, without the set-up.
Occupancy::Watched watched_of(const inspect::RecordedRun& run) {
    const auto set = [&](const std::string& name) {
        return parse<Picoseconds>(run.setting("outputs.timeline." + name).value_or("")).value.value_or(Picoseconds{});
    };
    const Picoseconds ended{run.whole.at("ended_ps").get<std::int64_t>()};
    const Picoseconds stop{run.whole.value("timeline_cut_at_ps", set("stop").count())};
    const Picoseconds from = std::max(run.started, set("start"));
    const Picoseconds until = stop > Picoseconds{} ? std::min(stop, ended) : ended;
    return {std::min(from, until), until};
}

// Whether that is a part only.
bool is_part(const inspect::RecordedRun& run) {
    const Occupancy::Watched watched = watched_of(run);
    return watched.from > run.started || watched.until.count() < run.whole.at("ended_ps").get<std::int64_t>();
}

}  // namespace

void Occupancy::take(const TimelineEvent& event) {
    samples_[event.track].push_back({event.begin, event.arguments.at("value").get<std::uint64_t>()});
}

// The highest level in the time watched.
std::uint64_t Occupancy::most(const std::vector<Sample>& samples, const Watched& watched) {
    std::uint64_t at_first = 0;
    std::uint64_t most = 0;
    for (const Sample& sample : samples) {
        if (sample.at <= watched.from) {
            at_first = sample.value;
        } else {
            most = std::max(most, sample.value);
        }
    }
    return std::max(at_first, most);
}

LinePlot Occupancy::plot_of(const std::string& pool, const Unit& level, const Watched& watched) const {
    const Unit unit = unit_for(Quantity::time, static_cast<std::uint64_t>(watched.until.count()));
    const auto time = [&](Picoseconds at) { return unit(static_cast<std::uint64_t>(at.count())); };
    std::vector<Point> points{{time(watched.from), 0}};
    for (const Sample& sample : samples_.at(pool)) {
        if (sample.at <= watched.from) {
            points.front().y = level(sample.value);
        } else {
            points.push_back({time(sample.at), level(sample.value)});
        }
    }
    points.push_back({time(watched.until), points.back().y});
    return {{},           {},
            {},           {"time" + unit.in_brackets(), false, {}, {}, Range{time(watched.from), time(watched.until)}},
            {level.name}, {{pool, std::move(points)}},
            {},           true,
            kHeight,      "time"};
}

std::string Occupancy::html(const inspect::RecordedRun& run) const {
    const Watched watched = watched_of(run);
    std::vector<Fullest> sampled;
    for (const auto& [pool, samples] : samples_) {
        if (const std::uint64_t level = most(samples, watched); level > 0) {
            sampled.push_back({pool, level, value_of(run, pool + ".capacity")});
        }
    }
    sampled = fullest_first(run, std::move(sampled));
    const std::size_t all = sampled.size();
    const std::vector<Fullest> shown = first_of(run, sampled, kMostPools);
    std::string html = shown.empty() ? note("The timeline has no pool that was used.") : "";
    bool thin = false;
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const Unit level = unit_of(run, shown[i].pool, shown[i].most);
        LinePlot plot = plot_of(shown[i].pool, level, watched);
        std::vector<Point>& points = plot.series.front().points;
        const std::size_t whole = points.size();
        points = thinned(std::move(points), kColumns);
        thin = thin || points.size() < whole;
        plot.id = fmt::format("occupancy-{}", i + 1);
        plot.title = fmt::format("{}, {}{}", shown[i].pool, shown[i].words(level),
                                 level.of > 1 ? " " + level.name : std::string());
        if (!shown[i].alike.empty()) {
            plot.title += ", the fullest of " + name_together(shown[i].alike);
        }
        html += html_of(figure_of(plot));
    }
    if (all > shown.size()) {
        html += note(fmt::format("The {} pools of {} that came closest to being full{}.", kMostPools, all,
                                 shown.size() > kMostPools ? ", and the queue of a switch that did" : ""));
    }
    return html + (thin ? note("Thinned to what the picture can show: of each of a thousand columns the first, the "
                               "last, the lowest and the highest value. timeline.json has all.")
                        : "");
}

std::string pools_table(const inspect::RecordedRun& run) {
    TableOf table{{"pool", ">at most", ">of", ">mean", ">p99 of the time", ">% used", ">% of time full", "sized by"},
                  {}};
    const std::vector<Fullest> pools = first_of(run, pools_of(run), kPools);
    const bool any_alike = std::ranges::any_of(pools, [](const Fullest& pool) { return !pool.alike.empty(); });
    if (any_alike) {
        table.heading.emplace_back("the fullest of");
    }
    for (const Fullest& pool : pools) {
        const std::uint64_t mean = value_of(run, pool.pool + ".mean_milli");
        table.rows.push_back(
            {pool.pool, std::to_string(pool.most), std::to_string(pool.capacity), cli::decimal((mean + 50) / 100, 1),
             std::to_string(value_of(run, pool.pool + ".p99")), cli::percent(mean, 1000 * pool.capacity),
             cli::percent(value_of(run, pool.pool + ".full"), 1'000'000), run.pools.at(pool.pool).parameter});
        if (any_alike) {
            table.rows.back().push_back(pool.alike.empty() ? "" : name_together(pool.alike));
        }
    }
    return table.rows.empty()
               ? ""
               : html_of(table) +
                     note("Figures are of the measured time; curves are of " +
                          std::string(is_part(run) ? "the time of the timeline." : "the whole run after set-up."));
}

}  // namespace ndsim::report
