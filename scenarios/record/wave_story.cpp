// SPDX-License-Identifier: Apache-2.0
#include "scenarios/record/wave_story.hpp"

#include <algorithm>
#include <string_view>

#include "models/nic/send_order.hpp"

namespace ndsim {

namespace {

bool is_unit(std::string_view unit, const std::string& host, std::string_view wanted) {
    if (!unit.starts_with(host + ".")) {
        return false;
    }
    unit.remove_prefix(host.size() + 1);
    return wanted == SendStep::kCores ? unit.starts_with("cpu") && unit != "cpu_dpc" : unit == wanted;
}

}  // namespace

std::vector<WaveSignal> wave_story(std::span<const WaveSignal> signals, std::span<const std::string> hosts) {
    std::vector<WaveSignal> story;
    for (const std::string& host : hosts) {
        for (const SendStep& step : send_order()) {
            for (const WaveSignal& signal : signals) {
                if (step.is_wave() && signal.name == step.name && is_unit(signal.unit, host, step.unit)) {
                    story.push_back(signal);
                }
            }
        }
    }
    for (const WaveSignal& signal : signals) {
        const auto owner = std::string_view(signal.unit).substr(0, signal.unit.find('.'));
        if (std::ranges::find(hosts, owner) == hosts.end()) {
            story.push_back(signal);  // switches and cables
        }
    }
    return story;
}

}  // namespace ndsim
