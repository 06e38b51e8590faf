// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/record/call_log.hpp"
#include "scenarios/run/run.hpp"
#include "scenarios/run/software.hpp"
#include "scenarios/world/world.hpp"

namespace ndsim::forecast {

// The calls of a queue pair that its interface has accepted, in their order.
struct AcceptedCalls {
    std::vector<const Call*> sends;
    std::vector<const Call*> receives;
};

// The label of a post or a step of a connection; may be empty.
[[nodiscard]] std::string label_of(const Op& op);
// The queue of a post or a step of a connection, "A.q0"; empty for other operations.
[[nodiscard]] std::string queue_of(const Host& host, const Op& op);
// Whether its request has not succeeded; and whether for another reason than that it was cancelled.
[[nodiscard]] bool has_failed(const Call* call);
[[nodiscard]] bool has_broken(const Call* call);
// The status of a completion for the program that posted its request.
[[nodiscard]] NTSTATUS status_of(const Scenario& scenario, const Host& host, WcStatus status, PostKind kind);

// Remains: a run as it has ended, and its calls by queue pair.
class Remains {
public:
    Remains(const Scenario& scenario, World& world, const Software& software, const RunResult& result, CallLog& log);

    [[nodiscard]] const Scenario& scenario() const { return scenario_; }
    [[nodiscard]] World& world() const { return world_; }
    [[nodiscard]] const Software& software() const { return software_; }
    [[nodiscard]] const RunResult& result() const { return result_; }
    // Whether the run was cut off, since its programs did too much.
    [[nodiscard]] bool is_cut() const { return log_.is_full() || result_.outcome == RunOutcome::item_limit; }

    [[nodiscard]] const std::vector<Call>& calls(std::size_t host) const { return log_.calls(id(host)); }
    [[nodiscard]] std::uint64_t polled(std::size_t host, const std::string& cq) const {
        return log_.polled(id(host), cq);
    }
    [[nodiscard]] const AcceptedCalls& accepted(const Endpoint& qp) const;
    // Null for a socket without a connection.
    [[nodiscard]] core::Qp* qp_at(const Endpoint& qp) const;
    // A completion queue of the same host; null: it is gone.
    [[nodiscard]] const core::Cq* cq_at(const Endpoint& qp, CqNum number) const;
    // Why the NIC has failed a queue pair; none: it has not.
    [[nodiscard]] std::optional<core::QpFailure> failure_of(const Endpoint& qp) const;
    // The same for the two ends of a connection: the earlier failure.
    [[nodiscard]] std::optional<core::QpFailure> failure_of_connection(const Endpoint& qp) const;
    // "A.s[2]", or the request's number among those of its operation, and where that is.
    [[nodiscard]] std::string name_of(std::size_t host, const Call& call) const;
    [[nodiscard]] std::size_t index_of(std::string_view host) const;

private:
    [[nodiscard]] static HostId id(std::size_t host) { return HostId{static_cast<std::uint16_t>(host)}; }
    void note_unpolled(const Endpoint& end, std::size_t host);

    const Scenario& scenario_;
    World& world_;
    const Software& software_;
    const RunResult& result_;
    CallLog& log_;
    std::map<Endpoint, AcceptedCalls> accepted_;
};

}  // namespace ndsim::forecast
