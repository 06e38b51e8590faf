// SPDX-License-Identifier: Apache-2.0
#include "scenarios/format/checks.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "models/proto/packet.hpp"
#include "scenarios/format/read.hpp"
#include "scenarios/format/tree.hpp"
#include "sim/base/exact_rate.hpp"
#include "sim/config/quantity.hpp"

namespace ndsim::format {

Checker::Checker(const JsonNode& root, Problems& problems) : root_(root), problems_(problems) {
    for (const Problem& problem : problems.sorted()) {
        unsound_.push_back(problem.path);
    }
}

void Checker::wrong(const std::string& path, std::string message, std::string hint) {
    problems_.add(place_of(root_, path), path, std::move(message), std::move(hint));
}

void Checker::missing(const std::string& path, std::string_view kind, std::string_view name,
                      const std::vector<std::string>& known) {
    Absence absence = no_such(kind, name, known);
    wrong(path, std::move(absence.message), std::move(absence.hint));
}

bool Checker::is_sound(std::string_view path) const {
    return std::none_of(unsound_.begin(), unsound_.end(), [&](const std::string& p) {
        return p.starts_with(path) && (p.size() == path.size() || p[path.size()] == '.' || p[path.size()] == '[');
    });
}

bool Checker::is_said(std::string_view path) const {
    return find_path(root_, path) != nullptr;
}

namespace {

void check_power_of_two(Checker& check, const std::string& path, std::uint64_t value, const std::string& shown) {
    if (!std::has_single_bit(value) && check.is_sound(path)) {
        check.wrong(path, "expected a power of two, got " + shown);
    }
}

void check_queue_pairs(const Host& host, Checker& check) {
    const QueueParams& limits = host.node.nic.queues;
    for (const QueuePair& qp : host.qps) {
        const std::string path = "hosts." + host.name + ".qps." + qp.name;
        if (qp.sq.depth > host.node.adapter.max_initiator_depth) {
            check.wrong(path + ".sq.depth", std::to_string(qp.sq.depth) +
                                                " is more than adapter.max_initiator_depth of the host, " +
                                                std::to_string(host.node.adapter.max_initiator_depth));
        }
        if (qp.max_sge > limits.max_sge) {
            check.wrong(path + ".max_sge", std::to_string(qp.max_sge) + " is more than nic.max_sge of the host, " +
                                               std::to_string(limits.max_sge));
        }
        if (qp.inline_max > limits.inline_max) {
            check.wrong(path + ".inline_max", std::to_string(qp.inline_max) +
                                                  " is more than nic.inline_max of the host, " +
                                                  std::to_string(limits.inline_max));
        }
        for (const auto& [key, cq] : {std::pair{".send_cq", &qp.send_cq}, std::pair{".receive_cq", &qp.receive_cq}}) {
            std::vector<std::string> known = names_of(host.cqs);
            known.insert(known.end(), {qp.name + ".send", qp.name + ".receive"});
            if (std::find(known.begin(), known.end(), *cq) == known.end()) {
                check.missing(path + key, "completion queue", *cq, known);
            }
        }
    }
}

void check_completion_queues(const Host& host, Checker& check) {
    for (const CompletionQueue& cq : host.cqs) {
        const std::string path = "hosts." + host.name + ".cqs." + cq.name + ".interrupt_moderation";
        const InterruptModeration& moderation = cq.interrupt_moderation;
        if (moderation.is_on() && !host.node.nic.queues.cq.can_moderate) {
            check.wrong(path, "the adapter does not offer moderation", "nic.cq.can_moderate says so");
        } else if (moderation.interval == Picoseconds{} && moderation.count > cq.depth) {
            check.wrong(
                path + ".count",
                std::to_string(moderation.count) + " are more than the queue holds, " + std::to_string(cq.depth),
                "without an interval, nothing would end the wait");
        }
        check_moderation(moderation, path, check);
    }
}

void check_memory(const Host& host, Checker& check) {
    for (const MemoryObject& object : host.memory) {
        const std::string path = "hosts." + host.name + ".memory." + object.name;
        if (find_named(host.buffers, object.name) != nullptr) {
            check.wrong(path, "a buffer of the host has this name already");
        }
        for (const char* const key : {".pages", ".remote_access"}) {
            if (object.kind == MemoryKind::window && check.is_said(path + key)) {
                check.wrong(path + key, "a window has none", "its buffer and its bind say it all");
            }
        }
    }
}

// What can still arrive after a pause frame was sent must fit into what then is free: half of the RX buffer.
void check_pause_room(const Host& host, const Link& link, Checker& check) {
    const PortParams& port = host.node.nic.port;
    const std::string path = "hosts." + host.name + ".nic.rx_buffer";
    if (!port.pause || !check.is_sound(path) || !check.is_sound("links." + link.name)) {
        return;
    }
    constexpr std::uint64_t kLargestPacket = wire_bytes(4096, 16).count;
    const Picoseconds way = 2 * link.params.flight() + port.rx_pipe;
    const auto nanoseconds = static_cast<std::uint64_t>((way + Picoseconds{999}).count() / 1000);
    // In flight, and up to two packets that have already begun, on either lane, and one that made the buffer so full.
    const std::uint64_t in_flight = nanoseconds * (link.params.rate.bits_per_second / 1'000'000 + 1) / 8'000;
    const Bytes needed{2 * (in_flight + 4 * kLargestPacket)};
    if (port.rx_buffer < needed) {
        check.wrong(
            path,
            to_text(port.rx_buffer) + " overflows before a pause frame has stopped the peer over link " + link.name,
            "it takes " + to_text(Bytes{ceil_div(needed.count, 1024) * 1024}));
    }
}

}  // namespace

template <class Output>
void check_window(const Output& output, const std::string& path, Checker& check) {
    if (output.stop <= output.start && check.is_sound(path)) {
        check.wrong(path + ".stop", to_text(output.stop) + " is not after the start, " + to_text(output.start));
    }
}

void check_moderation(const InterruptModeration& moderation, const std::string& path, Checker& check) {
    if (moderation.interval % std::chrono::microseconds{1} != Picoseconds{}) {
        check.wrong(path + ".interval", "expected whole microseconds, got " + to_text(moderation.interval));
    }
}

void check_parameters(const Scenario& scenario, Checker& check) {
    for (const Host& host : scenario.hosts) {
        const std::string path = "hosts." + host.name;
        const PcieParams& pcie = host.node.pcie;
        for (const auto& [key, size] :
             {std::pair{".pcie.mps", pcie.mps}, std::pair{".pcie.mrrs", pcie.mrrs}, std::pair{".pcie.rcb", pcie.rcb}}) {
            check_power_of_two(check, path + key, size.count, to_text(size));
        }
        check_power_of_two(check, path + ".pcie.width", pcie.width, std::to_string(pcie.width));
        if (const std::uint32_t mtu = host.node.nic.queues.mtu; !std::has_single_bit(mtu)) {
            check.wrong(path + ".nic.mtu", "expected one of 256, 512, 1024, 2048, 4096, got " + std::to_string(mtu));
        }
        check_queue_pairs(host, check);
        check_completion_queues(host, check);
        check_memory(host, check);
    }
    check_window(scenario.outputs.waves, "outputs.waves", check);
    check_window(scenario.outputs.packets, "outputs.packets", check);
    check_window(scenario.outputs.timeline, "outputs.timeline", check);
}

void check_links(const Scenario& scenario, Checker& check) {
    // Only a host that has nobody to talk to may be alone.
    const bool may_be_alone = scenario.traffic.empty() && (!scenario.dma.empty() || !check.is_sound("dma"));
    if (scenario.hosts.size() < (may_be_alone ? 1U : 2U) && check.is_sound("hosts")) {
        check.wrong("hosts", (may_be_alone ? "expected a host at least, got " : "expected two hosts at least, got ") +
                                 std::to_string(scenario.hosts.size()));
    }
    std::vector<std::pair<std::string, std::string>> ports;  // host, link
    for (const Link& link : scenario.links) {
        const std::string path = "links." + link.name;
        if (!link.between[0].empty() && link.between[0] == link.between[1]) {
            check.wrong(path + ".between[1]", "both ends are at host " + link.between[0]);
            continue;
        }
        for (std::size_t end = 0; end < link.between.size(); ++end) {
            const std::string& name = link.between.at(end);
            const std::string place = element(path + ".between", end);
            const Host* const host = find_named(scenario.hosts, name);
            const auto taken = std::find_if(ports.begin(), ports.end(), [&](const auto& p) { return p.first == name; });
            if (name.empty()) {
                continue;  // said already
            }
            if (host == nullptr) {
                check.missing(place, "host", name, names_of(scenario.hosts));
            } else if (taken != ports.end()) {
                check.wrong(place, "host " + name + " is on link " + taken->second + " already", "a NIC has one port");
            } else {
                ports.emplace_back(name, link.name);
                check_pause_room(*host, link, check);
            }
        }
    }
    for (const Host& host : scenario.hosts) {
        const bool on_link =
            std::any_of(ports.begin(), ports.end(), [&](const auto& p) { return p.first == host.name; });
        if (scenario.hosts.size() > 1 && !on_link && check.is_sound("links") && check.is_sound("hosts")) {
            check.wrong("hosts." + host.name, "the host is on no link",
                        scenario.links.empty() ? "with more than two hosts, \"links\" is needed" : "");
        }
        for (const std::string_view reserved : {"traffic", "dma", "programs", "run", "ledger"}) {
            if (host.name == reserved) {
                check.wrong("hosts." + host.name, "a host cannot have this name", "metrics begin with it");
            }
        }
    }
}

}  // namespace ndsim::format
