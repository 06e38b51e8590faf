// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/first_view.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <variant>

namespace ndsim {

namespace {

constexpr std::size_t kManyMarks = 8;  // their names overlap

std::set<std::string> expected(const Scenario& scenario) {
    std::set<std::string> names;
    for (const Expectation& expectation : scenario.expect) {
        if (const auto* const completion = std::get_if<CompletionExpectation>(&expectation.what)) {
            names.insert(completion->request);
        } else if (const auto* const order = std::get_if<OrderExpectation>(&expectation.what)) {
            names.insert(order->requests.begin(), order->requests.end());
        }
    }
    return names;
}

std::set<std::string> named(const Recorder& recorder) {
    std::set<std::string> names;
    for (const auto& [name, request] : recorder.labelled()) {
        names.insert(name);
    }
    return names;
}

// The host with which all queue pairs of a host are connected, or else the other one of two; empty if there are more.
std::string peer_of(const Scenario& scenario, const std::string& host) {
    std::set<std::string> peers;
    for (const Host& each : scenario.hosts) {
        for (const QueuePair& qp : each.qps) {
            if (each.name == host && !qp.connect.host.empty()) {
                peers.insert(qp.connect.host);
            } else if (qp.connect.host == host) {
                peers.insert(each.name);
            }
        }
        if (scenario.hosts.size() == 2 && each.name != host) {
            peers.insert(each.name);
        }
    }
    return peers.size() == 1 ? *peers.begin() : "";
}

WaveRequest wave_request(const Scenario& scenario, const RequestId& id, const std::string& name) {
    const std::string& host = scenario.hosts[raw(id.host)].name;
    const std::string number = host + "." + std::to_string(id.number);
    return {name.empty() ? number : name + " is " + number, {host, peer_of(scenario, host)}};
}

FirstView around(const std::set<std::string>& names, const Scenario& scenario, const Recorder& recorder) {
    FirstView view{{Picoseconds::max(), Picoseconds::min()}};
    std::pair<bool, Picoseconds> chosen{false, -1};  // whether it failed, and its time
    for (const std::string& name : names) {
        const auto found = recorder.labelled().find(name);
        if (found == recorder.labelled().end()) {
            continue;
        }
        const LabelledRequest& request = found->second;
        const bool refused = !request.returned && request.status != STATUS_SUCCESS;
        if (!request.returned && !refused) {
            continue;
        }
        const Picoseconds ended = request.returned.value_or(request.posted);
        view.around.start = std::min(view.around.start, request.is_receive ? ended : request.posted);
        view.around.end = std::max(view.around.end, ended);
        view.marks.push_back({ended, name});
        const std::pair candidate{request.status != STATUS_SUCCESS, ended - request.posted};
        if (!request.is_receive && request.id.number != 0 && candidate > chosen) {
            chosen = candidate;
            view.request = wave_request(scenario, request.id, name);
        }
    }
    return view;
}

// The deliberate outages of hosts and links that end with the run or before it.
std::optional<Interval> outages(const Scenario& scenario, Interval run) {
    Interval all{Picoseconds::max(), Picoseconds::min()};
    for (const Fault& fault : scenario.faults) {
        if (!fault.is_of_packets() && fault.outage.until <= run.end) {
            all = {std::min(all.start, fault.outage.from), std::max(all.end, fault.outage.until)};
        }
    }
    return all.start < all.end ? std::optional(all) : std::nullopt;
}

}  // namespace

FirstView first_view(const Scenario& scenario, const Recorder& recorder, Interval run) {
    const std::optional<SlowRequest> slow = recorder.slowest();
    FirstView view = around(expected(scenario), scenario, recorder);
    if (view.around.start >= view.around.end) {
        view = around(named(recorder), scenario, recorder);
    }
    if (view.around.start >= view.around.end) {
        view = {outages(scenario, run).value_or(slow ? slow->when : run)};
    }
    // Actions that are no requests, such as those of sockets, have requests all the same.
    if (!view.request && slow && slow->when.start <= view.around.end && slow->when.end >= view.around.start) {
        view.request = wave_request(scenario, slow->id, "");
    }
    if (view.marks.size() > kManyMarks) {
        std::erase_if(view.marks, [&](const WaveMark& mark) { return recorder.labelled().at(mark.name).is_receive; });
    }
    std::ranges::stable_sort(view.marks, {}, &WaveMark::at);
    return view;
}

}  // namespace ndsim
