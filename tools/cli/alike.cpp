// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/alike.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "tools/cli/figures.hpp"

namespace ndsim::cli {

namespace {

std::string first_to_last(const std::string& first, const std::string& last) {
    return first == last ? first : first + " .. " + last;
}

// The range from "6.12 Gbps" to "6.14 Gbps".
std::string range_text(const std::string& low, const std::string& high) {
    const std::size_t unit = low.find(' ');
    const bool share = unit != std::string::npos && high.ends_with(low.substr(unit));
    return first_to_last(share && low != high ? low.substr(0, unit) : low, high);
}

}  // namespace

std::string range_of(const std::vector<const Metric*>& metrics) {
    if (metrics.empty() || std::ranges::find(metrics, nullptr) != metrics.end()) {
        return "-";
    }
    const auto [least, most] = std::ranges::minmax_element(metrics, {}, &Metric::value);
    return range_text(figure(**least), figure(**most));
}

bool Alike::has(std::string_view generator) const {
    return std::ranges::any_of(generators_, [&](const Traffic* each) { return each->name == generator; });
}

std::string Alike::title() const {
    const std::string names = first_to_last(generators_.front()->name, generators_.back()->name);
    return generators_.size() == 1 ? names : fmt::format("{} ({} alike)", names, generators_.size());
}

std::string Alike::ends() const {
    return first_to_last(generators_.front()->from.text(), generators_.back()->from.text()) + " to " +
           first_to_last(generators_.front()->to.text(), generators_.back()->to.text());
}

std::string Alike::least(const Metrics& metrics, std::string_view figure) const {
    const Metric* least = nullptr;
    for (const Traffic* const traffic : generators_) {
        const Metric* const metric = metrics.find(fmt::format("traffic.{}.{}", traffic->name, figure));
        if (metric == nullptr) {
            return "-";
        }
        least = least == nullptr || metric->value < least->value ? metric : least;
    }
    return cli::figure(*least);
}

std::string Alike::most(const Metrics& metrics, std::string_view figure) const {
    const Metric* most = nullptr;
    for (const Traffic* const traffic : generators_) {
        const Metric* const metric = metrics.find(fmt::format("traffic.{}.{}", traffic->name, figure));
        if (metric == nullptr) {
            return "-";
        }
        most = most == nullptr || metric->value > most->value ? metric : most;
    }
    return cli::figure(*most);
}

std::string Alike::range(const Metrics& metrics, std::string_view figure) const {
    return range_text(least(metrics, figure), most(metrics, figure));
}

std::vector<Alike> alike_generators(const Scenario& scenario, const HostClasses& hosts) {
    std::map<std::string, std::size_t> rows;
    std::vector<std::vector<const Traffic*>> groups;
    for (const Traffic& traffic : scenario.traffic) {
        const std::string values = fmt::format("{} to {} {}", hosts.of(traffic.from.host), hosts.of(traffic.to.host),
                                               generator_values(scenario, traffic));
        const auto [row, is_new] = rows.try_emplace(values, groups.size());
        if (is_new) {
            groups.emplace_back();
        }
        groups[row->second].push_back(&traffic);
    }
    return {groups.begin(), groups.end()};
}

std::vector<Alike> alike_generators(const Scenario& scenario) {
    return alike_generators(scenario, HostClasses(scenario));
}

}  // namespace ndsim::cli
