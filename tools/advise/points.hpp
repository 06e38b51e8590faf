// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/run/run.hpp"
#include "tools/advise/dimensions.hpp"
#include "tools/advise/judge.hpp"
#include "tools/advise/run_length.hpp"
#include "tools/advise/search.hpp"
#include "tools/cli/loaded.hpp"
#include "tools/sweep/point_runner.hpp"

namespace ndsim::advise {

// Tries: the number of seeds, and the jitter of polls and of posted receives, with which depths are tried beside the
// scenario as it is.
struct Tries {
    std::uint64_t seeds = 5;
    Picoseconds jitter = std::chrono::nanoseconds{50};  // the mean; hosts with jitter keep theirs
};

// The time for the search is over.
class OutOfTime {};

// A completion queue of this depth is safe with the other depths, and has so much room that the driver tells the NIC of
// polls no more often than `nic.cq_update_every` says.
inline constexpr std::uint64_t kRoomy = 0;
// The scenario with its own depths and windows.
inline const Depths kAsGiven{};

// Points: runs depths as points of the scenario. A run that leaves it open whether they hold is repeated, kLonger times
// as long. If a generator had ended before all others were measured, it alone gets more messages. Once messages of a
// run wait to be polled, all runs are so long that these no longer matter. Throws sweep::Interrupted after Ctrl-C,
// OutOfTime when the time is over.
class Points {
public:
    static constexpr std::uint64_t kLonger = 4;

    Points(const cli::ScenarioArguments& arguments, const Scenario& scenario, const Dimensions& dimensions, Judge judge,
           const Tries& tries, sweep::PointRunner& runner, std::function<void(const Progress&)> on_wait)
        : arguments_(arguments),
          scenario_(scenario),
          dimensions_(dimensions),
          judge_(std::move(judge)),
          tries_(tries),
          runner_(runner),
          on_wait_(std::move(on_wait)) {}

    // Runs each once, with the scenario as it is; `also` are overrides for these points alone.
    [[nodiscard]] std::vector<Trial> run(const std::vector<Depths>& depths, const std::vector<std::string>& also = {});
    // Runs each with the scenario as it is, and if that holds, with every seed and jitter. It holds if all of these do;
    // otherwise the trial is the first that does not.
    [[nodiscard]] std::vector<Trial> run_tries(const std::vector<Depths>& depths);

    // The most generous depths, with completion queues roomy.
    [[nodiscard]] Depths generous() const;
    // The same with the depths of completion queues that stand for roomy ones, or with the least safe depths in place
    // of these.
    [[nodiscard]] Depths with_roomy_queues(Depths depths) const;
    [[nodiscard]] Depths with_safe_queues(Depths depths) const;
    // All overrides of a scenario with these depths, or of the scenario as given.
    [[nodiscard]] std::vector<std::string> overrides_with(const Depths& depths) const;
    // The scenario with these depths.
    [[nodiscard]] Scenario scenario_with(const Depths& depths) const;

    // The number of points that the search may need, for the progress.
    void expect(std::size_t points) { expected_ = points; }
    void end_at(std::chrono::steady_clock::time_point deadline) { deadline_ = deadline; }
    [[nodiscard]] std::size_t runs() const { return finished_; }

private:
    // A point to run: its depths, the overrides for it alone, and the further messages of some generators.
    struct Task {
        Depths depths;
        std::vector<std::string> also;
        MoreMessages more{};
    };
    [[nodiscard]] std::vector<Trial> run_of_length(const std::vector<Task>& tasks, std::uint64_t times);
    // Replaces the trials that are wanted by those of longer runs.
    void repeat(std::vector<Trial>& trials, const std::vector<Task>& tasks, std::uint64_t times,
                bool (*is_wanted)(const Trial&));
    // Replaces the trials in which some generators had ended early.
    void outlast(std::vector<Trial>& trials, std::vector<Task>& tasks);
    [[nodiscard]] std::uint64_t lasting() const;  // the times of a run that outlasts the receives posted ahead
    [[nodiscard]] sweep::Point point_of(const Task& task, std::uint64_t times) const;
    [[nodiscard]] std::vector<std::string> overrides_of_try(std::uint64_t seed) const;
    void name_dimensions(Trial& trial, const Depths& depths) const;

    const cli::ScenarioArguments& arguments_;
    const Scenario& scenario_;
    const Dimensions& dimensions_;
    Judge judge_;
    Tries tries_;
    sweep::PointRunner& runner_;
    std::function<void(const Progress&)> on_wait_;
    std::uint64_t length_ = 1;  // of the first run of a point, in units of the shortest
    std::size_t finished_ = 0;
    std::size_t expected_ = 0;
    std::optional<std::chrono::steady_clock::time_point> deadline_;
};

}  // namespace ndsim::advise
