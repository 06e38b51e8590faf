// SPDX-License-Identifier: Apache-2.0
#include "scenarios/result/pair_rates.hpp"

#include <algorithm>

#include "scenarios/result/traffic_ends.hpp"

namespace ndsim {

std::uint64_t PairRates::largest_of(const Traffic& traffic) const {
    const std::string prefix = "traffic." + traffic.name;
    const WideSum own =
        WideSum{shares_.value_of(prefix + ".message_rate")} * traffic.largest_weight() / traffic.weight_of_all();
    const std::uint64_t goodput = shares_.value_of(prefix + ".goodput");
    const std::optional<std::uint64_t> shared = shares_.known(prefix + ".shared_goodput");
    return static_cast<std::uint64_t>(shared && goodput != 0 ? own * *shared / goodput : own);
}

std::optional<BusiestPair> PairRates::busiest(const Host& host) const {
    std::optional<BusiestPair> busiest;
    for (const Traffic& traffic : scenario_.traffic) {
        if (traffic.from.host == host.name) {
            const std::uint64_t rate = largest_of(traffic);
            busiest = {std::max(rate, busiest ? busiest->rate : 0), {}};
        }
    }
    for (const Traffic& traffic : scenario_.traffic) {
        if (traffic.from.host == host.name && largest_of(traffic) >= busiest->rate - busiest->rate / 20) {
            busiest->generators.push_back(name_of(traffic));
        }
    }
    return busiest;
}

}  // namespace ndsim
