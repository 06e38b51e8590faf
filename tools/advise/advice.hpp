// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/result/settings.hpp"
#include "tools/advise/dimensions.hpp"
#include "tools/advise/judge.hpp"
#include "tools/advise/little.hpp"
#include "tools/advise/points.hpp"
#include "tools/advise/search.hpp"
#include "tools/cli/command.hpp"
#include "tools/sweep/point_runner.hpp"

namespace ndsim::advise {

// The smallest depths if a binding value that is an estimate is at an end of its range.
struct Assumed {
    Limit limit;
    std::string low;  // its values
    std::string high;
    // For the dimensions that it binds; none: target not reached.
    std::map<std::size_t, std::optional<std::uint64_t>> smallest_at_low;
    std::map<std::size_t, std::optional<std::uint64_t>> smallest_at_high;
    bool is_open_at_low = false;  // even the most generous depths leave open whether the target is reached
    bool is_open_at_high = false;
};

// Depths to build: in every try they reach the targets.
struct Build {
    Joint joint;                         // completion queues are safe
    std::vector<std::string> overrides;  // all overrides that give the scenario these depths
    // For each dimension the least depth that holds in the tries with the others as they are, and the trial with one
    // less. None: not searched.
    std::vector<std::optional<std::uint64_t>> least_seen;
    std::vector<std::optional<Trial>> below_least;
    std::vector<std::optional<Trial>> one_more;  // the scenario as it is, compared with `as_it_is`
    Trial as_it_is;
};

// A completion queue whose depth is held below the number of possible completions.
struct UnsafeQueue {
    std::string name;  // A.q0.send
    std::uint64_t depth = 0;
    std::uint64_t safe = 0;
};

// The units in which bounds are told: those of the targets.
struct RateUnits {
    bool payload = true;
    bool messages = false;
};

// The deepest depth that holds in every try, with more than enough of all else, although more of it does not.
struct Lowered {
    std::size_t dimension = 0;
    std::uint64_t depth = 0;
};

// Advice: the depths that a scenario needs, and the evidence.
struct Advice {
    Dimensions dimensions;
    Wanted wanted;
    RateUnits units;
    Tries tries;
    Trial generous;  // with more than enough of everything
    std::vector<Curve> curves;
    std::optional<Lowered> lowered;  // if too much is worse
    bool holds_as_given = false;     // too much is worse, and the scenario's own depths and windows hold
    std::optional<Build> build;
    std::vector<Depths> others;  // others that hold in every try, with less of one depth and more of another
    std::vector<UnsafeQueue> unsafe;
    Alone alone;
    std::vector<Assumed> assumed;
    std::size_t runs = 0;
    bool is_out_of_time = false;
};

// The request for advice.
struct Question {
    cli::ScenarioArguments scenario;
    std::vector<Target> targets;
    std::vector<std::string> held;  // parameters that must not change
    std::vector<std::string> searched;
    std::vector<std::string> costs;  // cost of one of each depth
    Tries tries;
    std::optional<std::chrono::seconds> time;  // for the whole search
    std::vector<std::string> command{};        // the words of the command line
    std::vector<Setting> settings{};           // of the scenario as it is
};

// Makes all runs that it needs; sweep::Interrupted after Ctrl-C.
[[nodiscard]] Advice advise(const Question& question, sweep::PointRunner& runner,
                            const std::function<void(const Progress&)>& on_wait);

}  // namespace ndsim::advise
