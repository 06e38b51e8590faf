// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/alike_hosts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "models/ledger/ledger.hpp"
#include "scenarios/format/routes.hpp"
#include "sim/base/histogram.hpp"

namespace ndsim::cli {

namespace {

// Whether tables may show the host once with others of its class: DMA loads have names of their own.
bool may_share(const Scenario& scenario, const Host& host) {
    const bool has_traffic = std::ranges::any_of(scenario.traffic, [&](const Traffic& traffic) {
        return traffic.from.host == host.name || traffic.to.host == host.name;
    });
    return has_traffic && std::ranges::find(scenario.dma, host.name, &DmaLoad::host) == scenario.dma.end();
}

MeanLedger mean_of(const std::vector<const MeanLedger*>& ledgers) {
    MeanLedger mean;
    std::vector<std::string> hosts;
    for (const MeanLedger* const each : ledgers) {
        hosts.push_back(each->host);
        mean.requests += each->requests;
    }
    mean.host = first_and_last(hosts);
    mean.operation = ledgers.front()->operation;
    for (const std::string_view account : account_names()) {
        WideSum sum = 0;
        for (const MeanLedger* const each : ledgers) {
            const auto found = std::ranges::find(each->accounts, account, &std::pair<std::string, Picoseconds>::first);
            sum += found == each->accounts.end()
                       ? WideSum{0}
                       : WideSum{each->requests} * static_cast<std::uint64_t>(found->second.count());
        }
        if (sum > 0) {
            mean.accounts.emplace_back(account, Picoseconds{static_cast<std::int64_t>(sum / mean.requests)});
            mean.mean_total += mean.accounts.back().second;
        }
    }
    return mean;
}

EngineUse sum_of(const std::vector<const EngineUse*>& engines) {
    EngineUse sum = *engines.front();
    std::vector<std::string> names{sum.engine};
    for (std::size_t i = 1; i < engines.size(); ++i) {
        names.push_back(engines[i]->engine);
        sum.idle += engines[i]->idle;
        sum.busy += engines[i]->busy;
        for (std::size_t wait = 0; wait < sum.blocked.size(); ++wait) {
            sum.blocked[wait].second += engines[i]->blocked[wait].second;
        }
    }
    sum.engine = first_and_last(names);
    return sum;
}

// Groups things by key, in the order of each group's first one.
template <class Thing, class Key>
std::vector<std::vector<const Thing*>> grouped(const std::vector<Thing>& things, const Key& key) {
    std::map<std::string, std::size_t> places;
    std::vector<std::vector<const Thing*>> groups;
    for (const Thing& thing : things) {
        const auto [place, is_new] = places.try_emplace(key(thing), groups.size());
        if (is_new) {
            groups.emplace_back();
        }
        groups[place->second].push_back(&thing);
    }
    return groups;
}

}  // namespace

std::map<std::string, std::string> common_names(const Scenario& scenario) {
    std::vector<std::string> hosts;
    std::ranges::transform(scenario.hosts, std::back_inserter(hosts), &Host::name);
    return AlikeHosts(scenario).common_names(hosts);
}

std::string first_and_last(const std::vector<std::string>& names) {
    return names.size() == 1 ? names.front() : names.front() + " .. " + names.back();
}

std::string least_and_greatest(const std::vector<std::string>& names) {
    const auto [least, greatest] =
        std::ranges::minmax_element(names, {}, [](const std::string& name) { return std::pair(name.size(), name); });
    return *least == *greatest ? *least : *least + " .. " + *greatest;
}

AlikeHosts::AlikeHosts(const Scenario& scenario) {
    const HostClasses classes(scenario);
    std::map<std::string, std::vector<const Host*>> groups;
    for (const Host& host : scenario.hosts) {
        if (may_share(scenario, host)) {
            groups[classes.of(host.name)].push_back(&host);
        }
    }
    for (const auto& [first, hosts] : groups) {
        for (const Host* const host : hosts) {
            if (hosts.size() > 1) {
                add_host(scenario, classes, host->name, "alike " + first);
            }
        }
    }
    const std::vector<Alike> generators = alike_generators(scenario, classes);
    for (std::size_t i = 0; i < generators.size(); ++i) {
        if (generators[i].generators().size() > 1) {
            add_generators(generators[i], i);
        }
    }
}

// Adds the generators, and the cores and queue pairs that they have at each end.
void AlikeHosts::add_generators(const Alike& alike, std::size_t number) {
    const std::string& first = alike.generators().front()->name;
    for (const Traffic* const traffic : alike.generators()) {
        add_name("traffic." + traffic->name, "alike traffic." + first);
        add_name("traffic " + traffic->name, "alike traffic " + first);
        for (const auto& [end, side] : {std::pair{&traffic->from, "from"}, std::pair{&traffic->to, "to"}}) {
            const auto group = names_.find(end->host + ".");
            const std::string host = group == names_.end() ? "alike " + end->host + "." : group->second;
            add_name(fmt::format("{}.cpu_{}", end->host, traffic->name),
                     fmt::format("{}cpu {} {}", host, side, number));
            add_name(fmt::format("{}.qps.{}", end->host, end->name), fmt::format("{}qps {} {}", host, side, number));
        }
    }
}

void AlikeHosts::add_host(const Scenario& scenario, const HostClasses& classes, const std::string& host,
                          const std::string& group) {
    add_name(host + ".", group + ".");
    for (const Link& link : scenario.links) {
        if (link.joins(host)) {
            const std::string& other = link.between[link.between[0] == host ? 1 : 0];
            add_name(lane_name(link, host, other), group + " to " + classes.of(other));
            add_name(lane_name(link, other, host), group + " from " + classes.of(other));
            add_name(fmt::format("{}.{}", other, host), group + " at " + classes.of(other));
        }
    }
}

// The longest name counts that `name` begins with, up to or behind one of its dots, or as a whole.
std::string AlikeHosts::key(std::string_view name) const {
    for (std::size_t end = name.size(); end > 0;) {
        if (const auto found = names_.find(name.substr(0, end)); found != names_.end()) {
            return found->second + std::string(name.substr(end));
        }
        if (name[end - 1] == '.') {
            --end;
        } else {
            const std::size_t dot = name.rfind('.', end - 1);
            end = dot == std::string_view::npos ? 0 : dot + 1;
        }
    }
    return std::string(name);
}

std::vector<std::vector<std::string>> AlikeHosts::groups(const std::vector<std::string>& names) const {
    std::vector<std::vector<std::string>> all;
    for (const auto& group : grouped(names, [this](const std::string& name) { return key(name); })) {
        auto& texts = all.emplace_back();
        std::ranges::transform(group, std::back_inserter(texts), [](const std::string* name) { return *name; });
    }
    return all;
}

std::map<std::string, std::string> AlikeHosts::common_names(const std::vector<std::string>& hosts) const {
    std::map<std::string, std::string> names;
    for (const auto& group : grouped(hosts, [this](const std::string& host) { return key(host + "."); })) {
        std::vector<std::string> together;
        std::ranges::transform(group, std::back_inserter(together), [](const std::string* host) { return *host; });
        for (const std::string& host : together) {
            names[host] = first_and_last(together);
        }
    }
    return names;
}

std::vector<MeanLedger> AlikeHosts::merged(const std::vector<MeanLedger>& ledgers) const {
    std::vector<MeanLedger> all;
    for (const auto& group : grouped(
             ledgers, [this](const MeanLedger& ledger) { return key(ledger.host + ".") + " " + ledger.operation; })) {
        all.push_back(group.size() == 1 ? *group.front() : mean_of(group));
    }
    return all;
}

std::vector<EngineUse> AlikeHosts::merged(const std::vector<EngineUse>& engines) const {
    std::vector<EngineUse> all;
    for (const auto& group : grouped(engines, [this](const EngineUse& use) { return key(use.engine); })) {
        all.push_back(sum_of(group));
    }
    return all;
}

}  // namespace ndsim::cli
