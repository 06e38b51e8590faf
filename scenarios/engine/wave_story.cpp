// SPDX-License-Identifier: Apache-2.0
#include "scenarios/engine/wave_story.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace ndsim {

namespace {

// What is shown of a host. A unit "cpu" stands for every core.
struct Shown {
    std::string_view unit;
    std::string_view signal;
};
constexpr std::array<Shown, 22> kOfHost{{
    {"cpu", "activity"},      {"pcie", "down_express"},       {"nic.doorbell", "fifo"},
    {"nic.wqe", "state"},     {"nic.wqe", "request"},         {"pcie", "up_express"},
    {"pcie", "down_bulk"},    {"nic.dma", "reads_in_flight"}, {"nic.requester", "request"},
    {"nic.requester", "psn"}, {"nic.tx", "tx_fifo"},          {"nic.tx", "paused"},
    {"nic.rx", "packet"},     {"nic.rx", "rx_buffer"},        {"nic.responder", "request"},
    {"nic.responder", "psn"}, {"nic.responder", "waits"},     {"nic.dma", "writes_in_flight"},
    {"pcie", "up_bulk"},      {"nic.cq", "request"},          {"nic.wqe", "sq_in_flight"},
    {"nic.wqe", "cache"},
}};

bool is_unit(std::string_view unit, const std::string& host, std::string_view wanted) {
    if (!unit.starts_with(host + ".")) {
        return false;
    }
    unit.remove_prefix(host.size() + 1);
    return wanted == "cpu" ? unit.starts_with("cpu") && unit != "cpu_dpc" : unit == wanted;
}

}  // namespace

std::vector<WaveSignal> wave_story(std::span<const WaveSignal> signals, std::span<const std::string> hosts) {
    std::vector<WaveSignal> story;
    for (const std::string& host : hosts) {
        for (const Shown& shown : kOfHost) {
            for (const WaveSignal& signal : signals) {
                if (signal.name == shown.signal && is_unit(signal.unit, host, shown.unit)) {
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
