// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "scenarios/format/checks.hpp"
#include "scenarios/format/read.hpp"
#include "scenarios/format/tree.hpp"
#include "sim/config/quantity.hpp"

namespace ndsim::format {

namespace {

// The kind of a sender of packets, as messages name it.
std::string_view kind_of(const Scenario& scenario, const std::string& end) {
    return find_named(scenario.switches, end) != nullptr ? "switch" : "host";
}

bool check_target(const Scenario& scenario, const Fault& fault, const std::string& verb, Checker& check) {
    const bool is_host = find_named(scenario.hosts, fault.target) != nullptr;
    if (!fault.is_of_packets() || scenario.switches.empty()) {
        if (!is_host) {
            check.missing(verb, "host", fault.target, names_of(scenario.hosts));
        }
        return is_host;
    }
    if (is_host || find_named(scenario.switches, fault.target) != nullptr) {
        return true;
    }
    std::vector<std::string> known = names_of(scenario.hosts);
    const std::vector<std::string> switches = names_of(scenario.switches);
    known.insert(known.end(), switches.begin(), switches.end());
    check.missing(verb, "host or switch", fault.target, known);
    return false;
}

// The packets of a host are on its only link, unless the rule names one.
void check_link(const Scenario& scenario, const Fault& fault, const std::string& path, Checker& check) {
    const std::string sender = std::string(kind_of(scenario, fault.target)) + " " + fault.target;
    if (!fault.link.empty()) {
        const Link* const link = find_named(scenario.links, fault.link);
        if (link == nullptr) {
            check.missing(path + ".link", "link", fault.link, names_of(scenario.links));
        } else if (!link->joins(fault.target)) {
            check.wrong(path + ".link", "link " + fault.link + " does not lead to " + sender);
        }
        return;
    }
    const auto links =
        std::ranges::count_if(scenario.links, [&](const Link& link) { return link.joins(fault.target); });
    if (links > 1) {
        check.wrong(path, sender + " has several links", "say which with \"link\"");
    } else if (links == 0 && scenario.hosts.size() == 1) {
        check.wrong(path, sender + " is not on any link");
    }
}

void check_rule(const Fault& fault, const std::string& path, Checker& check) {
    const FaultRule& rule = fault.rule;
    if (rule.packet == 0 && rule.rate.ppm == 0) {
        check.wrong(path, "this fault matches no packet",
                    "set \"packet\": 3 for the third one, or \"rate\": \"1 %\" for random ones");
    } else if (rule.packet != 0 && rule.rate.ppm != 0) {
        check.wrong(path + ".rate", "\"packet\" and \"rate\" exclude each other");
    }
    if (rule.packet == 0 && rule.count != FaultRule{}.count) {
        check.wrong(path + ".count", "packets chosen at random have no count", "a count begins at a \"packet\"");
    }
    if (fault.kind != FaultKind::delay && fault.kind != FaultKind::reorder && rule.by != FaultRule{}.by) {
        check.wrong(path + ".by", "only \"delay\" and \"reorder\" move packets in time");
    }
    if (rule.until <= rule.from) {
        check.wrong(path + ".until", to_text(rule.until) + " is not after \"from\", " + to_text(rule.from));
    }
}

}  // namespace

void check_faults(const Scenario& scenario, Checker& check) {
    for (std::size_t i = 0; i < scenario.faults.size(); ++i) {
        const Fault& fault = scenario.faults[i];
        const std::string path = element("faults", i);
        if (!check.is_sound(path)) {
            continue;
        }
        const std::string verb = path + "." + std::string(kFaultKindNames[static_cast<std::size_t>(fault.kind)]);
        if (fault.kind == FaultKind::down) {
            if (find_named(scenario.links, fault.target) == nullptr) {
                check.missing(verb, "link", fault.target, names_of(scenario.links));
            }
        } else if (!check_target(scenario, fault, verb, check)) {
            continue;
        }
        if (fault.is_of_packets()) {
            check_link(scenario, fault, path, check);
            check_rule(fault, path, check);
        } else if (fault.outage.until <= fault.outage.from) {
            check.wrong(path + ".until",
                        to_text(fault.outage.until) + " is not after \"from\", " + to_text(fault.outage.from));
        }
    }
}

}  // namespace ndsim::format
