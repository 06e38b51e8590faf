// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <span>

#include "scenarios/format/by_name.hpp"
#include "scenarios/format/checks.hpp"
#include "scenarios/format/read.hpp"
#include "scenarios/format/routes.hpp"
#include "scenarios/format/tree.hpp"

namespace ndsim::format {

namespace {

constexpr std::array kMaking{ConnectionVerb::connect, ConnectionVerb::listen, ConnectionVerb::accept,
                             ConnectionVerb::reject};

bool any_step(const std::vector<Op>& ops, const std::string& qp, std::span<const ConnectionVerb> verbs) {
    const Op* const found = find_op(ops, [&](const Op& op) {
        const auto* const step = std::get_if<ConnectionOp>(&op.what);
        return step != nullptr && step->qp == qp && std::find(verbs.begin(), verbs.end(), step->verb) != verbs.end();
    });
    return found != nullptr;
}

// Connects the queue pairs of a scenario with each other. In the end one side of each pair names the other.
class Connector {
public:
    Connector(Scenario& scenario, Checker& check) : scenario_(scenario), check_(check), routes_(scenario) {}

    // Follows the file, which may name the peer on either side or on both.
    void connect_as_written() {
        for (Host& host : scenario_.hosts) {
            for (QueuePair& qp : host.qps) {
                if (!qp.connect.empty()) {
                    connect(host, qp);
                }
            }
        }
    }

    // Queue pairs of the same name at both ends of a link are connected, and those of the only two hosts, too.
    void connect_same_names() {
        std::vector<Host>& hosts = scenario_.hosts;
        for (const Link& link : scenario_.links) {
            Host* const one = find_named(hosts, link.between[0]);
            Host* const other = find_named(hosts, link.between[1]);
            if (one != nullptr && other != nullptr && one != other) {
                connect_same_names(*one, *other);
            }
        }
        if (hosts.size() == 2 && routes_.joined(hosts[0].name, hosts[1].name)) {
            connect_same_names(hosts[0], hosts[1]);
        }
    }

    // Set-up does not connect queue pairs that a program at either end connects.
    void leave_to_programs() {
        for (Host& host : scenario_.hosts) {
            for (QueuePair& qp : host.qps) {
                const Host* const other = find_named(scenario_.hosts, qp.connect.host);
                qp.by_programs = has_step(host, qp.name, kMaking) ||
                                 (other != nullptr && has_step(*other, qp.connect.name, kMaking));
            }
        }
    }

    // Each connection needs a port to listen on, and a port on the connecting host, which picks it [K181].
    void check_ports() {
        std::map<std::string, std::size_t> listening;
        for (const Host& host : scenario_.hosts) {
            std::size_t connecting = 0;
            for (const QueuePair& qp : host.qps) {
                if (!qp.connect.empty()) {
                    ++connecting;
                    ++listening[qp.connect.host];
                }
            }
            check_ports(host, connecting, "connect from here", kPickedPorts, "to pick from");
        }
        for (const Host& host : scenario_.hosts) {
            check_ports(host, listening[host.name], "are connected to from elsewhere", kListenPorts, "to listen on");
        }
    }

    [[nodiscard]] const Peers& peers() const { return peers_; }

private:
    static constexpr std::size_t kPickedPorts = 65536 - 49152;
    static constexpr std::size_t kListenPorts = 49152 - 4000;  // set-up counts up from 4000

    void check_ports(const Host& host, std::size_t needed, std::string_view what, std::size_t ports,
                     std::string_view for_what) {
        if (needed > ports) {
            check_.wrong("hosts." + host.name + ".qps",
                         fmt::format("{} queue pairs {}, but a host has {} ports {}", needed, what, ports, for_what));
        }
    }
    [[nodiscard]] bool is_free(const Host& host, const QueuePair& qp) const {
        return qp.connect.empty() && !peers_.contains({host.name, qp.name});
    }
    void connect_same_names(Host& one, const Host& other) {
        const ByName others(other.qps);
        for (QueuePair& qp : one.qps) {
            const QueuePair* const peer = others.find(qp.name);
            if (peer != nullptr && is_free(one, qp) && is_free(other, *peer)) {
                qp.connect = {other.name, peer->name};
                join({one.name, qp.name}, qp.connect);
            }
        }
    }
    void join(const Endpoint& one, const Endpoint& other) {
        peers_[one] = other;
        peers_[other] = one;
    }

    [[nodiscard]] std::string connected_twice(const Endpoint& one, const Endpoint& other) const {
        return one.text() + " is connected twice: to " + peers_.at(one).text() + " and to " + other.text();
    }
    void connect(const Host& host, QueuePair& qp) {
        const std::string path = "hosts." + host.name + ".qps." + qp.name + ".connect";
        const Endpoint self{host.name, qp.name};
        const Endpoint& peer = qp.connect;
        const Host* const peer_host = find_named(scenario_.hosts, peer.host);
        if (peer_host == nullptr) {
            check_.missing(path, "host", peer.host, names_of(scenario_.hosts));
        } else if (peer_host->name == host.name) {
            check_.wrong(path, "the peer is on the same host");
        } else if (qps_.try_emplace(peer_host, peer_host->qps).first->second.find(peer.name) == nullptr) {
            check_.missing(path, "queue pair", peer.text(), qualified_names(*peer_host, peer_host->qps));
        } else if (!routes_.joined(host.name, peer.host)) {
            if (check_.is_sound("links")) {
                const std::string between = " between " + host.name + " and " + peer.host;
                check_.wrong(path, (scenario_.switches.empty() ? "there is no link" : "there is no route") + between);
            }
        } else if (peers_.contains(self) && peers_.at(self) == peer) {
            qp.connect = {};  // the peer names it already
        } else if (peers_.contains(self)) {
            check_.wrong(path, connected_twice(self, peer));
        } else if (peers_.contains(peer)) {
            check_.wrong(path, connected_twice(peer, self));
        } else {
            join(self, peer);
        }
    }

    Scenario& scenario_;
    Checker& check_;
    const Routes routes_;
    std::map<const Host*, ByName<QueuePair>> qps_;
    Peers peers_;
};

}  // namespace

bool has_step(const Host& host, const std::string& qp, std::span<const ConnectionVerb> verbs) {
    return host.program && any_step(host.program->ops, qp, verbs);
}

Peers connect_queue_pairs(Scenario& scenario, Checker& check) {
    Connector connector(scenario, check);
    connector.connect_as_written();
    connector.connect_same_names();
    connector.leave_to_programs();
    connector.check_ports();
    return connector.peers();
}

}  // namespace ndsim::format
