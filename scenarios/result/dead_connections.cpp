// SPDX-License-Identifier: Apache-2.0
#include "scenarios/result/dead_connections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "ndapi/core/cq.hpp"
#include "ndapi/core/qp.hpp"
#include "scenarios/format/connections.hpp"
#include "scenarios/format/expected_failures.hpp"
#include "scenarios/format/status_name.hpp"

namespace ndsim {

namespace {

// A queue pair that has ended by an error.
struct Ended {
    Endpoint end;
    Picoseconds at{};
    std::string why;
    bool of_program = false;
};

// `declared`: the queue pair in the scenario, if it is there.
std::string reason_of(HostSide& side, const QueuePair* declared, const core::QpFailure& failure) {
    const core::Qp* const qp = side.driver().registry().find(failure.qp);
    if (qp != nullptr && failure.may_be_by_overrun()) {
        for (const auto& [number, name] :
             {std::pair(qp->send_cq(), &QueuePair::send_cq), {qp->receive_cq(), &QueuePair::receive_cq}}) {
            const core::Cq* const cq = side.driver().registry().find(number);
            if (cq != nullptr && cq->has_failed()) {
                return declared == nullptr
                           ? "a completion queue overran"
                           : fmt::format("completion queue {}.{} overran", side.host().name, declared->*name);
            }
        }
    }
    return fmt::format("{} ({})", sentence_of(failure.why), kWcStatusNames.at(static_cast<std::size_t>(failure.why)));
}

void add_ended(HostSide& side, bool has_program, std::vector<Ended>& ended) {
    const std::string& host = side.host().name;
    for (const core::QpFailure& failure : side.driver().qp_failures()) {
        const QueuePair* const declared = side.declared(failure.qp);
        if (declared != nullptr || has_program) {
            const std::string name = declared != nullptr ? declared->name : fmt::format("{:#x}", raw(failure.qp));
            ended.push_back({{host, name}, failure.at, reason_of(side, declared, failure), declared == nullptr});
        }
    }
}

// So too where the status comes from a poll. Cancelled requests follow from another failure, or from a flush.
void add_polled(const std::vector<std::unique_ptr<HostSide>>& sides, const StatusLog& statuses,
                std::vector<Ended>& ended) {
    for (const GivenStatus& given : statuses.kept()) {
        const HostSide& side = *sides[raw(given.host)];
        const bool is_completion = given.qp != QpNum{};
        const bool is_failure = given.status != STATUS_SUCCESS && given.status != STATUS_CANCELLED;
        if (const QueuePair* const declared = side.declared(given.qp);
            is_completion && is_failure && declared != nullptr) {
            ended.push_back({{side.host().name, declared->name},
                             given.when.end,
                             fmt::format("{} completed with {}", given.request, status_name(given.status)),
                             false});
        }
    }
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
            return "packets were lost, or not answered in time, until no retry was left";
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
                                             const std::vector<std::unique_ptr<HostSide>>& sides,
                                             const HasProgram& has_program, const StatusLog& statuses) {
    const ExpectedFailures expected(scenario);
    std::vector<Ended> ended;
    for (const auto& side : sides) {
        add_ended(*side, has_program(side->host().name), ended);
    }
    std::ranges::stable_sort(ended, {}, &Ended::at);
    add_polled(sides, statuses, ended);
    std::vector<DeadConnection> dead;
    std::set<Endpoint> seen;  // the other end of each connection also fails, sooner or later
    for (const Ended& one : ended) {
        if (one.of_program) {
            dead.push_back({one.end.text(), one.at, one.why, true, true});
            continue;
        }
        const Endpoint peer = peer_of(scenario, one.end);
        if (seen.insert(one.end).second) {
            seen.insert(peer);
            dead.push_back({one.end.text() + " to " + peer.text(), one.at, one.why,
                            expected.of(one.end) || expected.of(peer), false});
        }
    }
    return dead;
}

}  // namespace ndsim
