// SPDX-License-Identifier: Apache-2.0
#include "tools/inspect/completions_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <optional>
#include <system_error>

#include "scenarios/record/recorder.hpp"
#include "sim/base/counted.hpp"
#include "tools/cli/failure.hpp"

namespace ndsim::inspect {

namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 20U;

// Takes the part before the next separator off a text.
std::string_view take(std::string_view& text, char separator) {
    const std::size_t end = text.find(separator);
    const std::string_view part = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    return part;
}

template <class Number>
std::optional<Number> number_of(std::string_view text) {
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

std::optional<Picoseconds> time_of(std::string_view text) {
    const auto count = number_of<std::int64_t>(text);
    return count ? std::optional(Picoseconds{*count}) : std::nullopt;
}

}  // namespace

std::uint64_t Completion::number() const {
    return number_of<std::uint64_t>(std::string_view(request).substr(request.find('.') + 1)).value_or(0);
}

CompletionsFile::CompletionsFile(std::string path, std::uint64_t lines)
    : path_(std::move(path)), buffer_(kBuffer), lines_(lines) {
    file_.rdbuf()->pubsetbuf(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    errno = 0;
    file_.open(path_, std::ios::binary);
    if (!file_) {
        throw cli::UsageError(path_ + ": " + std::generic_category().message(errno));
    }
    if (!next_line() || line_ != completions_head()) {
        throw cli::UsageError(path_ +
                              ": the columns are not those that this version of ndsim writes; run the scenario again");
    }
}

bool CompletionsFile::next_line() {
    if (std::getline(file_, line_)) {
        ++number_;
        return true;
    }
    if (number_ > 0 && number_ - 1 != lines_) {  // without the heading
        throw cli::UsageError(fmt::format("{}: it has {}, and the run had {}; the file is cut off, or of another run",
                                          path_, counted(number_ - 1, "request"), lines_));
    }
    return false;
}

bool CompletionsFile::next(Completion& row) {
    if (!next_line()) {
        return false;
    }
    parse(row);
    return true;
}

void CompletionsFile::parse(Completion& row) const {
    std::string_view rest = line_;
    for (std::string* const text : {&row.request, &row.qp, &row.operation, &row.status}) {
        *text = take(rest, ',');
    }
    const auto bytes = number_of<std::uint64_t>(take(rest, ','));
    row.silent = take(rest, ',') == "1";
    const auto begun = time_of(take(rest, ','));
    const auto ended = time_of(take(rest, ','));
    const auto total = time_of(take(rest, ','));
    Picoseconds sum{};
    bool whole = true;
    for (Picoseconds& account : row.accounts) {
        const auto time = time_of(take(rest, ','));
        whole = whole && time;
        account = time.value_or(Picoseconds{});
        sum += account;
    }
    row.label = take(rest, ',');
    row.path = take(rest, ',');
    if (!whole || !bytes || !begun || !ended || !total || sum != *total || *ended - *begun != *total) {
        throw cli::UsageError(
            fmt::format("{}:{}: expected a request whose accounts add up to its total; the line is damaged or cut off",
                        path_, number_));
    }
    row.bytes = *bytes;
    row.begun = *begun;
    row.ended = *ended;
}

std::vector<Stay> stays_of(const Completion& row) {
    std::vector<Stay> stays;
    std::string_view rest = row.path;
    Picoseconds until = row.begun;
    while (!rest.empty()) {
        std::string_view took = take(rest, ' ');
        const auto names = account_names();
        const auto name = std::ranges::find(names, take(took, ':'));
        if (name == names.end()) {
            throw cli::UsageError(fmt::format("{}: its path names an unknown account: {}", row.request, row.path));
        }
        const auto account = static_cast<std::size_t>(name - names.begin());
        until += took.empty() ? row.accounts[account] : time_of(took).value_or(Picoseconds{});
        stays.push_back({static_cast<Account>(account), until});
    }
    if (until != row.ended) {
        throw cli::UsageError(
            fmt::format("{}: the times of its path do not add up to its life: {}", row.request, row.path));
    }
    return stays;
}

}  // namespace ndsim::inspect
