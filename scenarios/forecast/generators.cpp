// SPDX-License-Identifier: Apache-2.0
#include "scenarios/forecast/generators.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "models/proto/rnr_timer.hpp"
#include "ndapi/core/status.hpp"
#include "ndapi/windows/abi/ntstatus.h"
#include "scenarios/format/connections.hpp"
#include "scenarios/format/shared_receives.hpp"
#include "scenarios/format/status_name.hpp"

namespace ndsim::forecast {

namespace {

constexpr std::uint32_t kAnyNumber = 7;  // of RNR NAKs [X23]

// A host and a queue pair of a generator.
struct End {
    const Host* host = nullptr;
    const QueuePair* qp = nullptr;
};
End end_of(const Scenario& scenario, const Endpoint& end) {
    return {&host_at(scenario, end), &queue_pair_at(scenario, end)};
}

Foreseen said_of(const Traffic& traffic, Certainty certainty, ForeseenKind kind, std::string what, std::string advice) {
    Foreseen said{.certainty = certainty, .kind = kind, .at = traffic.at};
    said.path = "traffic." + traffic.name;
    said.queue = traffic.from.text();
    said.what = std::move(what);
    said.advice = std::move(advice);
    return said;
}

// The most messages that can be outstanding at a time.
std::uint64_t outstanding(const Scenario& scenario, const Traffic& traffic) {
    std::uint64_t slots = 0;
    for (std::uint32_t n = 0; n < traffic.queue_pairs; ++n) {
        slots += end_of(scenario, Traffic::queue_pair(traffic.from, n)).qp->sq.depth;
    }
    return std::min({std::uint64_t{traffic.window}, slots, traffic.count});
}

std::uint64_t receives_ahead(const Scenario& scenario, const Traffic& traffic) {
    const std::uint64_t depth = end_of(scenario, traffic.to).qp->rq.depth;
    return std::min(traffic.receives != 0 ? std::uint64_t{traffic.receives} : depth, traffic.count);
}

// Checks all generators.
class GeneratorForecast {
public:
    explicit GeneratorForecast(const Scenario& scenario) : scenario_(scenario) {}

    std::vector<Foreseen> run() {
        for (const Traffic& traffic : scenario_.traffic) {
            check_reads(traffic);
            check_receives(traffic);
            count_completions(traffic);
        }
        check_queues();
        return std::move(foreseen_);
    }

private:
    void check_reads(const Traffic& traffic) {
        const End from = end_of(scenario_, traffic.from);
        const End to = end_of(scenario_, traffic.to);
        if (traffic.operation != TrafficOperation::read ||
            std::min(from.qp->outbound_reads, to.qp->inbound_reads) > 0) {
            return;
        }
        Foreseen said =
            said_of(traffic, Certainty::will, ForeseenKind::refused,
                    "its first Read will be refused with " + status_name(STATUS_INVALID_DEVICE_REQUEST) +
                        ": the two ends have agreed on no Reads",
                    "outbound_reads of " + traffic.from.text() + " and inbound_reads of " + traffic.to.text());
        said.statuses = {status_name(STATUS_INVALID_DEVICE_REQUEST)};
        foreseen_.push_back(std::move(said));
    }

