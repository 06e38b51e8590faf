// SPDX-License-Identifier: Apache-2.0
#include "scenarios/format/implied.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/format/program.hpp"
#include "scenarios/format/scenario.hpp"
#include "scenarios/format/structure.hpp"
#include "scenarios/format/tree.hpp"

namespace ndsim::format {

namespace {

std::string text_of(const JsonNode& object, std::string_view key) {
    const JsonNode* const node = object.find(key);
    return node != nullptr && node->is(JsonKind::string) ? node->text : std::string();
}

JsonNode text_node(const std::string& text, Position at) {
    JsonNode node;
    node.kind = JsonKind::string;
    node.at = at;
    node.text = text;
    return node;
}

// The queue pairs that the operations post to, or whose completion queues they use.
void collect_names(const JsonNode& ops, std::vector<std::string>& names) {
    for (const JsonNode& op : ops.items) {
        if (op.find("post") != nullptr && text_of(op, "post") != "srq_receive") {
            names.push_back(op.find("qp") != nullptr ? text_of(op, "qp") : "q0");
        }
        for (const std::string_view verb : kConnectionVerbNames) {
            if (op.find(verb) != nullptr) {
                names.push_back(text_of(op, verb));
            }
        }
        for (const std::string_view verb : {"poll", "arm", "wait", "moderate", "resize"}) {
            const Endpoint cq = endpoint_of(text_of(op, verb));
            if (cq.name == "send" || cq.name == "receive" || cq.name == "disconnect") {
                names.push_back(cq.host);
            }
        }
        if (const JsonNode* const body = op.find("do")) {
            collect_names(*body, names);
        }
    }
}

// The hosts of a file, with those that have no "qps" of their own.
class Implied {
public:
    explicit Implied(JsonNode& root) : root_(root), hosts_(member_of(root, "hosts", root.at)) {
        for (JsonMember& host : hosts_.members) {
            if (host.value.is(JsonKind::object) && host.value.find("qps") == nullptr) {
                open_.push_back(&host);
            }
        }
    }

    void add_queue_pairs() {
        for (const JsonMember& host : hosts_.members) {
            if (const JsonNode* const qps = host.value.find("qps")) {
                for (const JsonMember& qp : qps->members) {
                    const Endpoint peer = endpoint_of(text_of(qp.value, "connect"), "q0");
                    add(peer.host, peer.name);
                    peers_.insert(peer);
                }
            }
        }
        if (const JsonNode* const traffic = root_.find("traffic")) {
            for (const JsonMember& each : traffic->members) {
                const Endpoint from = endpoint_of(text_of(each.value, "from"), "q0");
                const Endpoint to = endpoint_of(text_of(each.value, "to"), "q0");
                connect(from, to);
                add_more(each.value, from, to);
            }
        }
        if (const JsonNode* const programs = root_.find("programs")) {
            for (const JsonMember& program : programs->members) {
                std::vector<std::string> names;
                collect_names(program.value, names);
                for (const std::string& name : names) {
                    add_by_program(program.key, name);
                }
            }
        }
    }

