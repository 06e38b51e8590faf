// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "models/proto/packet.hpp"
#include "scenarios/format/checks.hpp"
#include "scenarios/format/read.hpp"
#include "scenarios/format/routes.hpp"
#include "scenarios/format/tree.hpp"
#include "sim/config/quantity.hpp"

namespace ndsim::format {

namespace {

// Ethernet's packets are larger.
constexpr Bytes kLargestPacket = wire_bytes(4096, 16, Framing::ethernet);

// The buffer for what still comes after a pause frame must have room for twice as much: then half of it is free.
// `pipe`: from the MAC into the buffer.
Bytes pause_room(const Link& link, Picoseconds pipe) {
    const Picoseconds way = 2 * link.params.flight() + pipe;
    const auto nanoseconds = static_cast<std::uint64_t>((way + Picoseconds{999}).count() / 1000);
    // In flight, and up to two packets already begun, on either lane, and the one that filled the buffer so far.
    const std::uint64_t in_flight = nanoseconds * (link.params.rate.bits_per_second / 1'000'000 + 1) / 8'000;
    return {2 * (in_flight + 4 * kLargestPacket.count)};
}

std::string in_kib(Bytes bytes) {
    return to_text(Bytes{ceil_div(bytes.count, 1024) * 1024});
}

// Every link has two ends, every host at most one link, and two switches have one between them.
class LinkChecker {
public:
    LinkChecker(const Scenario& scenario, Checker& check) : scenario_(scenario), check_(check), routes_(scenario) {}

    void check() {
        check_number_of_hosts();
        for (const Link& link : scenario_.links) {
            check_link(link);
        }
        check_names("hosts", "host", scenario_.hosts);
        check_names("switches", "switch", scenario_.switches);
        check_lanes();
        check_hosts();
        for (const NetworkSwitch& each : scenario_.switches) {
            check_switch(each);
        }
    }

private:
    // An end of a link.
    struct Port {
        std::string owner;
        const Link* link;
    };

    void check_number_of_hosts();
    void check_link(const Link& link);
    void check_end(const Link& link, std::size_t end);
    void check_between_switches(const Link& link);
    void check_host_buffer(const Host& host, const Link& link);
    void check_lanes();
    void check_hosts();
    void check_switch(const NetworkSwitch& each);
    void check_framing(const NetworkSwitch& each);
    void check_switch_buffer(const NetworkSwitch& each, const std::string& path);

    template <class Things>
    void check_names(const std::string& section, const std::string& kind, const Things& things) {
        for (const auto& thing : things) {
            for (const std::string_view reserved : {"traffic", "dma", "programs", "run", "ledger"}) {
                if (thing.name == reserved) {
                    check_.wrong(below(section, thing.name), "a " + kind + " cannot have this name",
                                 "names of metrics begin with it");
                }
            }
        }
    }
    [[nodiscard]] std::size_t ports_of(const std::string& owner) const {
        return static_cast<std::size_t>(
            std::count_if(ports_.begin(), ports_.end(), [&](const Port& port) { return port.owner == owner; }));
    }

    // A problem of a link, which is then left out of all routes.
    void wrong(const std::string& path, std::string message, std::string hint = {}) {
        links_are_good_ = false;
        check_.wrong(path, std::move(message), std::move(hint));
    }

