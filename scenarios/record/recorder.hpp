// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ndapi/core/driver.hpp"
#include "scenarios/record/completions_writer.hpp"
#include "scenarios/record/fates.hpp"
#include "scenarios/record/status_log.hpp"
#include "sim/base/exact_rate.hpp"
#include "sim/base/histogram.hpp"

namespace ndsim {

// The fate of a request that an expectation may name.
struct LabelledRequest {
    std::string name;  // "A.s1"
    RequestId id;      // number 0: refused, or no request of a queue
    Picoseconds posted{};
    std::optional<Picoseconds> returned;  // by a poll
    NTSTATUS status = 0;
    std::uint32_t bytes = 0;
    std::uint64_t order = 0;  // among all completions of the run
    bool silent = false;
    bool is_receive = false;  // known when it has ended
};

// A request from its post to its poll.
struct SlowRequest {
    RequestId id;
    Interval when;
};

// Sums over requests of one kind on one host.
struct LedgerTotals {
    std::uint64_t requests = 0;
    std::array<WideSum, kAccounts> accounts{};
    std::array<Picoseconds, kAccounts> longest{};  // the longest of one request in each account
    WideSum total = 0;
    Histogram latency;
};

// Recorder: hears of every request that ends. It keeps the ledgers' sums, passes requests on to completions.csv and to
// the log of statuses, and remembers those that expectations name.
class Recorder final : public core::RequestObserver {
public:
    Recorder(const std::vector<std::string>& hosts);

    // completions.csv, once it is open.
    [[nodiscard]] CompletionsWriter& completions_file() { return completions_file_; }

    // A request was posted under a name; a refused one has number 0, and ends with the status of the refusal.
    void label(HostId host, std::uint32_t request, const std::string& name, Picoseconds posted, NTSTATUS status);
    // An action that is no request of a queue, such as a disconnect, has ended now.
    void ended(const std::string& name, Interval when, NTSTATUS status, std::uint32_t bytes = 0);
    // The requests of this host are its provider's, and software gets no status of them.
    void has_hidden_requests(HostId host) { hidden_[raw(host)] = true; }
    // A generator uses this queue pair beside programs, whose statuses its successes must not crowd out.
    void has_generator(HostId host, QpNum qp) { of_generators_.emplace(host, qp); }
    void retired(HostId host, const core::Retired& request) override;
    // From now on sums are kept; earlier ones belong to the warm-up.
    void start_measuring();
    // From now on no sums are kept, or only those of requests that began before `end`.
    void stop_measuring() { begin_before_ = Picoseconds::min(); }
    void measure_those_begun_before(Picoseconds end) { begin_before_ = std::min(begin_before_, end); }

    [[nodiscard]] const std::vector<std::string>& hosts() const { return hosts_; }
    [[nodiscard]] const LedgerTotals& totals(std::size_t host, OperationKind kind) const;
    [[nodiscard]] const std::map<std::string, LabelledRequest>& labelled() const { return labelled_; }
    [[nodiscard]] std::uint64_t completions() const { return completions_; }
    // Fates of ended requests, in the order of the hosts.
    [[nodiscard]] const std::vector<Fates>& fates() const { return fates_; }
    // Statuses of completions; programs add those of their calls.
    [[nodiscard]] StatusLog& statuses() { return statuses_; }
    // The slowest completed request that is no receive, the first of them if several took as long.
    [[nodiscard]] std::optional<SlowRequest> slowest() const { return slowest_; }

private:
    void add(HostId host, const core::Retired& request);
    [[nodiscard]] bool shows_status(HostId host, const core::Retired& request) const;
    void log_status(HostId host, const core::Retired& request, const std::string& name);

    const std::vector<std::string> hosts_;
    std::vector<Fates> fates_;
    std::vector<std::array<LedgerTotals, kOperationKindNames.size()>> totals_;  // per host
    std::map<std::string, LabelledRequest> labelled_;
    std::map<std::pair<std::uint16_t, std::uint32_t>, std::string> names_;  // of requests under way
    Picoseconds begin_before_ = Picoseconds::max();
    std::uint64_t completions_ = 0;
    std::uint64_t ends_ = 0;  // completions and other ends
    std::optional<SlowRequest> slowest_;
    StatusLog statuses_;
    std::vector<bool> hidden_;  // per host: has_hidden_requests
    std::set<std::pair<HostId, QpNum>> of_generators_;
    CompletionsWriter completions_file_;
};

}  // namespace ndsim