    // Two hosts get a link; with a single switch, each host gets one to it.
    void add_links() {
        const JsonNode* const switches = root_.find("switches");
        const std::size_t count = switches == nullptr ? 0 : switches->members.size();
        if (root_.find("links") != nullptr || count > 1 || (count == 0 && hosts_.members.size() != 2)) {
            return;
        }
        const Position at = count == 0 ? hosts_.at : switches->members.front().at;
        std::vector<std::array<std::string, 2>> ends;  // copied, since adding to the file moves its hosts and switches
        for (const JsonMember& host : hosts_.members) {
            if (count == 1) {
                ends.push_back({host.key, switches->members.front().key});
            }
        }
        JsonNode& links = member_of(root_, "links", at);
        if (count == 0) {
            static_cast<void>(member_of(links, "l0", at));
        }
        for (std::size_t i = 0; i < ends.size(); ++i) {
            JsonNode& between = member_of(member_of(links, "l" + std::to_string(i), at), "between", at);
            between.kind = JsonKind::array;
            between.items = {text_node(ends[i][0], at), text_node(ends[i][1], at)};
        }
    }

private:
    void add(const std::string& host, const std::string& qp) {
        for (JsonMember* const each : open_) {
            if (each->key == host && is_name(qp)) {
                static_cast<void>(member_of(member_of(each->value, "qps", each->value.at), qp, each->value.at));
            }
        }
    }
    // The queue pair, if its host is not `peer`'s and nothing connects it.
    JsonNode* find_unconnected(const Endpoint& reference, const Endpoint& peer) {
        if (peers_.contains(reference)) {
            return nullptr;
        }
        for (JsonMember& host : hosts_.members) {
            if (host.key == reference.host && host.key != peer.host && host.value.find("qps") != nullptr) {
                JsonNode& qps = member_of(host.value, "qps", host.value.at);
                if (const JsonNode* const qp = qps.find(reference.name); qp != nullptr && !qp->find("connect")) {
                    return &member_of(qps, reference.name, qps.at);
                }
            }
        }
        return nullptr;
    }
    // If both ends exist and are free, connects them. The checks handle all else.
    void connect(const Endpoint& from, const Endpoint& to) {
        add(from.host, from.name);
        add(to.host, to.name);
        JsonNode* const sender = find_unconnected(from, to);
        if (sender != nullptr && find_unconnected(to, from) != nullptr) {
            JsonNode& connect = member_of(*sender, "connect", sender->at);
            connect.kind = JsonKind::string;
            connect.text = to.text();
            peers_.insert(to);
        }
    }
    // The queue pairs of a host, if it has any.
    JsonNode* queue_pairs_of(const std::string& host) {
        JsonNode* const node = hosts_.find(host);
        return node != nullptr && node->is(JsonKind::object) ? node->find("qps") : nullptr;
    }
    // A generator with several queue pairs: those that the file does not define are like the first. All have one
    // completion queue at the sender, and Sends one at the receiver.
    void add_more(const JsonNode& traffic, const Endpoint& from, const Endpoint& to) {
        const JsonNode* const count = traffic.find("queue_pairs");
        const std::uint64_t all = count == nullptr ? 1 : count->as_unsigned().value_or(1);
        if (all < 2 || all > Traffic::kMostQueuePairs) {
            return;
        }
        const bool is_send = traffic.find("operation") == nullptr || text_of(traffic, "operation") == "send";
        for (std::uint32_t n = 0; n < all; ++n) {
            add_like(from, Traffic::queue_pair(from, n));
            add_like(to, Traffic::queue_pair(to, n));
            connect(Traffic::queue_pair(from, n), Traffic::queue_pair(to, n));
        }
        for (std::uint32_t n = 0; n < all; ++n) {
            share_cq(Traffic::queue_pair(from, n), "send_cq", from.name + "_all");
            if (is_send) {
                share_cq(Traffic::queue_pair(to, n), "receive_cq", to.name + "_received");
            }
        }
    }
    void add_like(const Endpoint& first, const Endpoint& qp) {
        JsonNode* const qps = queue_pairs_of(qp.host);
        const JsonNode* const model = qps == nullptr ? nullptr : qps->find(first.name);
        if (model == nullptr || qps->find(qp.name) != nullptr || !is_name(qp.name)) {
            return;
        }
        JsonNode copy;
        copy.kind = model->kind;
        copy.at = model->at;
        std::ranges::copy_if(model->members, std::back_inserter(copy.members),
                             [](const JsonMember& member) { return member.key != "connect"; });
        member_of(*qps, qp.name, copy.at) = std::move(copy);
    }
    void share_cq(const Endpoint& qp, std::string_view member, const std::string& cq) {
        JsonNode* const qps = queue_pairs_of(qp.host);
        JsonNode* const own = qps == nullptr ? nullptr : qps->find(qp.name);
        if (own == nullptr || !own->is(JsonKind::object) || own->find(member) != nullptr || !is_name(cq)) {
            return;
        }
        JsonNode& name = member_of(*own, member, own->at);
        name.kind = JsonKind::string;
        name.text = cq;
        JsonNode& host = *hosts_.find(qp.host);
        static_cast<void>(member_of(member_of(host, "cqs", host.at), cq, host.at));
    }
    // A program names a queue pair of its own host. If nothing names the peer, it is the queue pair of the same name on
    // the only other host.
    void add_by_program(const std::string& host, const std::string& qp) {
        add(host, qp);
        const JsonNode* const own = hosts_.find(host);
        if (own == nullptr || hosts_.members.size() != 2) {
            return;
        }
        const JsonNode* const qps = own->find("qps");
        const JsonNode* const known = qps == nullptr ? nullptr : qps->find(qp);
        if (known != nullptr && known->find("connect") == nullptr) {
            add(hosts_.members[hosts_.members[0].key == host ? 1 : 0].key, qp);
        }
    }

    JsonNode& root_;
    JsonNode& hosts_;
    std::vector<JsonMember*> open_;
    std::set<Endpoint> peers_;  // the queue pairs to which others are connected
};

}  // namespace

void add_implied(JsonNode& root) {
    if (root.find("hosts") != nullptr) {
        Implied implied(root);
        implied.add_queue_pairs();
        implied.add_links();
    }
}

}  // namespace ndsim::format
