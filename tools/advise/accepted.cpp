// SPDX-License-Identifier: Apache-2.0
#include "tools/advise/accepted.hpp"

#include <algorithm>

#include "sim/config/problems.hpp"

namespace ndsim::advise {

namespace {

// The value next to `refused` that is accepted, on the side of `accepted`.
std::uint64_t last_accepted(std::uint64_t accepted, std::uint64_t refused,
                            const std::function<bool(std::uint64_t)>& accepts) {
    while (std::max(accepted, refused) - std::min(accepted, refused) > 1) {
        const std::uint64_t middle = (accepted + refused) / 2;
        (accepts(middle) ? accepted : refused) = middle;
    }
    return accepted;
}

}  // namespace

void narrow(Dimension& dimension, const std::function<bool(std::uint64_t)>& accepts) {
    // The value itself, if it is no whole number of steps, is between two of them.
    std::uint64_t inside = std::clamp(dimension.own, dimension.low, dimension.generous);
    if (!accepts(inside) && inside < dimension.generous) {
        ++inside;
    }
    if (!accepts(dimension.low)) {
        dimension.low = last_accepted(inside, dimension.low, accepts);
    }
    if (!accepts(dimension.generous)) {
        dimension.generous = last_accepted(inside, dimension.generous, accepts);
    }
}

void narrow_to_accepted(std::vector<Dimension>& dimensions, const cli::ScenarioArguments& arguments) {
    for (Dimension& dimension : dimensions) {
        narrow(dimension, [&](std::uint64_t value) {
            try {
                static_cast<void>(cli::load(arguments.with(overrides_of(dimension, value))));
                return true;
            } catch (const ConfigError&) {
                return false;
            }
        });
    }
}

}  // namespace ndsim::advise
