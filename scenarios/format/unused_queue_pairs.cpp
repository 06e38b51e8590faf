// SPDX-License-Identifier: Apache-2.0
#include "scenarios/format/unused_queue_pairs.hpp"

#include <set>
#include <string_view>

#include "scenarios/format/connections.hpp"
#include "scenarios/format/tree.hpp"
#include "sim/base/text.hpp"

namespace ndsim {

namespace {

// The completion queue that an operation names; empty: none.
std::string_view cq_of(const Op& op) {
    return std::visit(
        [](const auto& what) -> std::string_view {
            if constexpr (requires { what.cq; }) {
                return what.cq;
            } else {
                return {};
            }
        },
        op.what);
}

// The queue pair that an operation posts to, or whose connection it handles; empty: none.
std::string_view queue_pair_of(const Op& op) {
    return std::visit(
        [](const auto& what) -> std::string_view {
            if constexpr (requires { what.qp; }) {
                return what.qp;
            } else {
                return {};
            }
        },
        op.what);
}

// The queue pairs that programs post to, or whose connections they handle. Those of generators do not count.
std::set<Endpoint> used_queue_pairs(const Scenario& scenario) {
    std::set<Endpoint> used;
    for (const Host& host : scenario.hosts) {
        if (host.program) {
            for_each_op(host.program->ops, [&](const Op& op) {
                if (const std::string_view qp = queue_pair_of(op); !qp.empty()) {
                    used.insert({host.name, std::string(qp)});
                }
            });
        }
    }
    return used;
}

// Writes the hints of a scenario.
class HintWriter {
public:
    explicit HintWriter(const Scenario& scenario) : scenario_(scenario), used_(used_queue_pairs(scenario)) {}

    void look_at(const Host& host) {
        if (!host.program) {
            return;  // only a program names completion queues
        }
        std::vector<std::string> known;  // completion queues of other queue pairs
        std::vector<const QueuePair*> idle;
        for (const CompletionQueue& cq : host.cqs) {
            known.push_back(cq.name);
        }
        for (const QueuePair& qp : host.qps) {
            if (is_idle(host, qp)) {
                idle.push_back(&qp);
            } else {
                known.insert(known.end(), {qp.send_cq, qp.receive_cq});
            }
        }
        for (const QueuePair* const qp : idle) {
            if (!known.empty()) {
                look_for_use(host, *qp, known);
            }
        }
    }
    [[nodiscard]] std::vector<Hint> take() { return std::move(hints_); }

private:
    [[nodiscard]] bool is_idle(const Host& host, const QueuePair& qp) const {
        const Endpoint end{host.name, qp.name};
        return qp.is_implied && !used_.contains(end) && !used_.contains(peer_of(scenario_, end));
    }

    void look_for_use(const Host& host, const QueuePair& qp, const std::vector<std::string>& known) {
        bool is_first = true;
        for_each_op(host.program->ops, [&](const Op& op) {
            const std::string_view cq = cq_of(op);
            if (!cq.empty() && (cq == qp.send_cq || cq == qp.receive_cq) && is_first) {
                const auto meant = format::suggestion(cq, known);
                hints_.push_back({op.at, op.path,
                                  "nothing is ever posted to " + qp.name + ", which the file does not define; " +
                                      (meant ? "did you mean " + in_quotes(*meant) + "?"
                                             : "other completion queues are " + join(known, ", "))});
                is_first = false;
            }
        });
    }

    const Scenario& scenario_;
    const std::set<Endpoint> used_;
    std::vector<Hint> hints_;
};

}  // namespace

std::vector<Hint> hints_of(const Scenario& scenario) {
    HintWriter writer(scenario);
    for (const Host& host : scenario.hosts) {
        writer.look_at(host);
    }
    return writer.take();
}

}  // namespace ndsim
