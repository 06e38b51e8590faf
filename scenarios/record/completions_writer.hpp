// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <future>
#include <optional>
#include <string>
#include <vector>

#include "models/ledger/ledger.hpp"
#include "ndapi/core/request_book.hpp"

namespace ndsim {

// The first line of completions.csv.
[[nodiscard]] std::string completions_head();

// CompletionsWriter: writes completions.csv, a line for each request that has ended, with its ledger. A thread of its
// own, if there can be one, makes and writes the lines while the simulation goes on. A failed write ends the file with
// its last whole line.
class CompletionsWriter {
public:
    explicit CompletionsWriter(std::vector<std::string> hosts) : hosts_(std::move(hosts)) {}
    CompletionsWriter(const CompletionsWriter&) = delete;
    CompletionsWriter& operator=(const CompletionsWriter&) = delete;
    ~CompletionsWriter() { static_cast<void>(close()); }

    // Starts the file; returns why it cannot be created. Ledgers need paths from now on.
    [[nodiscard]] std::optional<std::string> open(std::string path);
    // Whether it takes lines.
    [[nodiscard]] bool is_open() const { return file_ != nullptr && error_ == 0; }
    // A request has ended; `label` is its name in the scenario, if it has one.
    void add(HostId host, const core::Retired& request, const std::string& label);
    // Writes what is left, and closes the file; returns why it is incomplete, if it is.
    [[nodiscard]] std::optional<std::string> close();

private:
    // A line's facts. The ledger's own path is no longer valid: its stays are in the batch.
    struct Row {
        HostId host{};
        core::Retired request;
        Ledger ledger;
        std::string label;
        std::size_t stays_end = 0;
    };
    // Lines that are written together, and the stays of all of them.
    struct Batch {
        std::vector<Row> rows;
        std::vector<Stay> stays;
    };

    void begin_to_write();
    void finish_writing();
    [[nodiscard]] int write(const Batch& batch) const;  // the error's number, or 0

    const std::vector<std::string> hosts_;
    std::string path_;
    std::FILE* file_ = nullptr;
    int error_ = 0;
    Batch filling_;
    Batch batch_;  // being written
    std::future<int> writing_;
};

}  // namespace ndsim
