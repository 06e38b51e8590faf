// SPDX-License-Identifier: Apache-2.0
#include "scenarios/result/report.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "scenarios/result/engine_report.hpp"
#include "scenarios/result/pool_report.hpp"
#include "scenarios/world/world.hpp"
#include "sim/kernel/state_times.hpp"

namespace ndsim {

namespace {

// Adds a unit's figures under its name.
class UnitReport final : public StatSink {
public:
    UnitReport(Metrics& metrics, std::string unit) : metrics_(metrics), unit_(std::move(unit)) {}
    void add(std::string_view name, std::uint64_t value, StatUnit unit, std::string_view sentence) override {
        metrics_.add(fmt::format("{}.{}", unit_, name), value, quantity_of(unit), sentence);
    }

private:
    static std::optional<Quantity> quantity_of(StatUnit unit) {
        switch (unit) {
            case StatUnit::count:
                return std::nullopt;
            case StatUnit::bytes:
                return Quantity::size;
            case StatUnit::picoseconds:
                return Quantity::time;
            case StatUnit::ppm:
                return Quantity::fraction;
        }
        return std::nullopt;
    }

    Metrics& metrics_;
    std::string unit_;
};

void add_times(Metrics& metrics, const Unit& unit, const StateTimes& times) {
    for (std::size_t i = 0; i < times.names().size(); ++i) {
        if (!times.sentences()[i].empty()) {
            metrics.add_time(fmt::format("{}.{}", unit.name(), times.names()[i]), times.spent(i), times.sentences()[i]);
        }
    }
}

// The accounts are rounded so that they add up to the total.
MeanLedger mean_ledger(const std::string& host, OperationKind kind, const LedgerTotals& totals) {
    const auto mean = [&](WideSum sum) {
        return Picoseconds{static_cast<std::int64_t>((sum + totals.requests / 2) / totals.requests)};
    };
    MeanLedger ledger{host, std::string(name_of(kind)), totals.requests, mean(totals.total), {}};
    WideSum sum = 0;
    Picoseconds shown{};
    for (std::size_t i = 0; i < kAccounts; ++i) {
        if (totals.accounts[i] != 0) {
            sum += totals.accounts[i];
            ledger.accounts.emplace_back(account_names()[i], mean(sum) - shown);
            shown = mean(sum);
        }
    }
    return ledger;
}

void add_ledger(Metrics& metrics, const std::string& name, const LedgerTotals& totals) {
    metrics.add_latency(name, totals.latency, "whole life of a request");
    for (std::size_t i = 0; i < kAccounts; ++i) {
        const bool is_used = totals.longest[i] > Picoseconds{};
        metrics.add_time(fmt::format("{}.longest.{}", name, account_names()[i]),
                         is_used ? std::optional(totals.longest[i]) : std::nullopt,
                         "longest time of one request in this account");
    }
}

}  // namespace

Report::Report(Metrics::Of of) : of_(of), units_(all_units()) {}

void Report::begin_measuring() {
    begun_ = now();
    for (Unit* const unit : units_) {
        unit->restart_statistics(begun_);
    }
}

void Report::end_measuring() {
    if (ended_) {
        return;
    }
    ended_ = now();
    for (Unit* const unit : units_) {
        Metrics& measured = measured_.emplace_back(of_);
        for (StateTimes* const times : unit->state_times()) {
            times->settle(*ended_);
            add_times(measured, *unit, *times);
        }
        for (const EngineTimes* const engine : unit->engines()) {
            engines_.push_back(use_of(*unit, *engine, *ended_ - begun_));
            add_engine(measured, *unit, *engine, engines_.back());
        }
        for (Pool* const pool : unit->pools()) {
            pool->settle(*ended_);
            // Queues without a name may not exist.
            if (pool->capacity() != Pool::kUnlimited || !pool->unused() || measured.are_of_any_run()) {
                pools_.push_back(use_of(*unit, *pool));
                add_pool(measured, *unit, *pool);
            }
        }
    }
}

void Report::add_units(RunResult& result) {
    end_measuring();
    Metrics& metrics = result.metrics;
    result.engines = engines_;
    result.pools = pools_;
    metrics.add_time("run.measured", *ended_ - begun_,
                     "the time in which all generators were measured, or programs from their first request on");
    for (std::size_t i = 0; i < units_.size(); ++i) {
        UnitReport sink(metrics, units_[i]->name());
        units_[i]->report(sink);
        for (const Metric& metric : measured_[i].all()) {
            metrics.add(metric.name, metric.value, metric.quantity, metric.sentence);
        }
    }
}

void Report::check_idle() const {
    for (const Unit* const unit : units_) {
        unit->check_idle();
    }
}

void add_ledgers(RunResult& result, const Recorder& recorder) {
    constexpr std::array<OperationKind, kOperationKindNames.size()> kOrder{
        OperationKind::send,          OperationKind::write,      OperationKind::read,   OperationKind::bind,
        OperationKind::fast_register, OperationKind::invalidate, OperationKind::receive};
    for (std::size_t host = 0; host < recorder.hosts().size(); ++host) {
        for (const OperationKind kind : kOrder) {
            const LedgerTotals& totals = recorder.totals(host, kind);
            if (totals.requests > 0) {
                result.ledgers.push_back(mean_ledger(recorder.hosts()[host], kind, totals));
            }
            if (totals.requests > 0 || result.metrics.are_of_any_run()) {
                add_ledger(result.metrics, fmt::format("ledger.{}.{}", recorder.hosts()[host], name_of(kind)), totals);
            }
        }
    }
}

}  // namespace ndsim
