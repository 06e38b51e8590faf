// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/wave_point.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <variant>

namespace ndsim {

namespace {

constexpr std::size_t kManyMarks = 8;  // their names overlap

std::set<std::string> requests_named(const Scenario& scenario) {
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

}  // namespace

WavePoint wave_point(const Scenario& scenario, const Recorder& recorder, Interval run) {
    WavePoint point{{Picoseconds::max(), Picoseconds::min()}, {}};
    for (const std::string& name : requests_named(scenario)) {
        const auto found = recorder.labelled().find(name);
        if (found == recorder.labelled().end() || !found->second.returned) {
            continue;
        }
        const LabelledRequest& request = found->second;
        if (!request.is_receive) {
            point.around.start = std::min(point.around.start, request.posted);
        }
        point.around.end = std::max(point.around.end, *request.returned);
        point.marks.push_back({*request.returned, name});
    }
    if (point.around.start >= point.around.end) {
        return {recorder.first_send().value_or(run), {}};
    }
    if (point.marks.size() > kManyMarks) {
        std::erase_if(point.marks, [&](const WaveMark& mark) { return recorder.labelled().at(mark.name).is_receive; });
    }
    std::ranges::stable_sort(point.marks, {}, &WaveMark::at);
    return point;
}

}  // namespace ndsim
