// SPDX-License-Identifier: Apache-2.0
#include "scenarios/engine/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "scenarios/engine/host_side.hpp"
#include "scenarios/engine/program_runner.hpp"
#include "scenarios/engine/recorder.hpp"
#include "scenarios/engine/traffic_runner.hpp"
#include "scenarios/engine/wave_story.hpp"
#include "scenarios/engine/world.hpp"
#include "sim/base/error.hpp"
#include "sim/kernel/log.hpp"
#include "sim/kernel/pool.hpp"
#include "sim/kernel/wave_view.hpp"
#include "sim/kernel/waves.hpp"

namespace ndsim {

namespace {

std::string host_of(const std::string& endpoint) {
    return endpoint.substr(0, endpoint.find('.'));
}

std::vector<std::string> host_names(const Scenario& scenario) {
    std::vector<std::string> names;
    for (const Host& host : scenario.hosts) {
        names.push_back(host.name);
    }
    return names;
}

// Adds what a unit reports under its own name.
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

// Run: one simulation of a scenario, from elaboration to its result.
class Run {
public:
    Run(const Scenario& scenario, const RunOptions& options);
    RunResult go();

private:
    void prepare_outputs();
    void main_program(std::size_t host);
    void begin_work(std::size_t host);
    void restart_pools();
    void snapshot_pools();
    [[nodiscard]] bool all_done() const;
    [[nodiscard]] std::string who_waits() const;
    void check_progress(Picoseconds now);
    void conclude();
    void close_outputs();
    void report();
    void check_invariants();
    [[nodiscard]] RunOutcome outcome_of(RunEnd end) const;

