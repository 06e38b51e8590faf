// SPDX-License-Identifier: Apache-2.0
#include "scenarios/result/dead_connections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "ndapi/core/cq.hpp"
#include "ndapi/core/qp.hpp"
#include "scenarios/format/connections.hpp"
#include "scenarios/format/expected_failures.hpp"

namespace ndsim {

namespace {

// The name of the queue pair's completion queue that has overrun; empty: none.
std::string overrun_cq(const core::RegisteredQp& qp, const QueuePair& declared) {
    return qp.send_cq().has_failed()      ? declared.send_cq
           : qp.receive_cq().has_failed() ? declared.receive_cq
                                          : std::string();
}

}  // namespace

std::string_view sentence_of(WcStatus status) {
    switch (status) {
        case WcStatus::loc_len:
            return "a message was larger than its receive";
        case WcStatus::loc_access:
            return "a request of the peer used memory that it may not use";
        case WcStatus::loc_prot:
            return "a request used memory of its own host that it may not use";
        case WcStatus::mw_bind:
            return "a memory window could not be bound";
        case WcStatus::rem_access:
            return "a request used memory of the peer that it may not use";
        case WcStatus::rem_inv_req:
            return "the peer refused a request";
        case WcStatus::rem_op:
            return "the peer could not carry out a request";
        case WcStatus::retry_exceeded:
            return "the peer did not answer";
        case WcStatus::rnr_retry_exceeded:
            return "the peer had no receive posted";
        case WcStatus::invalidate_error:
            return "a key that the peer named could not be invalidated";
        case WcStatus::success:
        case WcStatus::loc_qp_op:
        case WcStatus::wr_flush:
        case WcStatus::bad_resp:
            break;
    }
    return "the NIC could not go on with it";
}

std::vector<DeadConnection> dead_connections(const Scenario& scenario,
                                             const std::vector<std::unique_ptr<HostSide>>& sides) {
    const ExpectedFailures expected(scenario);
    // A failed queue pair, and its host.
    struct Failed {
        HostSide* side = nullptr;
        core::QpFailure what;
    };
    std::vector<Failed> failures;
    for (const auto& side : sides) {
        for (const core::QpFailure& failure : side->driver().qp_failures()) {
            failures.push_back({side.get(), failure});
        }
    }
    std::ranges::stable_sort(failures, {}, [](const Failed& failed) { return failed.what.at; });
    std::vector<DeadConnection> dead;
    std::set<Endpoint> ended;  // queue pairs; the other end of each connection also fails, sooner or later
    for (const auto& [side, failure] : failures) {
        const QueuePair* const declared = side->declared(failure.qp);
        const core::RegisteredQp* const qp = side->driver().registry().find(failure.qp);
        if (declared == nullptr || qp == nullptr) {
            continue;  // made by a C++ program
        }
        const std::string& host = side->host().name;
        const Endpoint end{host, declared->name};
        const Endpoint peer = peer_of(scenario, end);
        if (!ended.insert(end).second) {
            continue;
        }
        ended.insert(peer);
        const std::string cq = overrun_cq(*qp, *declared);
        dead.push_back({end.text() + " to " + peer.text(), failure.at,
                        cq.empty() ? fmt::format("{} ({})", sentence_of(failure.why),
                                                 kWcStatusNames.at(static_cast<std::size_t>(failure.why)))
                                   : fmt::format("completion queue {}.{} overran", host, cq),
                        expected.of(end) || expected.of(peer)});
    }
    return dead;
}

}  // namespace ndsim
