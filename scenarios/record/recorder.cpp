// SPDX-License-Identifier: Apache-2.0
#include "scenarios/record/recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace ndsim {

namespace {

std::size_t index_of(OperationKind kind) {
    return static_cast<std::size_t>(kind);
}

Fate fate_of(const core::Retired& request) {
    return request.silent                       ? Fate::silent
           : request.status == STATUS_SUCCESS   ? Fate::succeeded
           : request.status == STATUS_CANCELLED ? Fate::flushed
                                                : Fate::failed;
}

}  // namespace

Recorder::Recorder(const std::vector<std::string>& hosts)
    : hosts_(hosts), totals_(hosts.size()), hidden_(hosts.size()), completions_file_(hosts) {
    for (const std::string& host : hosts) {
        fates_.push_back({host, {}});
    }
}

void Recorder::label(HostId host, std::uint32_t request, const std::string& name, Picoseconds posted, NTSTATUS status) {
    labelled_[name] = {name, {host, request}, posted, std::nullopt, status, 0, 0, false};
    if (request != 0) {
        names_[{raw(host), request}] = name;
    }
}

void Recorder::ended(const std::string& name, Interval when, NTSTATUS status, std::uint32_t bytes) {
    labelled_[name] = {name, {}, when.start, when.end, status, bytes, ++ends_, false};
}

// Adds the request to the sums.
void Recorder::add(HostId host, const core::Retired& request) {
    const Ledger& ledger = *request.ledger;
    LedgerTotals& totals = totals_[raw(host)][index_of(request.kind)];
    ++totals.requests;
    for (std::uint32_t charged = ledger.charged; charged != 0; charged &= charged - 1) {
        const auto account = static_cast<std::size_t>(std::countr_zero(charged));
        totals.accounts[account] += static_cast<WideSum>(ledger.accounts[account].count());
        totals.longest[account] = std::max(totals.longest[account], ledger.accounts[account]);
    }
    totals.total += static_cast<WideSum>(ledger.total().count());
    totals.latency.record(ledger.total());
}

void Recorder::retired(HostId host, const core::Retired& request) {
    ++completions_;
    ++ends_;
    ++fates_[raw(host)][fate_of(request)];
    const Ledger& ledger = *request.ledger;
    const bool is_receive = request.kind == OperationKind::receive;
    if (!is_receive && (!slowest_ || ledger.total() > slowest_->when.end - slowest_->when.start)) {
        slowest_ = SlowRequest{{host, request.request}, {ledger.begun, ledger.last}};
    }
    if (ledger.begun < begin_before_) {
        add(host, request);
    }
    std::string name;
    if (!names_.empty()) {
        const auto found = names_.find({raw(host), request.request});
        if (found != names_.end()) {
            LabelledRequest& labelled = labelled_.at(found->second);
            labelled.returned = ledger.last;
            labelled.status = request.status;
            labelled.bytes = request.bytes;
            labelled.order = ends_;
            labelled.silent = request.silent;
            labelled.is_receive = is_receive;
            name = std::move(found->second);
            names_.erase(found);
        }
    }
    if (shows_status(host, request) && statuses_.count(request.status)) {
        log_status(host, request, name);
    }
    if (completions_file_.is_open()) {
        completions_file_.add(host, request, name);
    }
}

bool Recorder::shows_status(HostId host, const core::Retired& request) const {
    const bool is_of_generator = !of_generators_.empty() && of_generators_.contains({host, request.qp});
    return !request.silent && !hidden_[raw(host)] && !(is_of_generator && request.status == STATUS_SUCCESS);
}

void Recorder::log_status(HostId host, const core::Retired& request, const std::string& name) {
    const bool has_bytes = request.kind == OperationKind::receive && request.status == STATUS_SUCCESS;
    statuses_.add({name.empty() ? fmt::format("{}.{}", hosts_[raw(host)], request.request) : name,
                   std::string(name_of(request.kind)), host, "", request.qp,
                   Interval{request.ledger->begun, request.ledger->last}, request.status,
                   has_bytes ? std::optional(request.bytes) : std::nullopt});
}

void Recorder::start_measuring() {
    for (auto& kinds : totals_) {
        kinds = {};
    }
}

const LedgerTotals& Recorder::totals(std::size_t host, OperationKind kind) const {
    return totals_[host][index_of(kind)];
}

}  // namespace ndsim
