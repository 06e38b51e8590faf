// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>

#include "scenarios/format/implied.hpp"
#include "scenarios/format/presets.hpp"
#include "scenarios/format/read.hpp"

namespace ndsim::format {

namespace {

QueuePair read_queue_pair(const std::string& name, const Host& host, const Place& place) {
    const QueueParams& limits = host.node.nic.queues;
    QueuePair qp;
    qp.name = name;
    qp.sq = limits.sq;
    qp.rq = limits.rq;
    qp.max_sge = std::min(qp.max_sge, limits.max_sge);
    qp.inline_max = limits.inline_max;
    qp.send_cq = name + ".send";
    qp.receive_cq = name + ".receive";
    if (host.api == Api::wsd) {
        qp.send_cq = qp.receive_cq = name;  // a socket has one for both
    }
    if (read_section(qp, place, "qp")) {
        qp.send_cq = read_text(place, "send_cq").value_or(qp.send_cq);
        qp.receive_cq = read_text(place, "receive_cq").value_or(qp.receive_cq);
        if (const auto peer = read_text(place, "connect"); peer && !peer->empty()) {
            qp.connect = endpoint_of(*peer, "q0");
        }
        qp.srq = read_text(place, "srq").value_or("");
        if (const JsonNode* const rq = place.node.find("rq"); rq != nullptr && !qp.srq.empty()) {
            place.wrong(*rq, place.inner("rq"), "its receives come from shared receive queue " + qp.srq);
        }
    }
    return qp;
}

Host read_host(const std::string& name, const Place& place) {
    Host host;
    host.name = name;
    if (const auto preset = read_choice(place, "preset", kPresetNames)) {
        host.preset = kPresetNames.at(*preset);
    }
    apply_preset(host.preset, host.node);
    if (const auto api = read_choice(place, "api", kApiNames)) {
        host.api = static_cast<Api>(*api);
    }
    if (!read_section(host.node, place, "host")) {
        return host;
    }
    for_each_named(place, "buffers", [&](const std::string& buffer, const Place& member) {
        host.buffers.emplace_back().name = buffer;
        read_section(host.buffers.back(), member, "buffer");
    });
    for_each_named(place, "memory", [&](const std::string& name_of_it, const Place& member) {
        host.memory.emplace_back().name = name_of_it;
        read_section(host.memory.back(), member, "memory_object");
    });
    for_each_named(place, "cqs", [&](const std::string& cq, const Place& member) {
        host.cqs.push_back({cq, host.node.nic.queues.cq.depth, {}});
        read_section(host.cqs.back(), member, "cq");
    });
    for_each_named(place, "srqs", [&](const std::string& srq, const Place& member) {
        const QueueParams& limits = host.node.nic.queues;
        host.srqs.push_back({srq, limits.srq.depth});
        host.srqs.back().max_sge = std::min(host.srqs.back().max_sge, limits.max_sge);
        read_section(host.srqs.back(), member, "srq");
    });
    for_each_named(place, "qps", [&](const std::string& qp, const Place& member) {
        host.qps.push_back(read_queue_pair(qp, host, member));
        host.qps.back().is_implied = is_implied(member.node, place.node);
    });
    return host;
}

Link read_link(const std::string& name, const Scenario& scenario, const Place& place) {
    Link link;
    link.name = name;
    const std::vector<Host>& hosts = scenario.hosts;
    const bool has_switches = !scenario.switches.empty();
    if (const JsonNode* const between = place.node.find("between")) {
        const std::vector<std::string> names = read_texts(place, "between");
        if (names.size() == link.between.size()) {
            std::copy(names.begin(), names.end(), link.between.begin());
        } else if (between->is(JsonKind::array) && between->items.size() != link.between.size()) {
            place.wrong(*between, place.inner("between"),
                        std::string("expected two ") + (has_switches ? "hosts or switches" : "hosts") + ", got " +
                            std::to_string(between->items.size()));
        }
    } else if (hosts.size() == 2 && !has_switches) {
        link.between = {hosts[0].name, hosts[1].name};
    } else if (place.node.is(JsonKind::object)) {
        place.wrong(
            place.node, place.path, "\"between\" is missing",
            has_switches ? "with a switch, each link names its two ends" : "it may be left out only with two hosts");
    }
    for (const std::string& end : link.between) {
        if (const Host* const host = find_named(hosts, end)) {
            link.preset = host->preset;
            break;
        }
    }
    apply_preset(link.preset, link.params);
    read_section(link.params, place, "link");
    return link;
}

}  // namespace

void read_hosts(const Place& root, Scenario& scenario) {
    for_each_named(root, "hosts", [&](const std::string& name, const Place& member) {
        scenario.hosts.push_back(read_host(name, member));
    });
    for_each_named(root, "switches", [&](const std::string& name, const Place& member) {
        scenario.switches.emplace_back().name = name;
        read_section(scenario.switches.back().params, member, "switch");
    });
    for_each_named(root, "links", [&](const std::string& name, const Place& member) {
        // The link of two hosts of which one cannot be read: what is wrong with that one is told.
        const JsonNode* const hosts = root.node.find("hosts");
        if (hosts != nullptr && is_implied(member.node, *hosts) && scenario.hosts.size() < 2) {
            return;
        }
        scenario.links.push_back(read_link(name, scenario, member));
    });
}

}  // namespace ndsim::format
