// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tools/advise/bounds.hpp"
#include "tools/advise/dimensions.hpp"
#include "tools/advise/judge.hpp"
#include "tools/advise/points.hpp"
#include "tools/advise/search.hpp"
#include "tools/cli/command.hpp"
#include "tools/sweep/point_runner.hpp"

namespace ndsim::advise {

// What becomes of the smallest depths if a value that is an estimate, and binds, is at an end of its range.
struct Assumed {
    Limit limit;
    std::string low;  // its values
    std::string high;
    // Of the dimensions that it binds; none: not reached.
    std::map<std::size_t, std::optional<std::uint64_t>> smallest_at_low;
    std::map<std::size_t, std::optional<std::uint64_t>> smallest_at_high;
    bool is_open_at_low = false;  // not even the most generous depths are known to reach the target, or to miss it
    bool is_open_at_high = false;
};

// Depths to build: in every try they reach the targets.
struct Build {
    Joint joint;                         // completion queues have what is safe
    std::vector<std::string> overrides;  // all of them, with which the scenario has these depths
    // Of each dimension, what holds in the tries with the others as they are, and what one less of that comes to. None:
    // not looked for.
    std::vector<std::optional<std::uint64_t>> least_seen;
    std::vector<std::optional<Trial>> below_least;
    std::vector<std::optional<Trial>> one_more;  // as the scenario is, beside `as_it_is`
    Trial as_it_is;
};

// A completion queue whose depth is held, and less than what may be outstanding.
struct UnsafeQueue {
    std::string name;  // A.q0.send
    std::uint64_t depth = 0;
    std::uint64_t safe = 0;
};

// Advice: the depths that a scenario needs, and what says so.
struct Advice {
    Dimensions dimensions;
    Wanted wanted;
    Tries tries;
    Trial generous;  // with more than enough of everything
    std::vector<Curve> curves;
    std::optional<Build> build;
    std::vector<Depths> others;  // that hold in every try, too, and need less of something and more of another
    std::vector<UnsafeQueue> unsafe;
    Alone alone;
    std::vector<Assumed> assumed;
    std::size_t runs = 0;
    bool is_out_of_time = false;
};

struct Question {
    cli::ScenarioArguments scenario;
    std::vector<Target> targets;
    std::vector<std::string> held;  // parameters that stay as they are
    std::vector<std::string> searched;
    std::vector<std::string> costs;  // what one of a depth costs
    Tries tries;
    std::optional<std::chrono::seconds> time;  // for all of it
};

// Runs what it must; Interrupted after Ctrl-C.
[[nodiscard]] Advice advise(const Question& question, sweep::PointRunner& runner,
                            const std::function<void(const Progress&)>& on_wait);

}  // namespace ndsim::advise
