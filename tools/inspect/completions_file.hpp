// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "models/ledger/ledger.hpp"

namespace ndsim::inspect {

// One line of completions.csv.
struct Completion {
    std::string request;    // A.12
    std::string qp;         // 0x11
    std::string operation;  // send, receive ...
    std::string status;
    std::uint64_t bytes = 0;
    bool silent = false;
    Picoseconds begun{};
    Picoseconds ended{};
    std::array<Picoseconds, kAccounts> accounts{};
    std::string label;  // A.s1, or nothing
    std::string path;
    friend bool operator==(const Completion&, const Completion&) = default;

    [[nodiscard]] std::string host() const { return request.substr(0, request.find('.')); }
    [[nodiscard]] std::uint64_t number() const;
    [[nodiscard]] Picoseconds total() const { return ended - begun; }
};

// The row's stays in time order, from its path and accounts; UsageError if they contradict each other.
[[nodiscard]] std::vector<Stay> stays_of(const Completion& row);

// CompletionsFile: reads completions.csv line by line, of any length. UsageError with the line's number if the format
// is not this version's, or if lines are missing at the end.
class CompletionsFile {
public:
    // `lines`: as many as the run has written.
    CompletionsFile(std::string path, std::uint64_t lines);

    // The next line, read into `row`; false at the end. Reuses the row's memory.
    [[nodiscard]] bool next(Completion& row);
    // The same in two steps: read the next line, and parse it.
    [[nodiscard]] bool next_line();
    [[nodiscard]] const std::string& line() const { return line_; }
    void parse(Completion& row) const;

private:
    std::string path_;
    std::vector<char> buffer_;
    std::ifstream file_;
    std::string line_;
    std::uint64_t number_ = 0;
    const std::uint64_t lines_;
};

}  // namespace ndsim::inspect
