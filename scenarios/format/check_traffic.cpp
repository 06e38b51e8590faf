// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "scenarios/format/by_name.hpp"
#include "scenarios/format/checks.hpp"
#include "scenarios/format/read.hpp"
#include "scenarios/format/tree.hpp"
#include "sim/base/counted.hpp"
#include "sim/config/quantity.hpp"

namespace ndsim::format {

namespace {

// What is known of all queue pairs while generators are checked in the order of the file.
struct QueuePairs {
    std::map<const Host*, ByName<QueuePair>> of_hosts;
    std::map<Endpoint, const Traffic*> senders;  // the first generator that sends from each
};

// Checks one generator.
class TrafficChecker {
public:
    TrafficChecker(const Scenario& scenario, const Traffic& traffic, const Peers& peers, QueuePairs& known,
                   Checker& check)
        : scenario_(scenario),
          traffic_(traffic),
          peers_(peers),
          known_(known),
          path_("traffic." + traffic.name),
          check_(check) {}

    void check() {
        const QueuePair* const from = queue_pair(traffic_.from, ".from");
        const QueuePair* const to = queue_pair(traffic_.to, ".to");
        if (from != nullptr && to != nullptr) {
            check_connection(*from);
            check_queue_pairs(*from, *to);
        }
        check_operation();
        check_weights();
        check_arrivals();
        check_sizes();
        check_buffers();
        if (from != nullptr) {
            check_sender(*from);
        }
        if (to != nullptr && traffic_.operation == TrafficOperation::send) {
            check_receiver(*to);
        }
        check_no_other_sends();
    }

private:
    void wrong(const std::string& key, std::string message, std::string hint = {}) {
        if (check_.is_sound(path_ + key)) {
            check_.wrong(path_ + key, std::move(message), std::move(hint));
        }
    }
    [[nodiscard]] static std::string more(std::uint64_t value, const std::string& limit, const Endpoint& qp,
                                          std::uint64_t is) {
        return std::to_string(value) + " is more than " + limit + " of " + qp.text() + ", " + std::to_string(is);
    }

    // Names the first of the generators that send from one of these queue pairs already.
    void check_no_other_sends() {
        const Traffic* other = nullptr;
        Endpoint shared;
        for (std::uint32_t n = 0; n < (traffic_.from.empty() ? 0 : traffic_.queue_pairs); ++n) {
            const Endpoint own = Traffic::queue_pair(traffic_.from, n);
            const Traffic* const first = known_.senders.try_emplace(own, &traffic_).first->second;
            if (first != &traffic_ && (other == nullptr || first < other)) {
                other = first;
                shared = own;
            }
        }
        if (other != nullptr) {
            wrong(".from", "traffic " + other->name + " sends from " + shared.text() + " already");
        }
    }

    const QueuePair* queue_pair(const Endpoint& end, const std::string& key) {
        if (end.empty()) {
            return nullptr;  // reported already
        }
        const Host* const host = find_named(scenario_.hosts, end.host);
        if (host == nullptr) {
            check_.missing(path_ + key, "host", end.host, names_of(scenario_.hosts));
            return nullptr;
        }
        const QueuePair* const qp = known_.of_hosts.try_emplace(host, host->qps).first->second.find(end.name);
        if (qp == nullptr) {
            const std::string own = "hosts." + host->name + ".qps";
            check_.missing(
                path_ + key, "queue pair", end.text(), qualified_names(*host, host->qps),
                check_.is_said(own) ? own + " lists all queue pairs: add \"" + end.name + "\": {} there" : "");
        }
        return qp;
    }

    // A queue pair of that host that is not connected, or could be added.
    [[nodiscard]] std::string free_name(Endpoint end) const {
        for (std::size_t n = 1; peers_.contains(end); ++n) {
            end.name = "q" + std::to_string(n);
        }
        return end.text();
    }

