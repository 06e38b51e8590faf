// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "models/ledger/ledger.hpp"
#include "models/ledger/stall.hpp"
#include "scenarios/format/traffic.hpp"
#include "scenarios/measure/metrics.hpp"
#include "scenarios/result/mean_ledger.hpp"
#include "sim/base/histogram.hpp"

namespace ndsim {

// A run's measurements as shares of the measured time, in parts per million.
class LimitShares {
public:
    static constexpr std::uint64_t kAll = 1'000'000;

    LimitShares(const Metrics& metrics, std::span<const MeanLedger> ledgers)
        : metrics_(metrics), ledgers_(ledgers), measured_(value_of("run.measured")) {}

    [[nodiscard]] std::optional<std::uint64_t> known(const std::string& name) const {
        const Metric* const metric = metrics_.find(name);
        return metric == nullptr ? std::nullopt : std::optional(metric->value);
    }
    [[nodiscard]] std::uint64_t value_of(const std::string& name) const { return known(name).value_or(0); }
    [[nodiscard]] std::uint64_t of(std::uint64_t time) const {
        return measured_ == 0 ? 0 : static_cast<std::uint64_t>(WideSum{time} * kAll / measured_);
    }
    // The share of a time that is a metric.
    [[nodiscard]] std::uint64_t of(const std::string& name) const { return of(value_of(name)); }
    // The share in which a work-queue engine waited for this.
    [[nodiscard]] std::uint64_t of(const std::string& engine, Stall stall) const {
        return of(engine + "." + std::string(kStallNames.at(static_cast<std::size_t>(stall))));
    }
    [[nodiscard]] std::uint64_t full(const std::string& pool) const { return value_of(pool + ".full"); }
    // A read of WQEs that leaves posted ones behind has the largest allowed size: a larger one would have brought more.
    // So the work-queue engine waited for such reads.
    [[nodiscard]] std::uint64_t of_cut_fetches(const std::string& engine) const {
        const std::uint64_t reads = value_of(engine + ".fetches");
        return reads == 0 ? 0 : of(engine + ".wqe_fetch") * value_of(engine + ".cut_fetches") / reads;
    }
    // The part of it for packets that were sent once. Work of a sender ahead of a NAK is in vain, and doing it faster
    // would not help.
    [[nodiscard]] std::uint64_t of_useful_cut_fetches(const std::string& nic) const {
        const std::uint64_t packets = value_of(nic + ".requester.packets");
        const std::uint64_t again = value_of(nic + ".requester.repeated");
        const std::uint64_t waits = of_cut_fetches(nic + ".wqe");
        return packets == 0 ? waits : waits * (packets - again) / packets;
    }

    // The part of the time of a generator's requests, from post to poll, for which packets had to be sent again.
    [[nodiscard]] std::uint64_t of_sending_again(const Traffic& traffic) const {
        const std::string_view operation = kTrafficOperationNames.at(static_cast<std::size_t>(traffic.operation));
        const std::string_view account = account_names()[static_cast<std::size_t>(Account::retransmit)];
        for (const MeanLedger& ledger : ledgers_) {
            for (const auto& [name, mean] : ledger.accounts) {
                if (ledger.host == traffic.from.host && ledger.operation == operation && name == account) {
                    return static_cast<std::uint64_t>(WideSum{kAll} * static_cast<std::uint64_t>(mean.count()) /
                                                      static_cast<std::uint64_t>(ledger.mean_total.count()));
                }
            }
        }
        return 0;
    }

private:
    const Metrics& metrics_;
    const std::span<const MeanLedger> ledgers_;
    std::uint64_t measured_;
};

}  // namespace ndsim