    const Scenario& scenario_;
    Checker& check_;
    const Routes routes_;
    std::vector<Port> ports_;
    bool links_are_good_ = true;
};

void LinkChecker::check_number_of_hosts() {
    // A host may be alone only if it has no peer to talk to.
    const bool may_be_alone = scenario_.traffic.empty();
    if (scenario_.hosts.size() < (may_be_alone ? 1U : 2U) && check_.is_sound("hosts")) {
        check_.wrong("hosts",
                     (may_be_alone ? "expected at least one host, got " : "expected at least two hosts, got ") +
                         std::to_string(scenario_.hosts.size()));
    }
}

void LinkChecker::check_link(const Link& link) {
    const std::string path = "links." + link.name;
    if (!link.between[0].empty() && link.between[0] == link.between[1]) {
        const bool is_switch = find_named(scenario_.switches, link.between[0]) != nullptr;
        wrong(path + ".between[1]",
              std::string("both ends are at ") + (is_switch ? "switch " : "host ") + link.between[0]);
        return;
    }
    check_between_switches(link);
    for (std::size_t end = 0; end < link.between.size(); ++end) {
        check_end(link, end);
    }
}

// A second link between two switches would carry nothing.
void LinkChecker::check_between_switches(const Link& link) {
    const auto& [a, b] = link.between;
    if (find_named(scenario_.switches, a) == nullptr || find_named(scenario_.switches, b) == nullptr) {
        return;
    }
    for (const Link& other : scenario_.links) {
        if (&other == &link) {
            return;
        }
        if (std::is_permutation(link.between.begin(), link.between.end(), other.between.begin())) {
            wrong("links." + link.name + ".between",
                  "link " + other.name + " joins switches " + a + " and " + b + " already",
                  "routes take the first one only");
            return;
        }
    }
}

void LinkChecker::check_end(const Link& link, std::size_t end) {
    const std::string& name = link.between.at(end);
    const std::string place = element("links." + link.name + ".between", end);
    if (name.empty()) {
        return;  // reported already
    }
    const Host* const host = find_named(scenario_.hosts, name);
    if (host == nullptr && find_named(scenario_.switches, name) == nullptr) {
        std::vector<std::string> known = names_of(scenario_.hosts);
        const std::vector<std::string> switches = names_of(scenario_.switches);
        known.insert(known.end(), switches.begin(), switches.end());
        links_are_good_ = false;
        check_.missing(place, switches.empty() ? "host" : "host or switch", name, known);
        return;
    }
    const auto taken = std::ranges::find(ports_, name, &Port::owner);
    if (host != nullptr && taken != ports_.end()) {
        wrong(place, "host " + name + " is on link " + taken->link->name + " already", "a NIC has one port");
        return;
    }
    ports_.push_back({name, &link});
    if (host != nullptr) {
        check_host_buffer(*host, link);
    }
}

void LinkChecker::check_host_buffer(const Host& host, const Link& link) {
    const PortParams& port = host.node.nic.port;
    const std::string path = "hosts." + host.name + ".nic.rx_buffer";
    if (!port.pause || !check_.is_sound(path) || !check_.is_sound("links." + link.name)) {
        return;
    }
    if (const Bytes needed = pause_room(link, port.rx_pipe); port.rx_buffer < needed) {
        check_.wrong(
            path,
            to_text(port.rx_buffer) + " overflows before a pause frame has stopped the peer over link " + link.name,
            "it takes " + in_kib(needed));
    }
}

// Hosts, switches and the two lanes of each link are known by their names in metrics and waveforms.
void LinkChecker::check_lanes() {
    std::map<std::string, std::string> owners;
    for (const std::string& host : names_of(scenario_.hosts)) {
        owners.emplace(host, "host " + host);
    }
    for (const std::string& each : names_of(scenario_.switches)) {
        owners.emplace(each, "switch " + each);
    }
    for (const Link& link : scenario_.links) {
        for (const std::size_t end : {std::size_t{0}, std::size_t{1}}) {
            const std::string lane = lane_name(link, link.between.at(end), link.between.at(1 - end));
            const auto [known, is_new] = owners.emplace(lane, "a lane of link " + link.name);
            if (!is_new && links_are_good_ && check_.is_sound("links")) {
                check_.wrong("links." + link.name, "its lane " + lane + " has the name of " + known->second);
            }
        }
    }
}

void LinkChecker::check_hosts() {
    const bool is_sound = check_.is_sound("links") && check_.is_sound("hosts") && check_.is_sound("switches");
    for (const Host& host : scenario_.hosts) {
        const std::string path = "hosts." + host.name;
        if (scenario_.hosts.size() < 2 || !is_sound) {
            continue;
        }
        if (ports_of(host.name) == 0) {
            const std::string hint = !scenario_.switches.empty()   ? "with several switches, \"links\" is needed"
                                     : scenario_.hosts.size() == 2 ? "two hosts have a link if \"links\" is left out"
                                                                   : "with more than two hosts, \"links\" is needed";
            check_.wrong(path, "the host is not on any link", scenario_.links.empty() ? hint : "");
        } else if (links_are_good_ && !scenario_.switches.empty() && !routes_.reaches_a_host(host.name)) {
            check_.wrong(path, "no other host can be reached from the host");
        }
    }
}

void LinkChecker::check_switch(const NetworkSwitch& each) {
    const std::string path = "switches." + each.name;
    if (find_named(scenario_.hosts, each.name) != nullptr) {
        check_.wrong(path, "a host has this name already");
        return;
    }
    if (links_are_good_ && check_.is_sound("links") && check_.is_sound("hosts")) {
        if (ports_of(each.name) == 0) {
            check_.wrong(path, "the switch is not on any link");
            return;
        }
        if (!routes_.reaches_a_host(each.name)) {
            check_.wrong(path, "no host can be reached from the switch");
        }
    }
    check_framing(each);
    if (check_.is_sound(path)) {
        check_switch_buffer(each, path);
    }
}

// A switch forwards packets unchanged; only a gateway could change their framing.
void LinkChecker::check_framing(const NetworkSwitch& each) {
    const auto at_switch = [&](const Port& port) { return port.owner == each.name; };
    const auto first = std::ranges::find_if(ports_, at_switch);
    const auto other = std::find_if(first, ports_.end(), [&](const Port& port) {
        return at_switch(port) && port.link->params.framing != first->link->params.framing;
    });
    if (other != ports_.end()) {
        const auto name = [](const Port& port) {
            return std::string(kFramingNames.at(static_cast<std::size_t>(port.link->params.framing)));
        };
        check_.wrong("links." + other->link->name + ".framing",
                     name(*other) + " on a link of switch " + each.name + ", and " + name(*first) + " on its link " +
                         first->link->name,
                     "all links of a network have the same framing");
    }
}

void LinkChecker::check_switch_buffer(const NetworkSwitch& each, const std::string& path) {
    const SwitchParams& params = each.params;
    if (params.port_buffer != Bytes{} && params.port_buffer < kLargestPacket) {
        check_.wrong(path + ".port_buffer", to_text(params.port_buffer) + " holds no packet of the largest MTU",
                     "it takes " + to_text(kLargestPacket));
    } else if (params.port_buffer > params.buffer) {
        check_.wrong(path + ".port_buffer",
                     to_text(params.port_buffer) + " is more than the switch's buffer, " + to_text(params.buffer));
    } else if (params.pause && params.port_buffer != Bytes{}) {
        check_.wrong(path + ".port_buffer", "pause frames do not limit a queue to this size",
                     "with \"pause\" each port has an equal share of the buffer for incoming packets");
    }
    const std::size_t ports = std::max<std::size_t>(ports_of(each.name), 1);
    for (const Port& port : ports_) {
        if (!params.pause || port.owner != each.name || !check_.is_sound("links." + port.link->name)) {
            continue;
        }
        const Bytes needed = pause_room(*port.link, params.latency);
        if (params.buffer.count / ports < needed.count) {
            check_.wrong(path + ".buffer",
                         "a share of " + to_text(params.buffer) + " for each of " + std::to_string(ports) +
                             " ports overflows before a pause frame has stopped the neighbour over link " +
                             port.link->name,
                         "it takes " + in_kib(Bytes{needed.count * ports}));
            return;
        }
    }
}

}  // namespace

void check_links(const Scenario& scenario, Checker& check) {
    LinkChecker(scenario, check).check();
}

}  // namespace ndsim::format
