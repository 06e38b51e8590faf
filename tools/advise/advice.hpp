// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tools/advise/bounds.hpp"
#include "tools/advise/dimension.hpp"
#include "tools/advise/judge.hpp"
#include "tools/advise/search.hpp"
#include "tools/cli/command.hpp"
#include "tools/sweep/point_runner.hpp"

namespace ndsim::advise {

// What becomes of the smallest depths if a value that is an estimate, and binds, is half or twice as large.
struct Assumed {
    Limit limit;
    std::string low;  // its values
    std::string high;
    // Of the dimensions that it binds; none: not reached.
    std::map<std::size_t, std::optional<std::uint64_t>> smallest_at_low;
    std::map<std::size_t, std::optional<std::uint64_t>> smallest_at_high;
};

// Advice: the depths that a scenario needs, and what says so.
struct Advice {
    std::vector<Dimension> dimensions;
    bool fills = false;  // windows follow send queues
    Trial generous;      // with more than enough of everything
    std::vector<Curve> curves;
    std::vector<Joint> front;  // the cheapest first
    Alone alone;
    std::vector<Assumed> assumed;
    std::optional<std::uint64_t> seeds_without_rnr;  // of kSeeds, at the cheapest joint point
};
inline constexpr std::uint64_t kSeeds = 5;

struct Question {
    cli::ScenarioArguments scenario;
    std::vector<Target> targets;
};

// Runs what it must; Interrupted after Ctrl-C.
[[nodiscard]] Advice advise(const Question& question, sweep::PointRunner& runner,
                            const std::function<void(const sweep::PointsDone&)>& on_wait);

[[nodiscard]] std::uint64_t chip_bytes(const std::vector<Dimension>& dimensions, const Depths& depths);
[[nodiscard]] std::uint64_t host_bytes(const std::vector<Dimension>& dimensions, const Depths& depths);

}  // namespace ndsim::advise
