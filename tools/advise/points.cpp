// SPDX-License-Identifier: Apache-2.0
#include "tools/advise/points.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/config/quantity.hpp"
#include "tools/advise/named_dimension.hpp"
#include "tools/advise/safe_depth.hpp"
#include "tools/advise/trial.hpp"
#include "tools/cli/interrupt.hpp"

namespace ndsim::advise {

namespace {

void append(std::vector<std::string>& to, const std::vector<std::string>& more) {
    to.insert(to.end(), more.begin(), more.end());
}

// The depths whose trials had this verdict.
std::vector<Depths> those_of(const std::vector<Depths>& depths, const std::vector<Trial>& trials, Verdict verdict) {
    std::vector<Depths> those;
    for (std::size_t i = 0; i < depths.size(); ++i) {
        if (trials[i].judgement.verdict == verdict) {
            those.push_back(depths[i]);
        }
    }
    return those;
}

enum class Room { safe, roomy };

std::uint64_t depth_in(const Scenario& scenario, const Dimension& dimension, Room room) {
    constexpr std::uint64_t kUpdates = 4;  // the driver tells the NIC after a quarter of the depth at the latest
    std::uint64_t most = 1;
    for (const Dimension::Queue& queue : dimension.queues) {
        const Host& host = *std::ranges::find(scenario.hosts, queue.host, &Host::name);
        most = std::max(most, most_completions(scenario, host, queue.cq));
        if (room == Room::roomy) {
            most = std::max(most, kUpdates * host.node.nic.queues.cq_update_every);
        }
    }
    return std::min(most, range_of("nic.cq.depth").high);
}

Depths with_queues(const Scenario& scenario, const std::vector<Dimension>& dimensions, Depths depths, Room room) {
    for (std::size_t i = 0; i < depths.size(); ++i) {
        if (dimensions[i].breaks == Break::overrun && depths[i] == kRoomy) {
            depths[i] = depth_in(scenario, dimensions[i], room);
        }
    }
    return depths;
}

}  // namespace

std::vector<std::string> Points::overrides_with(const Depths& depths) const {
    std::vector<std::string> overrides = arguments_.overrides;
    if (depths == kAsGiven && !dimensions_.all.empty()) {
        return overrides;
    }
    append(overrides, dimensions_.overrides);
    for (std::size_t i = 0; i < depths.size(); ++i) {
        const Dimension& dimension = dimensions_.all[i];
        if (dimension.breaks != Break::overrun || depths[i] != kRoomy) {
            append(overrides, overrides_of(dimension, depths[i]));
        }
    }
    return overrides;
}

Depths Points::with_roomy_queues(Depths depths) const {
    const Scenario scenario = scenario_with(depths);
    return with_queues(scenario, dimensions_.all, std::move(depths), Room::roomy);
}

Depths Points::with_safe_queues(Depths depths) const {
    const Scenario scenario = scenario_with(depths);
    return with_queues(scenario, dimensions_.all, std::move(depths), Room::safe);
}

Scenario Points::scenario_with(const Depths& depths) const {
    return cli::load(arguments_.with(overrides_with(depths))).scenario;
}

sweep::Point Points::point_of(const Task& task, std::uint64_t times) const {
    const Depths& depths = task.depths;
    sweep::Point point{overrides_with(depths), {}};
    append(point.overrides, counts_for(scenario_, dimensions_.all, times, task.more));
    append(point.overrides, task.also);
    std::optional<Scenario> with;  // these depths, without the roomy completion queues
    std::vector<std::string> roomy;
    for (std::size_t i = 0; i < depths.size(); ++i) {
        const Dimension& dimension = dimensions_.all[i];
        if (dimension.breaks == Break::overrun && depths[i] == kRoomy) {
            if (!with) {
                with = cli::load(arguments_.with(point.overrides)).scenario;
            }
            append(roomy, overrides_of(dimension, depth_in(*with, dimension, Room::roomy)));
        }
    }
    append(point.overrides, roomy);
    point.key = sweep::key_of(cli::load(arguments_.with(point.overrides)));
    return point;
}

std::vector<Trial> Points::run_of_length(const std::vector<Task>& tasks, std::uint64_t times) {
    std::vector<sweep::Point> points;
    std::ranges::transform(tasks, std::back_inserter(points), [&](const Task& task) { return point_of(task, times); });
    const auto tell = [this](const sweep::PointsDone& done) {
        const std::size_t total = std::max(expected_, finished_ + done.of);
        on_wait_({{}, finished_ + done.done, total, "runs"});
    };
    const auto is_over = [this] {
        return cli::interrupted() || (deadline_ && std::chrono::steady_clock::now() >= *deadline_);
    };
    if (!runner_.run(points, tell, is_over)) {
        if (cli::interrupted()) {
            throw sweep::Interrupted();
        }
        throw OutOfTime();
    }
    finished_ += points.size();
    const Longer longer = times == length_ && can_be_longer(scenario_) ? Longer::possible : Longer::impossible;
    std::vector<Trial> trials;
    for (std::size_t i = 0; i < points.size(); ++i) {
        trials.push_back(trial_of(judge_, runner_.result_of(points[i].key), scenario_, longer));
        std::uint64_t more = 1;
        for (const auto& [generator, factor] : tasks[i].more) {
            more = std::max(more, factor);
        }
        trials.back().times = times * more;
        name_dimensions(trials.back(), tasks[i].depths);
    }
    return trials;
}

Depths Points::generous() const {
    Depths generous;
    for (const Dimension& dimension : dimensions_.all) {
        generous.push_back(dimension.breaks == Break::overrun ? kRoomy : dimension.generous);
    }
    return generous;
}

std::uint64_t Points::lasting() const {
    return std::max(kLonger, lasting_times(scenario_with(generous()), dimensions_.all));
}

void Points::repeat(std::vector<Trial>& trials, const std::vector<Task>& tasks, std::uint64_t times,
                    bool (*is_wanted)(const Trial&)) {
    std::vector<std::size_t> wanted;
    std::vector<Task> those;
    for (std::size_t i = 0; i < trials.size(); ++i) {
        if (is_wanted(trials[i])) {
            wanted.push_back(i);
            those.push_back(tasks[i]);
        }
    }
    std::vector<Trial> longer = those.empty() ? std::vector<Trial>{} : run_of_length(those, times);
    for (std::size_t i = 0; i < longer.size(); ++i) {
        trials[wanted[i]] = std::move(longer[i]);
    }
}

// A generator may be many times as fast as another one that the depths hold up. Longer runs would take minutes.
void Points::outlast(std::vector<Trial>& trials, std::vector<Task>& tasks) {
    constexpr std::uint64_t kFactor = 8;
    constexpr int kMostTimes = 2;
    const auto has_early = [](const Trial& trial) { return trial.is_open() && !trial.judgement.early.empty(); };
    for (int time = 0; time < kMostTimes && std::ranges::any_of(trials, has_early); ++time) {
        for (std::size_t i = 0; i < trials.size(); ++i) {
            for (const std::string& generator : trials[i].judgement.early) {
                std::uint64_t& more = tasks[i].more[generator];
                more = std::max<std::uint64_t>(more, 1) * kFactor;
            }
        }
        repeat(trials, tasks, length_, has_early);
    }
}

std::vector<Trial> Points::run(const std::vector<Depths>& depths, const std::vector<std::string>& also) {
    std::vector<Task> tasks;
    std::ranges::transform(depths, std::back_inserter(tasks), [&](const Depths& each) { return Task{each, also}; });
    std::vector<Trial> trials = run_of_length(tasks, length_);
    if (!can_be_longer(scenario_)) {
        return trials;
    }
    const auto is_behind = [](const Trial& trial) { return trial.judgement.is_behind; };
    if (std::ranges::any_of(trials, is_behind) && length_ < lasting()) {
        length_ = lasting();
        repeat(trials, tasks, length_, is_behind);
    }
    outlast(trials, tasks);
    repeat(trials, tasks, kLonger * length_,
           [](const Trial& trial) { return trial.is_open() && trial.judgement.early.empty(); });
    return trials;
}

std::vector<std::string> Points::overrides_of_try(std::uint64_t seed) const {
    std::vector<std::string> overrides{fmt::format("seed={}", scenario_.seed + seed)};
    for (const Host& host : scenario_.hosts) {
        for (const auto& [name, own] : {std::pair("poll_jitter", host.node.cpu.poll_jitter),
                                        std::pair("repost_jitter", host.node.cpu.repost_jitter)}) {
            if (own == Picoseconds{0} && tries_.jitter > Picoseconds{0}) {
                overrides.push_back(
                    fmt::format("hosts.{}.cpu.{}={}", host.name, name,
                                to_text(Quantity::time, static_cast<std::uint64_t>(tries_.jitter.count()))));
            }
        }
    }
    return overrides;
}

std::vector<Trial> Points::run_tries(const std::vector<Depths>& depths) {
    std::vector<Trial> trials = run(depths);
    for (std::uint64_t seed = 1; seed <= tries_.seeds; ++seed) {
        const std::vector<Depths> holding = those_of(depths, trials, Verdict::met);
        if (holding.empty()) {
            break;
        }
        const std::vector<Trial> tried = run(holding, overrides_of_try(seed));
        auto next = tried.begin();
        for (Trial& trial : trials) {
            if (!trial.holds()) {
                continue;
            }
            // If all hold, the worst one is shown.
            if (!next->holds() || next->judgement.worst_ppm < trial.judgement.worst_ppm) {
                trial = *next;
                trial.seed = scenario_.seed + seed;
            }
            ++next;
        }
    }
    return trials;
}

// A window that follows a queue counts as the queue.
void Points::name_dimensions(Trial& trial, const Depths& depths) const {
    for (Limit& limit : trial.limits) {
        for (std::size_t i = 0; i < depths.size(); ++i) {
            if (sets(dimensions_.all[i], limit.parameter)) {
                limit = limit_of(dimensions_.all[i], depths[i]);
            }
        }
    }
}

}  // namespace ndsim::advise
