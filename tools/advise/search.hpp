// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tools/advise/judge.hpp"

namespace ndsim::advise {

// A value for each dimension.
using Depths = std::vector<std::uint64_t>;

// The limit of a point, and the parameter that sets it, if there is one.
struct Limit {
    std::string what;
    std::string parameter;
    std::string value;
    bool is_assumed = false;
};

// A dimension that has more than in the point that is judged.
struct Raise {
    std::size_t dimension = 0;
    std::uint64_t depth = 0;
};

// The outcome of a point: its judgement, and its limits.
struct Trial {
    Judgement judgement;
    std::vector<Limit> limits;  // binding ones
    Picoseconds latency{};      // mean of the first generator's messages
    std::uint64_t goodput = 0;  // of that generator, in bits per second
    std::uint64_t goodput_of_all = 0;
    std::uint64_t messages_of_all = 0;  // per second
    std::uint64_t times = 1;            // messages, in units of the shortest run; of the generator that got most
    std::optional<std::uint64_t> seed;  // of a run that differs from the scenario
    std::optional<Raise> raised;        // of the run that broke the point although it has more
    [[nodiscard]] bool holds() const { return judgement.verdict == Verdict::met; }
    // Neither holds nor fails, as far as the longest run can tell.
    [[nodiscard]] bool is_open() const { return judgement.verdict == Verdict::open; }
};
// Runs points, several at once.
using Oracle = std::function<std::vector<Trial>(const std::vector<Depths>&)>;

// The range in which a dimension is searched.
struct Span {
    std::uint64_t low = 1;
    std::uint64_t high = 1;
};

// A range in which more gives less: at `to` the goodput is more than 1 % below that at `from`.
struct Fall {
    std::uint64_t from = 0;
    std::uint64_t to = 0;
};

// Curve: one dimension by itself, with all others generous.
struct Curve {
    std::map<std::uint64_t, Trial> steps;    // by depth
    std::optional<std::uint64_t> smallest;   // from here on everything tried holds
    std::optional<std::uint64_t> exception;  // a larger depth that fails
    std::optional<Fall> fall;                // the deepest; none: the curve is monotone
};

// A depth for each dimension that together reach the targets; none can be one less.
struct Joint {
    Depths depths;
    Trial trial;
    std::vector<std::optional<Trial>> one_less;  // for each dimension, unless it is at its lowest or was not searched
};

// Search: finds the smallest depths that reach the targets. It asks for points and does not know what they are.
// Dimensions whose span is one depth are not searched.
class Search {
public:
    Search(std::vector<Span> spans, Oracle oracle) : spans_(std::move(spans)), oracle_(std::move(oracle)) {}

    [[nodiscard]] Depths generous() const;
    [[nodiscard]] Trial at(const Depths& depths);
    [[nodiscard]] std::vector<Trial> ask(const std::vector<Depths>& points);
    // Each of these dimensions alone: powers of two from the lowest to the most generous. Then the interval between the
    // last that fails and the first that holds is halved until they are neighbours, and the three depths behind the
    // smallest are tried. The curves of other dimensions than `of` are empty.
    [[nodiscard]] std::vector<Curve> curves(const std::set<std::size_t>& of);
    // One dimension alone, searched near a depth; none: the most generous one does not hold.
    [[nodiscard]] std::optional<std::uint64_t> smallest(std::size_t dimension, std::uint64_t near);
    // Minimises the dimensions one after the other in that order, with the others unchanged, each near the given depth.
    // Starts from the most generous depths, which must hold.
    [[nodiscard]] Joint joint(const std::vector<std::size_t>& order, const Depths& near);
    // A point that is known to hold, with the trials of one less in each dimension.
    [[nodiscard]] Joint joint_at(const Depths& depths);
    // All points that were tried.
    [[nodiscard]] const std::map<Depths, Trial>& known() const { return known_; }

private:
    bool lower(Depths& depths, std::size_t dimension, std::uint64_t near);
    bool halve(std::vector<Curve>& curves);
    bool go_behind(std::vector<Curve>& curves);
    void try_all(std::vector<Curve>& curves, const std::vector<std::vector<std::uint64_t>>& depths);

    std::vector<Span> spans_;
    Oracle oracle_;
    std::map<Depths, Trial> known_;
};

// Keeps joints that no other one matches or undercuts in every dimension.
[[nodiscard]] std::vector<Joint> pareto_front(std::vector<Joint> joints);

}  // namespace ndsim::advise
