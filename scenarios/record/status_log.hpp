// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ndapi/windows/abi/ntstatus.h"
#include "sim/base/exact_rate.hpp"
#include "sim/base/ids.hpp"

namespace ndsim {

// A status that software got: that of a completion from a poll, or that of a call which returned.
struct GivenStatus {
    std::string request;    // A.s1 or A.12; of a call without a label its place, programs.A[3]
    std::string operation;  // send, connect ...
    HostId host{};
    std::string queue;  // A.q0; of a completion only name_queues() sets it
    QpNum qp{};         // of a completion
    Interval when{};    // from the post or the call until software had the status
    NTSTATUS status = STATUS_SUCCESS;
    std::optional<std::uint32_t> bytes{};
};

// StatusLog: which statuses software got, in which order. It counts all, and keeps the first ones and the first that
// are no successes.
class StatusLog {
public:
    static constexpr std::size_t kMost = 32;  // fit on a screen

    // Counts a status; returns whether add() must follow.
    [[nodiscard]] bool count(NTSTATUS status) {
        ++all_;
        failed_ += status == STATUS_SUCCESS ? 0 : 1;
        return all_ <= kMost || (status != STATUS_SUCCESS && failed_ <= kMost);
    }
    void add(GivenStatus given) { kept_.push_back(std::move(given)); }
    // Names the queue pairs of completions.
    void name_queues(const std::function<std::string(HostId, QpNum)>& name_of);

    [[nodiscard]] std::uint64_t all() const { return all_; }
    [[nodiscard]] std::uint64_t failed() const { return failed_; }
    // Whether all are kept.
    [[nodiscard]] bool is_whole() const { return all_ <= kMost; }
    // All, or the first that are no successes; in the order in which software got them.
    [[nodiscard]] std::vector<GivenStatus> kept() const;

private:
    std::uint64_t all_ = 0;
    std::uint64_t failed_ = 0;
    std::vector<GivenStatus> kept_;
};

}  // namespace ndsim
