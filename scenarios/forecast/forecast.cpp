// SPDX-License-Identifier: Apache-2.0
#include "scenarios/forecast/forecast.hpp"

#include <algorithm>
#include <iterator>

#include "scenarios/forecast/generators.hpp"
#include "scenarios/forecast/merging.hpp"
#include "scenarios/forecast/trial_run.hpp"
#include "scenarios/run/child_processes.hpp"

namespace ndsim {

namespace {

using namespace forecast;

// As much work as building the hardware of two hosts is, in items.
constexpr std::uint64_t kWorkToBuild = 20'000;

std::vector<Story> stories_of(const Scenario& scenario, const std::vector<Trial>& trials) {
    std::vector<Story> stories(trials.size());
    ChildWork work;
    work.jobs = trials.size();
    work.at_once = cores();
    work.run = [&](std::size_t job) { return text_of(run_trial(scenario, trials[job])); };
    work.on_end = [&](const ChildEnd& end) {
        if (end.died.empty()) {
            stories[end.job] = story_in(end.text);
        } else {
            stories[end.job].cut = "the process of a run " + end.died;
        }
    };
    run_in_children(work);
    return stories;
}

// How much room the completion queues need that have overrun: the most of all runs in which one has.
std::map<std::string, std::uint64_t> room_needed(const Scenario& scenario, const std::vector<Story>& stories) {
    std::map<std::string, std::uint64_t> room;
    std::vector<Trial> again;
    for (std::size_t i = 0; i < stories.size(); ++i) {
        Trial trial{static_cast<unsigned>(i), {}};
        for (const Sighting& one : stories[i].sightings) {
            if (one.said.kind == ForeseenKind::overruns) {
                trial.deep.insert(one.thing);
                room[one.thing] = std::max(room[one.thing], stories[i].peaks.at(one.thing));
            }
        }
        if (!trial.deep.empty()) {
            again.push_back(std::move(trial));
        }
    }
    for (const Story& story : stories_of(scenario, again)) {
        for (const auto& [queue, peak] : story.peaks) {
            room[queue] = std::max(room[queue], peak);
        }
    }
    return room;
}

bool will_end(const std::vector<Foreseen>& limits) {
    return std::ranges::find(limits, Certainty::will, &Foreseen::certainty) != limits.end();
}

// A program sleeps beyond the limit only if it comes to that: no run may have ended before. A run that was not followed
// to its end says nothing.
void confirm(std::vector<Foreseen>& limits, std::vector<Story>& stories, Picoseconds limit) {
    const auto is_early = [limit](const Story& story) { return story.cut.empty() && story.ended <= limit; };
    const auto early = std::ranges::count_if(stories, is_early);
    const auto is_of_program = [](const Foreseen& one) { return one.path.starts_with("programs."); };
    if (static_cast<std::size_t>(early) == stories.size()) {
        std::erase_if(limits, is_of_program);
    }
    for (Foreseen& one : limits) {
        if (early > 0 && is_of_program(one)) {
            one = weakened(one);
        }
    }
    for (Story& story : stories) {
        story.end = !will_end(limits) && story.ended > limit ? SureEnd::limit : story.end;
    }
}

// If the first run is cut off, there are only a few more. Where a limit of time ends the run, the programs' runs go on
// behind it.
Forecast foresee_programs(const Scenario& whole, std::size_t runs, std::vector<Foreseen>& limits) {
    Scenario scenario = whole;
    scenario.limits.time = will_end(limits) ? std::chrono::hours{24} : whole.limits.time;
    std::vector<Story> stories = stories_of(scenario, {Trial{}});
    std::vector<Trial> more(stories.front().cut.empty() ? runs - 1 : kFewRuns - 1);
    for (std::size_t i = 0; i < more.size(); ++i) {
        more[i].number = static_cast<unsigned>(i + 1);
    }
    std::ranges::move(stories_of(scenario, more), std::back_inserter(stories));
    confirm(limits, stories, whole.limits.time);
    Forecast forecast = merged(stories, room_needed(scenario, stories), will_end(limits));
    for (const Story& story : stories) {
        forecast.work += story.items + kWorkToBuild;
    }
    if (!scenario.traffic.empty() || !scenario.dma.empty()) {
        forecast.not_followed.push_back({{},
                                         scenario.traffic.empty() ? "dma" : "traffic",
                                         "how generators and programs affect each other: the programs are run alone"});
    }
    return forecast;
}

}  // namespace

Forecast foresee(const Scenario& scenario, std::size_t runs) {
    std::vector<Foreseen> limits = foresee_time_limit(scenario);
    const bool has_programs =
        std::ranges::any_of(scenario.hosts, [](const Host& host) { return host.program.has_value(); });
    Forecast forecast;
    if (has_programs) {
        forecast = foresee_programs(scenario, runs, limits);
    }
    for (auto part : {foresee_generators(scenario), limits}) {
        std::move(part.begin(), part.end(), std::back_inserter(forecast.foreseen));
    }
    forecast.end = will_end(limits) ? SureEnd::limit : forecast.end;
    const auto place = [](const Foreseen& a) { return std::tuple(a.certainty, a.at, std::string_view(a.path)); };
    std::ranges::stable_sort(forecast.foreseen, {}, place);
    return forecast;
}

}  // namespace ndsim
