// SPDX-License-Identifier: Apache-2.0
#include "scenarios/record/recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

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

// The accounts in order, and the length of each stay if its account has several.
void append_path(fmt::memory_buffer& row, const Ledger& ledger) {
    Picoseconds begun = ledger.begun;
    for (const Stay& stay : *ledger.path) {
        const auto account = static_cast<std::size_t>(stay.account);
        if (begun != ledger.begun) {
            row.push_back(' ');
        }
        row.append(account_names()[account]);
        if (stay.until - begun != ledger.accounts[account]) {
            row.push_back(':');
            row.append(fmt::format_int((stay.until - begun).count()));
        }
        begun = stay.until;
    }
}

// A full disk may cut a line in two.
void keep_whole_lines(const std::string& path) {
    std::error_code ignored;
    std::uintmax_t size = std::filesystem::file_size(path, ignored);
    std::ifstream file(path, std::ios::binary);
    while (size > 0 && file.seekg(static_cast<std::streamoff>(size - 1)) && file.get() != '\n') {
        --size;
    }
    std::filesystem::resize_file(path, size, ignored);
}

}  // namespace

std::string completions_head() {
    std::string head = "request,qp,operation,status,bytes,silent,begin_ps,end_ps,total_ps";
    for (const std::string_view account : account_names()) {
        head += fmt::format(",{}_ps", account);
    }
    return head + ",label,path";
}

Recorder::Recorder(const std::vector<std::string>& hosts) : hosts_(hosts), totals_(hosts.size()) {
    for (const std::string& host : hosts) {
        fates_.push_back({host, {}});
    }
}

Recorder::~Recorder() {
    (void)close_csv();
}

bool Recorder::open_csv(const std::string& path) {
    path_ = path;
    csv_ = std::fopen(path.c_str(), "w");
    if (csv_ == nullptr) {
        return false;
    }
    const std::string head = completions_head() + '\n';
    return std::fwrite(head.data(), 1, head.size(), csv_) == head.size();
}

bool Recorder::close_csv() {
    if (csv_ == nullptr) {
        return !csv_failed_;
    }
    csv_failed_ = (std::fclose(std::exchange(csv_, nullptr)) != 0) || csv_failed_;
    if (csv_failed_) {
        const int why = errno;
        keep_whole_lines(path_);
        errno = why;
    }
    return !csv_failed_;
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
    if (measuring_) {
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
    if (csv_ != nullptr && !csv_failed_) {
        write_row(host, request, name);
    }
}

void Recorder::write_row(HostId host, const core::Retired& request, const std::string& name) {
    const Ledger& ledger = *request.ledger;
    fmt::memory_buffer row;
    const auto out = std::back_inserter(row);
    fmt::format_to(out, "{}.{},{:#x},{},{},{},{},{},{},{}", hosts_[raw(host)], request.request, raw(request.qp),
                   name_of(request.kind), status_name(request.status), request.bytes, request.silent ? 1 : 0,
                   ledger.begun.count(), ledger.last.count(), ledger.total().count());
    for (const Picoseconds account : ledger.accounts) {
        row.push_back(',');
        row.append(fmt::format_int(account.count()));
    }
    fmt::format_to(out, ",{},", name);
    append_path(row, ledger);
    row.push_back('\n');
    csv_failed_ = std::fwrite(row.data(), 1, row.size(), csv_) != row.size();
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
