// SPDX-License-Identifier: Apache-2.0
#include "scenarios/result/limit_parameter.hpp"

#include <algorithm>
#include <stdexcept>

#include "scenarios/format/presets.hpp"
#include "scenarios/format/shared_receives.hpp"
#include "scenarios/result/traffic_ends.hpp"
#include "sim/config/params.hpp"

namespace ndsim {

namespace {

// A parameter's value and its origin.
struct Known {
    std::string value;
    Mark mark{};
};

// A parameter struct's value for this path.
template <class S>
Known look_up(S params, std::string_view path) {
    const std::vector<Param> all = params_of(params, "");
    const auto found = std::ranges::find_if(all, [&](const Param& param) { return param.path() == path; });
    if (found == all.end()) {
        throw std::logic_error("no such parameter: " + std::string(path));
    }
    return {found->current(), found->mark()};
}

// The preset's value.
template <class S>
Known preset_value(std::string_view preset, std::string_view path, std::string_view row_path) {
    S params;
    apply_preset(preset, params);
    Known known = look_up(params, path);
    if (const PresetRow* const row = preset_row(row_path)) {
        const auto column = std::ranges::find(kPresetNames, preset) - kPresetNames.begin();
        known.mark = mark_of(row->sources.at(static_cast<std::size_t>(column)));
    }
    return known;
}

LimitBasis basis_of(Mark mark) {
    switch (mark) {
        case Mark::seen:
        case Mark::derived:
            return LimitBasis::measured;
        case Mark::memory:
        case Mark::estimate:
            return LimitBasis::assumed;
        case Mark::documented:
            break;
    }
    return LimitBasis::chosen;
}

LimitParameter beside(const Known& preset, std::string path, std::string value) {
    const LimitBasis basis = value == preset.value ? basis_of(preset.mark) : LimitBasis::chosen;
    return {std::move(path), std::move(value), preset.mark, basis};
}

}  // namespace

LimitParameter parameter_of(const Host& host, std::string_view parameter) {
    return beside(preset_value<NodeParams>(host.preset, parameter, parameter),
                  "hosts." + host.name + "." + std::string(parameter), look_up(host.node, parameter).value);
}

// Depths of a queue pair are those of the NIC, unless it has its own.
LimitParameter parameter_of(const Host& host, const QueuePair& qp, std::string_view parameter) {
    const std::string path = "hosts." + host.name + ".qps." + qp.name + "." + std::string(parameter);
    const Known known = look_up(qp, parameter);
    if (parameter.ends_with(".depth")) {
        const std::string of_nic = "nic." + std::string(parameter);
        return beside(preset_value<NodeParams>(host.preset, of_nic, of_nic), path, known.value);
    }
    return {path, known.value, known.mark, LimitBasis::chosen};
}

LimitParameter depth_of(const Host& host, std::string_view cq) {
    constexpr std::string_view kOfNic = "nic.cq.depth";
    const auto declared = std::ranges::find(host.cqs, cq, &CompletionQueue::name);
    if (declared == host.cqs.end()) {
        return parameter_of(host, kOfNic);
    }
    return beside(preset_value<NodeParams>(host.preset, kOfNic, kOfNic),
                  "hosts." + host.name + ".cqs." + declared->name + ".depth", std::to_string(declared->depth));
}

LimitParameter receives_of(const TrafficEnds& ends, const Traffic& traffic) {
    if (traffic.receives != 0) {
        return parameter_of(traffic, "receives");
    }
    if (ends.receiver.srq.empty()) {
        return parameter_of(ends.to, ends.receiver, "rq.depth");
    }
    const auto srq = std::ranges::find(ends.to.srqs, ends.receiver.srq, &SharedReceiveQueue::name);
    return beside(preset_value<NodeParams>(ends.to.preset, "nic.srq.depth", "nic.srq.depth"),
                  "hosts." + ends.to.name + ".srqs." + srq->name + ".depth", std::to_string(srq->depth));
}

LimitParameter fetched_receives_of(const Scenario& scenario, const Host& host) {
    LimitParameter parameter = parameter_of(host, "nic.rq_prefetch");
    std::uint64_t most = 0;
    for (const Traffic& traffic : scenario.traffic) {
        if (traffic.operation != TrafficOperation::send || traffic.to.host != host.name) {
            continue;
        }
        const TrafficEnds ends(scenario, traffic);
        const std::uint64_t own = traffic.receives != 0 ? traffic.receives : ends.receiver.rq.depth;
        const std::uint64_t posted =
            ends.receiver.srq.empty() ? own : SharedReceives(scenario, host, ends.receiver.srq).ahead();
        if (posted > host.node.nic.wqe.rq_prefetch) {
            return parameter_of(host, "nic.rq_prefetch");
        }
        if (posted > most) {
            most = posted;
            parameter = receives_of(ends, traffic);
        }
    }
    return parameter;
}

LimitParameter parameter_of(const Link& link, std::string_view parameter) {
    return beside(preset_value<LinkParams>(link.preset, parameter, "link." + std::string(parameter)),
                  "links." + link.name + "." + std::string(parameter), look_up(link.params, parameter).value);
}

LimitParameter parameter_of(const NetworkSwitch& of, std::string_view parameter) {
    return beside(look_up(SwitchParams{}, parameter), "switches." + of.name + "." + std::string(parameter),
                  look_up(of.params, parameter).value);
}

LimitParameter parameter_of(const Traffic& traffic, std::string_view parameter) {
    const Known known = look_up(traffic, parameter);
    return {"traffic." + traffic.name + "." + std::string(parameter), known.value, known.mark, LimitBasis::chosen};
}

LimitParameter parameter_of(const DmaLoad& load, std::string_view parameter) {
    const Known known = look_up(load.params, parameter);
    return {"dma." + load.name + "." + std::string(parameter), known.value, known.mark, LimitBasis::chosen};
}

}  // namespace ndsim