    const Scenario& scenario_;
    const RunOptions& options_;
    RunControl control_;
    World world_;
    Recorder recorder_;
    std::vector<Unit*> units_;
    std::vector<std::unique_ptr<HostSide>> sides_;
    std::vector<std::unique_ptr<ProgramRunner>> programs_;  // by host; may be empty
    std::vector<bool> mains_done_;
    std::vector<std::unique_ptr<TrafficRunner>> traffic_;
    std::unique_ptr<Waves> waves_;
    std::shared_ptr<spdlog::logger> log_;
    std::size_t sides_ready_ = 0;
    std::size_t warming_ = 0;
    bool pools_taken_ = false;
    Metrics pool_metrics_;
    RunResult result_;
};

Run::Run(const Scenario& scenario, const RunOptions& options)
    : scenario_(scenario),
      options_(options),
      world_(scenario, control_),
      recorder_(host_names(scenario)),
      mains_done_(scenario.hosts.size()) {
    control_.limit_time(scenario.limits.time);
    if (scenario.limits.items != 0) {
        control_.limit_items(scenario.limits.items);
    }
    control_.on_check([this](Picoseconds now) { check_progress(now); });
    for (std::size_t i = 0; i < scenario.hosts.size(); ++i) {
        const Host& host = scenario.hosts[i];
        sides_.push_back(std::make_unique<HostSide>(world_, host));
        world_.driver(host.name).observe(recorder_);
        programs_.push_back(host.program && !options.programs.contains(host.name)
                                ? std::make_unique<ProgramRunner>(*sides_[i], *host.program, recorder_)
                                : nullptr);
        sides_[i]->main_core().run_thread([this, i] { main_program(i); });
    }
    for (const Traffic& traffic : scenario.traffic) {
        for (const std::string& endpoint : {traffic.from, traffic.to}) {
            if (options.programs.contains(host_of(endpoint))) {
                throw std::invalid_argument("host " + host_of(endpoint) + " runs a C++ program, so generator " +
                                            traffic.name + " cannot use it");
            }
        }
        const auto side = [&](const std::string& endpoint) -> HostSide& {
            const auto found = std::find_if(sides_.begin(), sides_.end(), [&](const auto& candidate) {
                return candidate->host().name == host_of(endpoint);
            });
            return **found;
        };
        traffic_.push_back(
            std::make_unique<TrafficRunner>(world_, side(traffic.from), side(traffic.to), traffic, scenario.measure));
        traffic_.back()->on_warm([this] {
            if (--warming_ == 0) {
                restart_pools();
            }
        });
        traffic_.back()->on_complete([this] { snapshot_pools(); });
    }
    warming_ = traffic_.size();
    units_ = all_units();
    if (options.log) {
        log_ = make_log(*options.log, "engine", [this] { return world_.now(); });
        for (const Host& host : scenario.hosts) {
            world_.driver(host.name).set_log(
                make_log(*options.log, host.name + ".driver", [this] { return world_.now(); }));
        }
    }
    prepare_outputs();
}

void Run::prepare_outputs() {
    if (options_.folder.empty()) {
        return;
    }
    if (scenario_.outputs.completions) {
        if (recorder_.open_csv(options_.folder + "/completions.csv")) {
            result_.files.push_back("completions.csv");
        } else {
            result_.unwritten.push_back(options_.folder + "/completions.csv: " + std::strerror(errno));
        }
    }
    if (scenario_.outputs.waves.enabled) {
        const WaveOutput& wanted = scenario_.outputs.waves;
        waves_ = std::make_unique<Waves>(
            WavesOptions{options_.folder + "/waves.vcd", wanted.start, wanted.stop, wanted.max_size},
            [this] { return world_.now(); });
        waves_->watch_all();
        result_.files.push_back("waves.vcd");
    }
}

// What a host's main core runs: set-up, then its program.
void Run::main_program(std::size_t host) {
    HostSide& side = *sides_[host];
    const auto own = options_.programs.find(side.host().name);
    if (own == options_.programs.end()) {
        side.set_up();
        for (std::size_t i = 0; i < traffic_.size(); ++i) {
            if (host_of(scenario_.traffic[i].to) == side.host().name) {
                traffic_[i]->prepare_receiver();
            }
            if (host_of(scenario_.traffic[i].from) == side.host().name) {
                traffic_[i]->prepare_sender();
            }
        }
        side.main_core().sync();
    }
    ++sides_ready_;
    begin_work(host);
    if (own != options_.programs.end()) {
        own->second(side);
    } else if (programs_[host]) {
        programs_[host]->run();
    }
    mains_done_[host] = true;
}

// Programs and generators begin together, once every host is set up.
void Run::begin_work(std::size_t host) {
    Core& core = sides_[host]->main_core();
    if (sides_ready_ == sides_.size()) {
        // A moment ahead of the last host, so that no other has to look at a time that has passed.
        result_.started = core.clock() + std::chrono::nanoseconds{1};
        for (const auto& side : sides_) {
            side->main_core().wake(result_.started);
        }
        for (const auto& traffic : traffic_) {
            traffic->start(result_.started);
        }
        if (log_) {
            log_->info("all hosts are set up: programs and generators begin");
        }
    }
    core.waits_for("the other hosts to be set up");
    while (result_.started == Picoseconds{} || core.clock() < result_.started) {
        if (result_.started == Picoseconds{}) {
            core.sleep();
        } else {
            core.sleep(result_.started);
        }
    }
    core.waits_for({});
}

void Run::restart_pools() {
    recorder_.start_measuring();
    if (log_) {
        log_->info("every generator is warm: measuring begins");
    }
    for (Unit* const unit : units_) {
        for (Pool* const pool : unit->pools()) {
            pool->restart(unit->now());
        }
    }
}

void Run::snapshot_pools() {
    if (std::exchange(pools_taken_, true)) {
        return;
    }
    for (Unit* const unit : units_) {
        for (Pool* const pool : unit->pools()) {
            if (pool->unused() && pool->capacity() == Pool::kUnlimited) {
                continue;
            }
            pool->settle(unit->now());
            const Occupancy& occupancy = pool->occupancy();
            if (occupancy.integral() != pool->residence()) {
                throw InvariantError(unit->name(), unit->now(),
                                     std::string(pool->name()) + ": occupancy and residence times do not agree");
            }
            const std::string name = fmt::format("{}.{}", unit->name(), pool->name());
            if (occupancy.capacity() != Pool::kUnlimited) {
                pool_metrics_.add(name + ".capacity", occupancy.capacity(), std::nullopt, "entries there are");
                pool_metrics_.add(name + ".full", occupancy.full_ppm(), Quantity::fraction,
                                  "share of the time in which a piece of the largest size so far would not have fit");
            }
            pool_metrics_.add(name + ".high_water", occupancy.high_water(), std::nullopt, pool->sentence());
            pool_metrics_.add(name + ".mean_milli", occupancy.mean_milli(), std::nullopt,
                              "mean over time, in thousandths");
            pool_metrics_.add(name + ".p99", occupancy.percentile(990'000), std::nullopt,
                              "not exceeded for 99 % of the time");
        }
    }
}

bool Run::all_done() const {
    return std::all_of(mains_done_.begin(), mains_done_.end(), [](bool done) { return done; }) &&
           std::all_of(traffic_.begin(), traffic_.end(), [](const auto& traffic) { return traffic->finished(); });
}

std::string Run::who_waits() const {
    std::vector<std::string> waiting;
    for (std::size_t i = 0; i < sides_.size(); ++i) {
        if (mains_done_[i]) {
            continue;
        }
        const std::string& what = sides_[i]->main_core().waiting();
        if (programs_[i] && sides_ready_ == sides_.size()) {
            waiting.push_back(programs_[i]->where());
        } else {
            waiting.push_back(fmt::format("host {} waits for {}", sides_[i]->host().name, what));
        }
    }
    for (const auto& traffic : traffic_) {
        if (!traffic->finished()) {
            waiting.push_back(traffic->where());
        }
    }
    return fmt::format("{}", fmt::join(waiting, "; "));
}

void Run::check_progress(Picoseconds now) {
    if (options_.interrupted && options_.interrupted()) {
        control_.stop(RunEnd::interrupted);
        return;
    }
    if (options_.on_progress) {
        Progress progress{now, 0, 0};
        for (std::size_t i = 0; i < traffic_.size(); ++i) {
            progress.done += traffic_[i]->completed();
            progress.total += scenario_.traffic[i].count;
        }
        options_.on_progress(progress);
    }
}

RunOutcome Run::outcome_of(RunEnd end) const {
    switch (end) {
        case RunEnd::time_limit:
            return RunOutcome::time_limit;
        case RunEnd::item_limit:
            return RunOutcome::item_limit;
        case RunEnd::interrupted:
            return RunOutcome::interrupted;
        case RunEnd::nothing_left:
        case RunEnd::finished:
            break;
    }
    return all_done() ? RunOutcome::finished : RunOutcome::stalled;
}

RunResult Run::go() {
    try {
        sc_core::sc_start();
    } catch (const sc_core::sc_report&) {  // what a process threw; SystemC hands on its text only
        result_.ended = std::min(world_.now(), scenario_.limits.time);
        close_outputs();
        if (result_.unwritten.empty()) {
            throw;
        }
        result_.outcome = RunOutcome::interrupted;  // by a full disk, most likely
        return std::move(result_);
    }
    conclude();
    return std::move(result_);
}

void Run::conclude() {
    result_.outcome = outcome_of(control_.end());
    result_.ended = std::min(world_.now(), scenario_.limits.time);
    result_.activations = world_.timeline().activations();
    result_.items = world_.timeline().items();
    switch (result_.outcome) {
        case RunOutcome::finished:
            break;
        case RunOutcome::stalled:
            result_.why = who_waits();
            break;
        case RunOutcome::time_limit:
            result_.why =
                fmt::format("the limit of {} of simulated time; {}", to_text(scenario_.limits.time), who_waits());
            break;
        case RunOutcome::item_limit:
            result_.why = fmt::format("the limit of {} work items; {}", scenario_.limits.items, who_waits());
            break;
        case RunOutcome::interrupted:
            result_.why = "interrupted";
            break;
    }
    report();
    close_outputs();
    if (result_.outcome == RunOutcome::finished) {
        check_invariants();
        const auto memory = [this](const std::string& name) -> std::span<const std::byte> {
            for (const auto& side : sides_) {
                if (side->host().name == host_of(name) && side->has_buffer(name.substr(name.find('.') + 1))) {
                    const BufferHandle& buffer = side->buffer(name.substr(name.find('.') + 1));
                    return {buffer.memory.data(), buffer.memory.size()};
                }
            }
            return {};
        };
        result_.verdicts = judge(scenario_.expect, {result_.metrics, recorder_, memory});
    }
}

void Run::close_outputs() {
    if (!recorder_.close_csv()) {
        result_.unwritten.push_back(options_.folder + "/completions.csv: " + std::strerror(errno));
    }
    if (waves_) {
        try {
            waves_->close(result_.ended);
            WaveViewOptions view;
            view.vcd = options_.folder + "/waves.vcd";
            view.hosts = host_names(scenario_);
            // The first Send, with a little room on either side; without one, everything since the programs began.
            const Interval first = recorder_.first_send().value_or(Interval{result_.started, result_.ended});
            const Picoseconds room = (first.end - first.start) / 8;
            view.start = std::max(first.start - room, scenario_.outputs.waves.start);
            view.end = std::min({first.end + room, result_.ended, scenario_.outputs.waves.stop});
            write_wave_view(view, wave_story(waves_->signals(), view.hosts));
            result_.files.push_back("waves.gtkw");
        } catch (const WaveError& error) {
            result_.unwritten.push_back(error.what());
        }
        result_.waves_cut_at = waves_->cut_at();
    }
}

void Run::report() {
    Metrics& metrics = result_.metrics;
    metrics.add_time("run.started", result_.started, "when programs and generators began");
    metrics.add_time("run.ended", result_.ended, "when nothing was left to do");
    for (const auto& traffic : traffic_) {
        traffic->report(metrics);
    }
    for (const auto& program : programs_) {
        if (program) {
            program->report(metrics);
        }
    }
    snapshot_pools();
    for (Unit* const unit : units_) {
        UnitReport sink(metrics, unit->name());
        unit->report(sink);
        for (const Metric& metric : pool_metrics_.all()) {
            if (metric.name.starts_with(std::string(unit->name()) + ".")) {
                metrics.add(metric.name, metric.value, metric.quantity, metric.sentence);
            }
        }
    }
    result_.completions = recorder_.completions();
    for (std::size_t host = 0; host < sides_.size(); ++host) {
        for (const OperationKind kind : {OperationKind::send, OperationKind::receive}) {
            const LedgerTotals& totals = recorder_.totals(host, kind);
            if (totals.requests == 0) {
                continue;
            }
            const auto mean = [&](WideSum sum) {
                return Picoseconds{static_cast<std::int64_t>((sum + totals.requests / 2) / totals.requests)};
            };
            MeanLedger ledger{sides_[host]->host().name,
                              kind == OperationKind::send ? "send" : "receive",
                              totals.requests,
                              mean(totals.total),
                              {}};
            // Rounded so that they add up to the total.
            WideSum sum = 0;
            Picoseconds shown{};
            for (std::size_t i = 0; i < kAccounts; ++i) {
                if (totals.accounts[i] != 0) {
                    sum += totals.accounts[i];
                    ledger.accounts.emplace_back(account_names()[i], mean(sum) - shown);
                    shown = mean(sum);
                }
            }
            metrics.add_latency(fmt::format("ledger.{}.{}", ledger.host, ledger.operation), totals.latency,
                                "whole life of a request");
            result_.ledgers.push_back(std::move(ledger));
        }
    }
}

void Run::check_invariants() {
    for (const Unit* const unit : units_) {
        unit->check_idle();
    }
    if (world_.payloads().in_use() != 0) {
        throw InvariantError("payloads", result_.ended,
                             std::to_string(world_.payloads().in_use()) + " buffers are lost");
    }
}

}  // namespace

RunResult run_scenario(const Scenario& scenario, const RunOptions& options) {
    Run run(scenario, options);
    return run.go();
}

}  // namespace ndsim
