// SPDX-License-Identifier: Apache-2.0
#include "tools/advise/assumed.hpp"

#include <algorithm>
#include <set>

#include "tools/advise/range_ends.hpp"
#include "tools/advise/spans.hpp"
#include "tools/advise/trial.hpp"

namespace ndsim::advise {

namespace {

constexpr std::size_t kMostAssumed = 3;

// An estimate, and the dimensions that it binds, alone or together with others.
struct Binding {
    Limit limit;
    std::set<std::size_t> dimensions;
};

std::vector<Binding> assumed_limits(const Advice& advice) {
    std::vector<Binding> found;
    const auto look = [&found](const Trial& trial, std::size_t dimension) {
        for (const Limit& limit : trial.limits) {
            if (!limit.is_assumed) {
                continue;
            }
            const auto known = std::ranges::find_if(
                found, [&](const Binding& each) { return each.limit.parameter == limit.parameter; });
            Binding& binding = known == found.end() ? found.emplace_back(Binding{limit, {}}) : *known;
            binding.dimensions.insert(dimension);
        }
    };
    for (std::size_t i = 0; i < advice.dimensions.all.size(); ++i) {
        if (advice.dimensions.all[i].breaks == Break::overrun) {
            continue;
        }
        const Curve& curve = advice.curves[i];
        if (const auto& less = advice.build->joint.one_less[i]) {
            look(*less, i);
        }
        if (const auto at = curve.steps.find(curve.smallest.value_or(0)); at != curve.steps.begin()) {
            look(std::prev(at)->second, i);
        }
    }
    found.resize(std::min(found.size(), kMostAssumed));
    return found;
}

// The smallest depths at an end of an estimate's range.
struct Smallest {
    std::map<std::size_t, std::optional<std::uint64_t>> depths;
    bool is_open = false;
};

Smallest smallest_with(const Advice& advice, Points& points, const std::set<std::size_t>& of,
                       const std::string& override_text) {
    Search search(spans_of(advice.dimensions.all),
                  [&](const std::vector<Depths>& depths) { return points.run(depths, {override_text}); });
    Smallest smallest;
    for (const std::size_t dimension : of) {
        const auto as_it_is = advice.curves[dimension].smallest;
        smallest.depths[dimension] =
            search.smallest(dimension, as_it_is.value_or(advice.dimensions.all[dimension].generous));
    }
    smallest.is_open = search.at(search.generous()).is_open();
    return smallest;
}

}  // namespace

std::vector<Assumed> assumed_in(const Advice& advice, const cli::ScenarioArguments& arguments, Points& points) {
    std::vector<Assumed> assumed;
    for (const Binding& binding : assumed_limits(advice)) {
        const std::string& parameter = binding.limit.parameter;
        const auto ends = ends_of(parameter, binding.limit.value);
        const bool is_dimension =
            std::ranges::any_of(advice.dimensions.all, [&](const Dimension& each) { return sets(each, parameter); });
        if (!ends || is_dimension || !cli::is_possible(arguments.and_also({parameter + "=" + ends->low})) ||
            !cli::is_possible(arguments.and_also({parameter + "=" + ends->high}))) {
            continue;
        }
        const auto smallest = [&](const std::string& value) {
            return smallest_with(advice, points, binding.dimensions, parameter + "=" + value);
        };
        const Smallest low = smallest(ends->low);
        const Smallest high = smallest(ends->high);
        assumed.push_back({binding.limit, ends->low, ends->high, low.depths, high.depths, low.is_open, high.is_open});
    }
    return assumed;
}

}  // namespace ndsim::advise
