// SPDX-License-Identifier: Apache-2.0
#include "scenarios/format/complete.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "scenarios/format/connections.hpp"
#include "scenarios/format/request_labels.hpp"
#include "scenarios/format/shared_receives.hpp"

namespace ndsim::format {

namespace {

void complete_link(Fault& fault, const std::vector<Link>& links) {
    const auto link = std::ranges::find_if(links, [&](const Link& each) { return each.joins(fault.target); });
    if (fault.is_of_packets() && fault.link.empty() && link != links.end()) {
        fault.link = link->name;
    }
}

void complete_receives(Traffic& traffic, const Scenario& scenario) {
    const std::string& srq = queue_pair_at(scenario, traffic.to).srq;
    if (traffic.operation == TrafficOperation::send && !srq.empty()) {
        const SharedReceives shared(scenario, host_at(scenario, traffic.to), srq);
        traffic.srq = {srq, shared.share_of(traffic), shared.largest()};
    }
}

void write_out(const CompletionExpectation& completion, const Expectation& expectation, const RequestLabels& labels,
               std::vector<Expectation>& out) {
    for (const RequestLabels::Labelled& request : labels.find(completion.request)) {
        out.push_back(expectation);
        std::get<CompletionExpectation>(out.back().what).request = request.name;
    }
}

void complete_order(OrderExpectation& order, const RequestLabels& labels) {
    for (const std::string& label : std::exchange(order.requests, {})) {
        for (const RequestLabels::Labelled& request : labels.find(label)) {
            order.requests.push_back(request.name);
        }
    }
}

}  // namespace

void complete(Scenario& scenario) {
    for (Traffic& traffic : scenario.traffic) {
        complete_receives(traffic, scenario);
    }
    for (Fault& fault : scenario.faults) {
        complete_link(fault, scenario.links);
    }
    const RequestLabels labels(scenario);
    for (Expectation& expectation : std::exchange(scenario.expect, {})) {
        if (const auto* const completion = std::get_if<CompletionExpectation>(&expectation.what)) {
            write_out(*completion, expectation, labels, scenario.expect);
            continue;
        }
        if (auto* const order = std::get_if<OrderExpectation>(&expectation.what)) {
            complete_order(*order, labels);
        }
        scenario.expect.push_back(std::move(expectation));
    }
}

}  // namespace ndsim::format