    void check_connection(const QueuePair& from) {
        const std::string hint = "\"connect\" of a queue pair names its peer";
        const auto peer = peers_.find(traffic_.from);
        const auto back = peers_.find(traffic_.to);
        if (traffic_.from == traffic_.to) {
            wrong(".to", "sender and receiver are the same queue pair");
        } else if (peer != peers_.end() && peer->second != traffic_.to) {
            wrong(".to",
                  traffic_.from.text() + " is connected to " + peer->second.text() + ", not to " + traffic_.to.text(),
                  hint);
        } else if (peer == peers_.end() && back != peers_.end()) {
            wrong(".to",
                  traffic_.to.text() + " is connected to " + back->second.text() + ", not to " + traffic_.from.text(),
                  "each sender needs a queue pair of its own there, such as " + in_quotes(free_name(traffic_.to)));
        } else if (peer == peers_.end() && from.connect.empty() && check_.is_sound("hosts")) {
            wrong(".from", traffic_.from.text() + " is not connected", hint);
        }
    }

    void check_operation() {
        if (traffic_.queue_pairs > 1 && traffic_.signal_every > 1) {
            wrong(".signal_every", "with several queue pairs every request asks for a completion");
        }
        if (traffic_.operation == TrafficOperation::send) {
            return;
        }
        const std::string name = in_quotes(kTrafficOperationNames[static_cast<std::size_t>(traffic_.operation)]);
        const std::string no_receives = "operation " + name + " takes no receives";
        if (traffic_.receives > 0) {
            wrong(".receives", no_receives);
        }
        not_used(".repost_batch", traffic_.repost_batch != Traffic().repost_batch, no_receives);
        if (traffic_.solicit_every > 0) {
            wrong(".solicit_every", "operation " + name + " has no completion at the receiver");
        }
        if (traffic_.operation == TrafficOperation::read && traffic_.inlined) {
            wrong(".inline", "a read carries no data in the WQE");
        }
    }

    void check_weights() {
        const bool is_weighted = traffic_.choose == QueuePairOrder::weighted;
        const std::size_t weights = traffic_.weights.size();
        if (!check_.is_sound(path_ + ".weights") || !check_.is_sound(path_ + ".choose")) {
            return;
        }
        if (!is_weighted && weights > 0) {
            wrong(".weights", "weights need \"choose\": \"weighted\"");
        } else if (is_weighted && weights == 0) {
            wrong(".choose", "\"weights\" is missing", "a list with one weight for each queue pair");
        } else if (is_weighted && weights != traffic_.queue_pairs) {
            wrong(".weights", counted(weights, "weight") + " for " + counted(traffic_.queue_pairs, "queue pair"),
                  "each queue pair needs one");
        }
    }

    void check_arrivals() {
        const bool is_trace = traffic_.arrivals == ArrivalKind::trace;
        if (is_trace && traffic_.trace.empty()) {
            wrong(".arrivals", "\"trace\" is missing", "it names the file of times");
        } else if (!is_trace && !traffic_.trace.empty()) {
            wrong(".trace", "a trace needs \"arrivals\": \"trace\"");
        } else if (!traffic_.times.empty() && traffic_.times.size() < traffic_.count) {
            wrong(".count", "the trace has only " + std::to_string(traffic_.times.size()) + " times");
        }
        if (traffic_.arrivals != ArrivalKind::closed && traffic_.think_time > Picoseconds{}) {
            wrong(".think_time", "a think time needs \"arrivals\": \"closed\"");
        }
        const Traffic defaults;
        if (traffic_.arrivals == ArrivalKind::closed || is_trace) {
            not_used(".interval", traffic_.interval != defaults.interval,
                     "an interval needs \"arrivals\": \"fixed\", \"poisson\" or \"on_off\"");
        }
        if (traffic_.arrivals != ArrivalKind::on_off) {
            not_used(".burst", traffic_.burst != defaults.burst, "bursts need \"arrivals\": \"on_off\"");
            not_used(".pause", traffic_.pause != defaults.pause,
                     "a pause between bursts needs \"arrivals\": \"on_off\"");
        }
    }
    // A value that would change nothing, unless it is the default.
    void not_used(const std::string& key, bool is_changed, const std::string& why) {
        if (is_changed && check_.is_sound(path_ + ".arrivals")) {
            wrong(key, why);
        }
    }

    void check_buffers() {
        const std::uint64_t all = traffic_.buffers * traffic_.buffer_step().count;
        if (traffic_.buffers > 1 && all > Traffic::kMostMemory.count) {
            wrong(".buffers", std::to_string(traffic_.buffers) + " buffers of " + to_text(traffic_.largest()) +
                                  " are more than " + to_text(Traffic::kMostMemory));
        }
    }

