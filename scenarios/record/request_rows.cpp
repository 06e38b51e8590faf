// SPDX-License-Identifier: Apache-2.0
#include "scenarios/record/request_rows.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include "models/nic/send_steps.hpp"

namespace ndsim {

namespace {

constexpr std::string_view kQueues = "qps";  // for every queue pair
constexpr std::ptrdiff_t kMostAlike = 2;     // cores or queues; more would hide the other steps

enum class Side : std::uint8_t { requester, peer, lane_out, lane_in, lane_back };

// A step of a request, and the signal that shows it.
struct RequestStep {
    Side side;
    std::string_view unit;  // within its host
    std::string_view name;
};

constexpr std::array kSteps{
    RequestStep{Side::requester, SendStep::kCores, "activity"},
    RequestStep{Side::requester, "nic.doorbell", "fifo"},
    RequestStep{Side::requester, "nic.wqe", "state"},
    RequestStep{Side::requester, "nic.wqe", "request"},
    RequestStep{Side::requester, "nic.dma", "reads_in_flight"},
    RequestStep{Side::lane_out, "", "packet"},
    RequestStep{Side::lane_out, "", "request"},
    RequestStep{Side::lane_in, "", "packet"},
    RequestStep{Side::peer, "nic.responder", "request"},
    RequestStep{Side::peer, kQueues, "rq_ready"},
    RequestStep{Side::peer, "nic.protection", "change"},
    RequestStep{Side::peer, "nic.protection", "refused"},
    RequestStep{Side::peer, "nic.dma", "writes_in_flight"},
    RequestStep{Side::peer, "nic.cq", "request"},
    RequestStep{Side::peer, SendStep::kCores, "activity"},
    RequestStep{Side::lane_back, "", "packet"},
    RequestStep{Side::requester, "nic.cq", "request"},
};

// Whether the lane "l0_A_to_B" begins, or ends, at a host.
bool leaves(std::string_view lane, const std::string& host) {
    const std::size_t link = lane.find('_');
    return link != std::string_view::npos && lane.substr(link).starts_with("_" + host + "_to_");
}

bool reaches(std::string_view lane, const std::string& host) {
    return !host.empty() && lane.find('.') == std::string_view::npos && lane.ends_with("_to_" + host);
}

bool is_at(std::string_view unit, const RequestStep& step, const std::string& host) {
    if (host.empty() || !unit.starts_with(host + ".")) {
        return false;
    }
    const std::string_view within = unit.substr(host.size() + 1);
    if (step.unit == kQueues) {
        return within.starts_with("qps.");
    }
    return step.unit == SendStep::kCores ? within.starts_with("cpu") && within != "cpu_dpc" : within == step.unit;
}

bool shows(const WaveSignal& signal, const RequestStep& step, const RequestHosts& hosts) {
    switch (step.side) {
        case Side::requester:
            return is_at(signal.unit, step, hosts.requester);
        case Side::peer:
            return is_at(signal.unit, step, hosts.peer);
        case Side::lane_out:
            return leaves(signal.unit, hosts.requester);
        case Side::lane_in:
            return reaches(signal.unit, hosts.peer) && !leaves(signal.unit, hosts.requester);
        case Side::lane_back:
            return reaches(signal.unit, hosts.requester);
    }
    return false;
}

}  // namespace

std::vector<WaveSignal> request_rows(std::span<const WaveSignal> signals, const RequestHosts& hosts) {
    std::vector<WaveSignal> rows;
    for (const RequestStep& step : kSteps) {
        const auto fits = [&](const WaveSignal& signal) {
            return !signal.still && signal.name == step.name && shows(signal, step, hosts);
        };
        if (std::ranges::count_if(signals, fits) <= kMostAlike) {
            std::ranges::copy_if(signals, std::back_inserter(rows), fits);
        }
    }
    return rows;
}

void set_aside(std::span<WaveSignal> signals, std::span<const std::string> hosts, const RequestHosts& way) {
    for (const std::string& host : hosts) {
        if (way.peer.empty() || host == way.requester || host == way.peer) {
            continue;
        }
        for (WaveSignal& signal : signals) {
            const std::string_view unit = signal.unit;
            const bool is_port = unit.substr(std::min(unit.find('.'), unit.size())) == "." + host;  // "s0.A"
            const bool is_own = unit.starts_with(host + ".");
            signal.aside = signal.aside || is_own || is_port || leaves(unit, host) || reaches(unit, host);
        }
    }
}

}  // namespace ndsim
