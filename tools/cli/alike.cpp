// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/alike.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "scenarios/format/connections.hpp"
#include "sim/config/params.hpp"
#include "tools/cli/figures.hpp"

namespace ndsim::cli {

namespace {

template <class S>
std::string values_of(S s) {
    std::string text;
    for (const Param& param : params_of(s, "")) {
        text += param.path() + "=" + param.current() + ";";
    }
    return text;
}

// The properties of a queue pair and its completion queues, without their names.
std::string values_of_end(const Scenario& scenario, const Endpoint& end) {
    const Host& host = host_at(scenario, end);
    const QueuePair* const qp = find_queue_pair(host, end.name);
    if (qp == nullptr) {
        return {};
    }
    std::string text = values_of(*qp) + qp->srq;
    for (const std::string& name : {qp->send_cq, qp->receive_cq}) {
        const auto cq = std::ranges::find(host.cqs, name, &CompletionQueue::name);
        text += cq == host.cqs.end() ? "its own;" : values_of(*cq);
    }
    return text;
}

const std::string& peer_on(const Link& link, const Host& host) {
    return link.between[0] == host.name ? link.between[1] : link.between[0];
}

std::string values_of_fault(const Fault& fault) {
    std::string text(kFaultKindNames.at(static_cast<std::size_t>(fault.kind)));
    if (!fault.is_of_packets()) {
        return text + " " + values_of(fault.outage);
    }
    const std::optional<Opcode> only = fault.rule.opcode;
    return text + " " + values_of(fault.rule) + (only ? fmt::format("opcode={};", static_cast<int>(*only)) : "");
}

// The faults of a host, of its links, and of packets that others send on these.
std::string values_of_faults(const Scenario& scenario, const Host& host) {
    std::string text;
    for (const Fault& fault : scenario.faults) {
        const std::string& name = fault.kind == FaultKind::down ? fault.target : fault.link;
        const auto link = std::ranges::find(scenario.links, name, &Link::name);
        const bool is_on_its_link = link != scenario.links.end() && link->joins(host.name);
        if (is_on_its_link) {
            text += "link to " + peer_on(*link, host);
        }
        if (is_on_its_link || fault.target == host.name) {
            text += (fault.target == host.name ? " from it " : " ") + values_of_fault(fault);
        }
    }
    return text;
}

// The DMA loads of a host, without their names.
std::string values_of_dma(const Scenario& scenario, const Host& host) {
    std::string text;
    for (const DmaLoad& load : scenario.dma) {
        text += load.host == host.name ? "dma " + values_of(load.params) : "";
    }
    return text;
}

// The properties of a host and its links, and what happens to them besides the generators.
std::string values_of_host(const Scenario& scenario, const Host& host) {
    std::string text = values_of(host.node) + std::string(kApiNames.at(static_cast<std::size_t>(host.api)));
    for (const Link& link : scenario.links) {
        if (link.joins(host.name)) {
            text += peer_on(link, host) + values_of(link.params);
        }
    }
    return text + values_of_faults(scenario, host) + values_of_dma(scenario, host) +
           (host.program ? "with a program" : "");
}

std::string values_of_traffic(const Traffic& traffic) {
    std::string text = values_of(traffic);
    for (const Bytes size : traffic.sizes) {
        text += fmt::format("{} ", size.count);
    }
    text += ";";
    for (const Bytes size : traffic.sgl) {
        text += fmt::format("{} ", size.count);
    }
    text += ";";
    for (const std::uint32_t weight : traffic.weights) {
        text += fmt::format("{} ", weight);
    }
    return text + ";" + traffic.trace;
}

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

std::string generator_values(const Scenario& scenario, const Traffic& traffic) {
    return traffic.to.host + ";" + values_of_traffic(traffic) +
           values_of_host(scenario, host_at(scenario, traffic.from)) + values_of_end(scenario, traffic.from) +
           values_of_end(scenario, traffic.to);
}

std::vector<Alike> alike_generators(const Scenario& scenario) {
    std::vector<std::pair<std::string, std::vector<const Traffic*>>> rows;
    for (const Traffic& traffic : scenario.traffic) {
        std::string values = generator_values(scenario, traffic);
        const auto row = std::ranges::find(rows, values, &std::pair<std::string, std::vector<const Traffic*>>::first);
        if (row == rows.end()) {
            rows.emplace_back(std::move(values), std::vector<const Traffic*>{&traffic});
        } else {
            row->second.push_back(&traffic);
        }
    }
    std::vector<Alike> all;
    all.reserve(rows.size());
    for (auto& [values, generators] : rows) {
        all.emplace_back(std::move(generators));
    }
    return all;
}

}  // namespace ndsim::cli
