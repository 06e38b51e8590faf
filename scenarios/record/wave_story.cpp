// SPDX-License-Identifier: Apache-2.0
#include "scenarios/record/wave_story.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <string_view>

#include "models/nic/send_steps.hpp"

namespace ndsim {

namespace {

constexpr std::size_t kMostQueues = 8;  // of a kind in a host; more would hide the rest

// The queues of a kind, and the step behind which they are shown.
struct QueueRows {
    std::string_view unit;
    std::string_view name;
    std::string_view queues;
    std::string_view level;
};

constexpr std::array kQueueRows{
    QueueRows{SendStep::kCores, "activity", "qps.", "sq"},
    QueueRows{"nic.rx", "rx_buffer", "qps.", "rq_ready"},
    QueueRows{"nic.rx", "rx_buffer", "srqs.", "srq_ready"},
    QueueRows{"nic.cq", "request", "cqs.", "entries"},
};

// The name of a unit within its host; empty if it is in no such host.
std::string_view within(std::string_view unit, const std::string& host) {
    return unit.starts_with(host + ".") ? unit.substr(host.size() + 1) : std::string_view{};
}

bool is_unit(std::string_view unit, std::string_view wanted) {
    return wanted == SendStep::kCores ? unit.starts_with("cpu") && unit != "cpu_dpc" : unit == wanted;
}

// The signals of one host, in the order in which a Send passes them.
std::vector<WaveSignal> host_story(std::span<const WaveSignal> signals, const std::string& host) {
    std::vector<WaveSignal> story;
    for (const SendStep& step : send_steps()) {
        if (!step.is_wave()) {
            continue;
        }
        for (const WaveSignal& signal : signals) {
            if (signal.name == step.name && is_unit(within(signal.unit, host), step.unit)) {
                story.push_back(signal);
            }
        }
        for (const QueueRows& rows : kQueueRows) {
            if (rows.unit != step.unit || rows.name != step.name) {
                continue;
            }
            const auto fits = [&](const WaveSignal& signal) {
                const std::string_view unit = within(signal.unit, host);
                return signal.name == rows.level && unit.starts_with(rows.queues);
            };
            if (static_cast<std::size_t>(std::ranges::count_if(signals, fits)) <= kMostQueues) {
                std::ranges::copy_if(signals, std::back_inserter(story), fits);
            }
        }
    }
    return story;
}

}  // namespace

std::vector<WaveSignal> wave_story(std::span<const WaveSignal> signals, std::span<const std::string> hosts) {
    std::map<std::string_view, std::vector<WaveSignal>> owned;
    for (const std::string& host : hosts) {
        owned[host];
    }
    std::vector<WaveSignal> of_network;  // switches and cables
    for (const WaveSignal& signal : signals) {
        const auto host = owned.find(std::string_view(signal.unit).substr(0, signal.unit.find('.')));
        (host == owned.end() ? of_network : host->second).push_back(signal);
    }
    std::vector<WaveSignal> story;
    for (const std::string& host : hosts) {
        std::ranges::move(host_story(owned[host], host), std::back_inserter(story));
    }
    std::ranges::move(of_network, std::back_inserter(story));
    return story;
}

}  // namespace ndsim
