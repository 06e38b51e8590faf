// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/wave_point.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
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

WavePoint around(const std::set<std::string>& names, const Recorder& recorder) {
    WavePoint point{{Picoseconds::max(), Picoseconds::min()}, {}};
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
        point.around.start = std::min(point.around.start, request.is_receive ? ended : request.posted);
        point.around.end = std::max(point.around.end, ended);
        point.marks.push_back({ended, name});
    }
    return point;
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

WavePoint wave_point(const Scenario& scenario, const Recorder& recorder, Interval run) {
    WavePoint point = around(expected(scenario), recorder);
    if (point.around.start >= point.around.end) {
        point = around(named(recorder), recorder);
    }
    if (point.around.start >= point.around.end) {
        return {outages(scenario, run).value_or(recorder.slowest().value_or(run)), {}};
    }
    if (point.marks.size() > kManyMarks) {
        std::erase_if(point.marks, [&](const WaveMark& mark) { return recorder.labelled().at(mark.name).is_receive; });
    }
    std::ranges::stable_sort(point.marks, {}, &WaveMark::at);
    return point;
}

}  // namespace ndsim
