// SPDX-License-Identifier: Apache-2.0
#include "tools/advise/accepted.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tools/cli/failure.hpp"

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

// Whether the range has gaps at its ends, as one of powers of two has.
bool has_gaps(const Dimension& dimension, const std::function<bool(std::uint64_t)>& accepts) {
    return dimension.generous - dimension.low > 1 && !(accepts(dimension.low + 1) && accepts(dimension.generous - 1));
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
        const auto accepts = [&](std::uint64_t value) {
            return cli::is_possible(arguments.and_also(overrides_of(dimension, value)));
        };
        narrow(dimension, accepts);
        if (has_gaps(dimension, accepts)) {
            const std::string& path = dimension.settings.front().path;
            throw cli::UsageError(
                fmt::format("--search: {} takes only some values, and no others between them: compare "
                            "them with ndsim sweep --vary {}=...",
                            path, path));
        }
    }
}

}  // namespace ndsim::advise