    // Without credits only the receiver's pace keeps the sender from sending more messages than there are receives. For
    // those of a shared queue it tries again without end.
    void check_receives(const Traffic& traffic) {
        const QueueParams& queues = end_of(scenario_, traffic.to).host->node.nic.queues;
        const bool terminates = effective(queues.overflow, scenario_.profile) == Overflow::terminate;
        if (traffic.operation != TrafficOperation::send || traffic.credits || !traffic.srq.name.empty() ||
            (!terminates && queues.rnr_retry == kAnyNumber)) {
            return;
        }
        const std::uint64_t window = outstanding(scenario_, traffic);
        const std::uint64_t receives = receives_ahead(scenario_, traffic);
        // Receives of a batch that is not complete; fewer receives make smaller batches.
        const auto held_of = [&](std::uint64_t posted) {
            return std::clamp<std::uint64_t>(posted, 1, traffic.repost_batch) - 1;
        };
        const auto enough_of = [&](std::uint64_t posted) {
            return std::min<std::uint64_t>(window + held_of(posted), traffic.count);
        };
        if (receives >= enough_of(receives)) {
            return;
        }
        const std::uint64_t held = held_of(receives);
        const std::string in_batch =
            held == 0 ? "" : " and up to " + std::to_string(held) + " of them wait for the rest of their batch";
        const std::string status =
            status_name(completion_status(scenario_.profile, WcStatus::rnr_retry_exceeded, OperationKind::send));
        Foreseen said = said_of(traffic, Certainty::may, ForeseenKind::fails,
                                "message " + std::to_string(receives + 1) + " may fail with " + status + ": " +
                                    std::to_string(receives) + " receives are posted ahead" + in_batch +
                                    ", the window is " + std::to_string(window) + ", and there are no credits",
                                "raise receives or rq.depth of " + traffic.to.text() + " to " +
                                    std::to_string(enough_of(UINT64_MAX)) + ", or leave credits on");
        said.statuses = {status};
        foreseen_.push_back(std::move(said));
    }

    void count_completions(const Traffic& traffic) {
        const End from = end_of(scenario_, traffic.from);
        const End to = end_of(scenario_, traffic.to);
        add(*from.host, from.qp->send_cq, ceil_div(outstanding(scenario_, traffic), traffic.signal_every), traffic);
        if (traffic.operation == TrafficOperation::send) {
            add(*to.host, to.qp->receive_cq, messages_at(traffic), traffic);
        }
    }
    // The most receives that can wait to be polled from its queue, beside those of generators before it. Each receive
    // of a shared queue can.
    [[nodiscard]] std::uint64_t messages_at(const Traffic& traffic) {
        if (traffic.srq.name.empty()) {
            return receives_ahead(scenario_, traffic);
        }
        const End to = end_of(scenario_, traffic.to);
        const bool is_first = counted_.insert({to.host->name, traffic.srq.name, to.qp->receive_cq}).second;
        return is_first ? SharedReceives(scenario_, *to.host, traffic.srq.name).ahead() : 0;
    }
    void add(const Host& host, const std::string& cq, std::uint64_t completions, const Traffic& traffic) {
        Queue& queue = queues_[{host.name, cq}];
        queue.host = &host;
        queue.completions += completions;
        queue.last = &traffic;
    }

    void check_queues() {
        for (const auto& [name, queue] : queues_) {
            const std::uint32_t depth = cq_depth(*queue.host, name.second);
            if (queue.completions <= depth) {
                continue;
            }
            const bool is_declared =
                std::ranges::find(queue.host->cqs, name.second, &CompletionQueue::name) != queue.host->cqs.end();
            const std::string where =
                "hosts." + name.first + (is_declared ? ".cqs." + name.second : std::string(".nic.cq")) + ".depth";
            foreseen_.push_back(said_of(
                *queue.last, Certainty::may, ForeseenKind::overruns,
                "completion queue " + name.first + "." + name.second + " may overrun: up to " +
                    std::to_string(queue.completions) + " completions may wait in it, and it holds " +
                    std::to_string(depth),
                "raise " + where + " from " + std::to_string(depth) + " to " + std::to_string(queue.completions)));
        }
    }

    // A completion queue that generators use.
    struct Queue {
        const Host* host = nullptr;
        std::uint64_t completions = 0;
        const Traffic* last = nullptr;
    };

    const Scenario& scenario_;
    std::map<std::pair<std::string, std::string>, Queue> queues_;  // by host and name
    std::set<std::array<std::string, 3>> counted_;                 // host, shared receive queue and completion queue
    std::vector<Foreseen> foreseen_;
};

}  // namespace

std::vector<Foreseen> foresee_generators(const Scenario& scenario) {
    return GeneratorForecast(scenario).run();
}

}  // namespace ndsim::forecast
