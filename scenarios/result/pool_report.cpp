// SPDX-License-Identifier: Apache-2.0
#include "scenarios/result/pool_report.hpp"

#include <fmt/format.h>

#include <map>
#include <string>

#include "sim/base/invariant_error.hpp"

namespace ndsim {

namespace {

// The full path of a parameter, from its path in the host, or in its section of the scenario.
std::string path_of(std::string_view unit, std::string_view parameter) {
    const std::string_view owner = unit.substr(0, unit.find('.'));  // a host or a switch
    const std::string_view section = parameter.substr(0, parameter.find('.'));
    const std::string_view name = parameter.substr(section.size() + 1);
    if (section == "switch") {
        return fmt::format("switches.{}.{}", owner, name);
    }
    if (section == "dma") {
        constexpr std::string_view kUnit = ".dma_";
        return fmt::format("dma.{}.{}", unit.substr(owner.size() + kUnit.size()), name);
    }
    const bool is_qp = unit.substr(owner.size()).starts_with(".qps.");
    if (section == "qp" || (is_qp && parameter.ends_with(".depth"))) {
        return fmt::format("hosts.{}.{}", unit, name);
    }
    return fmt::format("hosts.{}.{}", owner, parameter);
}

}  // namespace

PoolUse use_of(const Unit& unit, const Pool& pool) {
    const PoolFacts& facts = pool.facts();
    const bool is_sized = !facts.parameter.empty() && pool.capacity() != Pool::kUnlimited;
    return {fmt::format("{}.{}", unit.name(), facts.name), &facts,
            is_sized ? path_of(unit.name(), facts.parameter) : ""};
}

void name_own_depths(const Scenario& scenario, std::vector<PoolUse>& pools) {
    std::map<std::string, std::string> own;  // the NIC's parameter, by the name of the unit
    for (const Host& host : scenario.hosts) {
        for (const CompletionQueue& cq : host.cqs) {
            own[host.name + ".cqs." + cq.name] = "hosts." + host.name + ".nic.cq.depth";
        }
        for (const SharedReceiveQueue& srq : host.srqs) {
            own[host.name + ".srqs." + srq.name] = "hosts." + host.name + ".nic.srq.depth";
        }
    }
    for (PoolUse& use : pools) {
        const std::string unit = use.pool.substr(0, use.pool.rfind('.'));
        if (const auto queue = own.find(unit); queue != own.end() && queue->second == use.parameter) {
            use.parameter = "hosts." + unit + ".depth";
        }
    }
}

void add_pool(Metrics& metrics, const Unit& unit, const Pool& pool) {
    const Occupancy& occupancy = pool.occupancy();
    if (static_cast<std::uint64_t>(occupancy.integral()) != pool.residence()) {
        throw InvariantError(unit.name(), unit.now(),
                             std::string(pool.name()) + ": occupancy and residence times do not agree");
    }
    const std::string name = fmt::format("{}.{}", unit.name(), pool.name());
    if (occupancy.capacity() != Pool::kUnlimited) {
        metrics.add(name + ".capacity", occupancy.capacity(), std::nullopt, "number of entries");
        metrics.add(name + ".full", occupancy.full_ppm(), Quantity::fraction,
                    "share of the time in which a piece of the largest size so far would not have fit");
    }
    metrics.add(name + ".high_water", occupancy.high_water(), std::nullopt, pool.sentence());
    metrics.add(name + ".mean_milli", occupancy.mean_milli(), std::nullopt, "mean over time, in thousandths");
    metrics.add(name + ".p50", occupancy.percentile(500'000), std::nullopt, "not exceeded for half of the time");
    metrics.add(name + ".p90", occupancy.percentile(900'000), std::nullopt, "not exceeded for 90 % of the time");
    metrics.add(name + ".p99", occupancy.percentile(990'000), std::nullopt, "not exceeded for 99 % of the time");
    metrics.add(name + ".empty", occupancy.empty_ppm(), Quantity::fraction, "share of the time in which it was empty");
    metrics.add(name + ".now", occupancy.level(), std::nullopt, "entries at the end of the measured time");
}

}  // namespace ndsim