    // Checks all of them; each needs its own peer, and all share one completion queue. Sends share their receives, too.
    void check_queue_pairs(const QueuePair& first, const QueuePair& first_peer) {
        const bool takes_receives = traffic_.operation == TrafficOperation::send;
        if (traffic_.queue_pairs > 1 && takes_receives && first_peer.srq.empty()) {
            wrong(".queue_pairs", "Sends of several queue pairs take their receives from one queue",
                  "give " + traffic_.to.text() + " an \"srq\"");
            return;
        }
        for (std::uint32_t n = 1; n < traffic_.queue_pairs; ++n) {
            const Endpoint from = Traffic::queue_pair(traffic_.from, n);
            const Endpoint to = Traffic::queue_pair(traffic_.to, n);
            const QueuePair* const qp = queue_pair(from, ".queue_pairs");
            const QueuePair* const peer_qp = queue_pair(to, ".queue_pairs");
            if (qp == nullptr || peer_qp == nullptr) {
                return;
            }
            const auto peer = peers_.find(from);
            if (peer == peers_.end() || peer->second != to) {
                wrong(".queue_pairs", from.text() + " is not connected to " + to.text());
                return;
            }
            if (qp->send_cq != first.send_cq) {
                wrong(".queue_pairs", from.text() + " has a different send_cq from " + traffic_.from.text());
                return;
            }
            if (takes_receives && (peer_qp->srq != first_peer.srq || peer_qp->receive_cq != first_peer.receive_cq)) {
                wrong(".queue_pairs", to.text() + " has a different srq or receive_cq from " + traffic_.to.text());
                return;
            }
        }
    }

    void check_sizes() {
        if (traffic_.sgl.empty() || !check_.is_sound(path_ + ".size") || !check_.is_sound(path_ + ".sgl")) {
            return;
        }
        Bytes sum;
        for (const Bytes size : traffic_.sgl) {
            sum += size;
        }
        for (const Bytes size : traffic_.sizes) {
            if (size != sum) {
                wrong(".sgl", "its entries add up to " + to_text(sum) + ", but the size is " + to_text(size));
                return;
            }
        }
    }

    void check_receiver(const QueuePair& to) {
        if (to.srq.empty() && traffic_.receives > to.rq.depth) {
            wrong(".receives", more(traffic_.receives, "rq.depth", traffic_.to, to.rq.depth));
        }
    }

    void check_sender(const QueuePair& from) {
        const Bytes largest = traffic_.largest();
        const std::size_t entries = std::max<std::size_t>(traffic_.sgl.size(), 1);
        if (traffic_.inlined) {
            if (largest.count > from.inline_max) {
                wrong(".inline", to_text(largest) + " are more than inline_max of " + traffic_.from.text() + ", " +
                                     std::to_string(from.inline_max));
            }
        } else if (entries > from.max_sge) {
            wrong(".sgl", std::to_string(entries) + " entries are more than max_sge of " + traffic_.from.text() + ", " +
                              std::to_string(from.max_sge));
        }
        // A slot of the send queue, and of the window, is free again with a completion of its request or a later one.
        const std::string why = "the generator would wait forever for a completion that no request asked for";
        if (traffic_.signal_every > from.sq.depth) {
            wrong(".signal_every", more(traffic_.signal_every, "sq.depth", traffic_.from, from.sq.depth), why);
        } else if (traffic_.signal_every > traffic_.window) {
            wrong(
                ".signal_every",
                std::to_string(traffic_.signal_every) + " is more than the window, " + std::to_string(traffic_.window),
                why);
        }
    }

    const Scenario& scenario_;
    const Traffic& traffic_;
    const Peers& peers_;
    QueuePairs& known_;
    const std::string path_;
    Checker& check_;
};

}  // namespace

void check_traffic(const Scenario& scenario, const Peers& peers, Checker& check) {
    QueuePairs known;
    for (const Traffic& traffic : scenario.traffic) {
        TrafficChecker(scenario, traffic, peers, known, check).check();
    }
}

}  // namespace ndsim::format
