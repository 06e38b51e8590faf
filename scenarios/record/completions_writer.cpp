// SPDX-License-Identifier: Apache-2.0
#include "scenarios/record/completions_writer.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <system_error>
#include <utility>

#include "scenarios/format/status_name.hpp"

namespace ndsim {

namespace {

// Enough for a thread to pay, and few enough to lose if a host program takes the process down.
constexpr std::size_t kBatch = 512;

// The accounts in order, and the length of each stay if its account has several.
void append_path(fmt::memory_buffer& text, const Ledger& ledger, std::span<const Stay> path) {
    Picoseconds begun = ledger.begun;
    for (const Stay& stay : path) {
        const auto account = static_cast<std::size_t>(stay.account);
        if (begun != ledger.begun) {
            text.push_back(' ');
        }
        text.append(account_names()[account]);
        if (stay.until - begun != ledger.accounts[account]) {
            text.push_back(':');
            text.append(fmt::format_int((stay.until - begun).count()));
        }
        begun = stay.until;
    }
}

// A full disk may cut a line in two.
void keep_whole_lines(const std::string& path) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) {
        return;
    }
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

std::optional<std::string> CompletionsWriter::open(std::string path) {
    path_ = std::move(path);
    file_ = std::fopen(path_.c_str(), "w");
    if (file_ == nullptr) {
        return path_ + ": " + std::strerror(errno);
    }
    const std::string head = completions_head() + '\n';
    error_ = std::fwrite(head.data(), 1, head.size(), file_) == head.size() ? 0 : errno;
    return std::nullopt;
}

void CompletionsWriter::add(HostId host, const core::Retired& request, const std::string& label) {
    const std::vector<Stay>& path = *request.ledger->path;
    filling_.stays.insert(filling_.stays.end(), path.begin(), path.end());
    filling_.rows.push_back({host, request, *request.ledger, label, filling_.stays.size()});
    if (filling_.rows.size() >= kBatch) {
        begin_to_write();
    }
}

void CompletionsWriter::begin_to_write() {
    finish_writing();
    std::swap(filling_, batch_);
    filling_.rows.clear();
    filling_.stays.clear();
    if (is_open()) {
        writing_ = std::async([this] { return write(batch_); });
    }
}

void CompletionsWriter::finish_writing() {
    if (writing_.valid()) {
        error_ = writing_.get();
    }
}

int CompletionsWriter::write(const Batch& batch) const {
    fmt::memory_buffer text;
    const auto out = std::back_inserter(text);
    auto stays = batch.stays.begin();
    for (const auto& [host, request, ledger, label, stays_end] : batch.rows) {
        fmt::format_to(out, "{}.{},{:#x},{},{},{},{},{},{},{}", hosts_[raw(host)], request.request, raw(request.qp),
                       name_of(request.kind), status_name(request.status), request.bytes, request.silent ? 1 : 0,
                       ledger.begun.count(), ledger.last.count(), ledger.total().count());
        for (const Picoseconds account : ledger.accounts) {
            text.push_back(',');
            text.append(fmt::format_int(account.count()));
        }
        fmt::format_to(out, ",{},", label);
        const auto end = batch.stays.begin() + static_cast<std::ptrdiff_t>(stays_end);
        append_path(text, ledger, {stays, end});
        stays = end;
        text.push_back('\n');
    }
    return std::fwrite(text.data(), 1, text.size(), file_) == text.size() ? 0 : errno;
}

std::optional<std::string> CompletionsWriter::close() {
    begin_to_write();
    finish_writing();
    if (file_ != nullptr && std::fclose(std::exchange(file_, nullptr)) != 0 && error_ == 0) {
        error_ = errno;
    }
    if (error_ == 0) {
        return std::nullopt;
    }
    keep_whole_lines(path_);
    return path_ + ": " + std::strerror(error_);
}

}  // namespace ndsim
