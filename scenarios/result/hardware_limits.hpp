// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/nic/send_steps.hpp"
#include "scenarios/result/limit_holders.hpp"
#include "scenarios/result/limit_shares.hpp"
#include "scenarios/result/limit_users.hpp"
#include "scenarios/result/limits.hpp"
#include "scenarios/result/pair_rates.hpp"

namespace ndsim {

// HardwareLimits: the limits of the hosts and the network, and of the cores that run software. Servers come first, then
// pools, from the end of the data's way to its beginning. Limits of less than 1 % of the time are left out.
class HardwareLimits {
public:
    HardwareLimits(const Scenario& scenario, const LimitShares& shares);

    [[nodiscard]] std::vector<Limit> take();

private:
    void add_links();
    void add_hosts();
    void add_generators();
    void add_issues();  // of DMA generators
    void add_core(const Host& host, const std::string& core, const Traffic* traffic);
    void add_pool(const SendStep& step, bool is_behind_wire);
    void add_cq(const Host& host, const std::string& cq, const Traffic& traffic);
    void add_timeouts(const Traffic& traffic, const Host& from);
    void add_reads(const Traffic& traffic, const TrafficEnds& ends);
    void add_switch_pools();
    void add_waits();
    [[nodiscard]] std::uint64_t share_of_reads(const std::string& nic, std::uint64_t waited, std::uint64_t full) const;
    void add_pairs(const Host& host);

    template <class Parameter, class Generators>
    void add(LimitKind kind, std::string what, std::uint64_t share_ppm, const Parameter& parameter,
             const Generators& generators, const PoolFacts* pool = nullptr) {
        if (share_ppm >= kLeastLimit) {
            // A rate of messages is counted where they end, and bursts there may exceed what started them.
            share_ppm = std::min(share_ppm, LimitShares::kAll);
            limits_.push_back({{kind, std::move(what), share_ppm, false, parameter(), generators(), {}}, pool});
        }
    }
    // Adds a limit of what several generators share, for those that waited for it. It is named once.
    template <class Parameter, class Generators>
    void add_for(LimitKind kind, std::string what, std::uint64_t share_ppm, const Parameter& parameter,
                 const Generators& generators) {
        const auto known = std::ranges::find_if(
            limits_, [&](const FoundLimit& each) { return each.limit.kind == kind && each.limit.what == what; });
        if (known == limits_.end()) {
            add(kind, std::move(what), share_ppm, parameter, generators);
        } else if (share_ppm >= kLeastLimit) {
            known->limit.share_ppm = std::max(known->limit.share_ppm, std::min(share_ppm, LimitShares::kAll));
            const auto others = generators();
            known->limit.generators.insert(known->limit.generators.end(), others.begin(), others.end());
        }
    }
    // Adds a limit of a host, for all generators that use it.
    void add_of(const Host& host, LimitKind kind, std::string what, std::uint64_t share_ppm, std::string_view parameter,
                const PoolFacts* pool = nullptr) {
        add(
            kind, std::move(what), share_ppm, [&] { return parameter_of(host, parameter); },
            [&] { return users_.of(host); }, pool);
    }
    void add_of(const Host& host, std::string what, std::uint64_t share_ppm, const PoolFacts& pool) {
        add_of(host, LimitKind::pool, std::move(what), share_ppm, pool.parameter, &pool);
    }

    const Scenario& scenario_;
    const LimitShares& shares_;
    const LimitUsers users_;
    const PairRates pair_rates_;
    std::vector<FoundLimit> limits_;
};

}  // namespace ndsim
