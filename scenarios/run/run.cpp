// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "scenarios/result/dead_connections.hpp"
#include "scenarios/result/expectations.hpp"
#include "scenarios/result/metric_name_check.hpp"
#include "scenarios/result/pool_report.hpp"
#include "scenarios/result/report.hpp"
#include "scenarios/run/ending.hpp"
#include "scenarios/run/first_request.hpp"
#include "scenarios/run/host_programs.hpp"
#include "scenarios/run/output_files.hpp"
#include "scenarios/run/result_file.hpp"
#include "scenarios/run/software.hpp"
#include "scenarios/run/standstill.hpp"
#include "sim/base/invariant_error.hpp"
#include "sim/kernel/log.hpp"

namespace ndsim {

namespace {

std::vector<NumberedQueuePair> queue_pairs_of(HostSide& side) {
    std::vector<NumberedQueuePair> numbered;
    for (const QueuePair& qp : side.host().qps) {
        if (const std::optional<QpNum> number = side.face().number_of(qp.name)) {
            numbered.push_back({side.host().name + "." + qp.name, *number});
        }
    }
    return numbered;
}

// Run: one simulation of a scenario, from elaboration to its result.
class Run {
public:
    Run(const Scenario& scenario, const RunOptions& options);
    RunResult go();
    [[nodiscard]] Metrics metrics_of_any_run() const;

private:
    void limit();
    void measure();
    void set_logs(spdlog::logger& log);
    void check_progress(Picoseconds now);
    [[nodiscard]] std::optional<SoftwareTurn> turn();
    void conclude();
    void add_metrics(RunResult& result, Report& report) const;
    void check_invariants();
    [[nodiscard]] std::string queue_pair_name(HostId host, QpNum number) const;

    const Scenario& scenario_;
    const RunOptions& options_;
    RunResult result_;
    RunControl control_;
    World world_;
    Recorder recorder_;
    Software software_;
    Standstill standstill_;
    Report report_;
    FirstRequest first_request_{world_.timeline(), [this] { return software_.started() > Picoseconds{}; },
                                [this] { report_.begin_measuring(); }};
    OutputFiles outputs_;
    std::uint64_t messages_ = 0;  // to be sent by generators, and transfers to be done
};

Run::Run(const Scenario& scenario, const RunOptions& options)
    : scenario_(scenario),
      options_(options),
      world_(scenario, control_, hosts_of(options.programs)),
      recorder_(scenario.host_names()),
      software_(world_, scenario, options, recorder_),
      standstill_(world_),
      outputs_(scenario, options.folder, recorder_, world_, software_, result_) {
    limit();
    measure();
    for (const Traffic& traffic : scenario.traffic) {
        messages_ += traffic.count;
    }
    for (const DmaLoad& load : scenario.dma) {
        messages_ += load.params.count;
    }
    if (options.log) {
        set_logs(*options.log);
    }
}

void Run::limit() {
    control_.limit_time(scenario_.limits.time);
    if (scenario_.limits.items != 0) {
        control_.limit_items(scenario_.limits.items);
    }
    control_.on_check([this](Picoseconds now) { check_progress(now); });
    control_.on_only_retries([this](Picoseconds now) {
        if (standstill_.is_for_ever(now)) {
            control_.stop(RunEnd::only_retries);
        }
    });
}

void Run::measure() {
    if (scenario_.traffic.empty() && scenario_.dma.empty()) {
        for (const Host& host : scenario_.hosts) {
            world_.driver(host.name).requests().observe(first_request_);
        }
    }
    software_.on_warm([this] {
        recorder_.start_measuring();
        report_.begin_measuring();
    });
    software_.on_measured([this] {
        report_.end_measuring();
        // A generator's last requests are under way when the first window is complete; a requested window cuts them
        // off.
        if (scenario_.measure.window != 0) {
            recorder_.stop_measuring();
        } else {
            recorder_.measure_those_begun_before(world_.now());
        }
    });
    software_.on_enough([this] { control_.stop(RunEnd::finished); });
}

void Run::set_logs(spdlog::logger& log) {
    const auto now = [this] { return world_.now(); };
    software_.set_log(make_log(log, "engine", now));
    for (const Host& host : scenario_.hosts) {
        world_.driver(host.name).set_log(make_log(log, host.name + ".driver", now));
    }
}

void Run::check_progress(Picoseconds now) {
    if (options_.interrupted && options_.interrupted()) {
        control_.stop(RunEnd::interrupted);
        return;
    }
    if (options_.on_progress) {
        std::string_view what = "messages";
        if (!scenario_.dma.empty()) {
            what = scenario_.traffic.empty() ? "transfers" : "messages and transfers";
        }
        options_.on_progress({now, software_.messages(), messages_, what});
    }
}

std::optional<SoftwareTurn> Run::turn() {
    for (const Host& host : scenario_.hosts) {
        const RunningCore& running = world_.node(host.name).running;
        const std::uint64_t number = running.turns();
        if (running.core() != nullptr) {
            return SoftwareTurn{host.name, number};
        }
    }
    return std::nullopt;
}

RunResult Run::go() {
    const std::shared_ptr<void> watch = options_.watch ? options_.watch([this] { return turn(); }) : nullptr;
    try {
        sc_core::sc_start();
    } catch (const sc_core::sc_report&) {  // thrown by a process; SystemC passes on its text only
        result_.started = software_.started();
        result_.ended = std::min(world_.now(), scenario_.limits.time);
        outputs_.close(true);
        if (result_.unwritten.empty()) {
            throw;
        }
        result_.outcome = RunOutcome::interrupted;  // most likely by a full disk
        return std::move(result_);
    }
    conclude();
    return std::move(result_);
}

void Run::conclude() {
    result_.outcome = outcome_of(control_.end(), software_);
    result_.why = why(result_.outcome, software_, scenario_);
    result_.started = software_.started();
    result_.ended = world_.now();
    result_.completions = recorder_.completions();
    result_.activations = world_.timeline().activations();
    result_.items = world_.timeline().items();
    for (const auto& side : software_.sides()) {
        std::ranges::move(queue_pairs_of(*side), std::back_inserter(result_.queue_pairs));
    }
    result_.statuses = recorder_.statuses();
    const auto has_program = [this](const std::string& host) { return options_.programs.contains(host); };
    result_.dead_connections = dead_connections(scenario_, software_.sides(), has_program, result_.statuses);
    result_.statuses.name_queues([this](HostId host, QpNum qp) { return queue_pair_name(host, qp); });
    result_.fates = recorder_.fates();
    for (std::size_t i = 0; i < result_.fates.size(); ++i) {
        add_open(result_.fates[i], world_.ledgers().of(HostId{static_cast<std::uint16_t>(i)}), world_.now());
    }
    software_.warn_at_end();
    add_metrics(result_, report_);
    result_.limits = limits_of(scenario_, result_.metrics, result_.ledgers);
    outputs_.close(result_.outcome != RunOutcome::finished || software_.cut_short());
    const auto memory = [this](const std::string& name) { return software_.memory(name); };
    const Evidence evidence{result_.metrics, recorder_, memory};
    if (result_.outcome == RunOutcome::finished) {
        check_invariants();
        result_.verdicts = judge(scenario_.expect, evidence);
    }
    if (options_.inspect) {
        options_.inspect(evidence);
    }
    if (options_.at_end) {
        options_.at_end(world_, software_, result_);
    }
}

void Run::add_metrics(RunResult& result, Report& report) const {
    result.metrics.add_time("run.started", result.started, "when programs and generators began");
    result.metrics.add_time("run.ended", result.ended, "when nothing was left to do");
    software_.report(result.metrics);
    report.add_units(result);
    name_own_depths(scenario_, result.pools);
    add_ledgers(result, recorder_);
}

// The code that adds the figures at the end of a run also knows their names before it.
Metrics Run::metrics_of_any_run() const {
    RunResult result;
    result.metrics = Metrics(Metrics::Of::any_run);
    Report report(Metrics::Of::any_run);
    add_metrics(result, report);
    return std::move(result.metrics);
}

// "A.q0"; a queue pair that a C++ program has made has a number only.
std::string Run::queue_pair_name(HostId host, QpNum number) const {
    const std::string prefix = scenario_.hosts[raw(host)].name + ".";
    const auto named = std::ranges::find_if(result_.queue_pairs, [&](const NumberedQueuePair& qp) {
        return qp.number == number && qp.name.starts_with(prefix);
    });
    return named == result_.queue_pairs.end() ? fmt::format("{}{:#x}", prefix, raw(number)) : named->name;
}

void Run::check_invariants() {
    if (software_.cut_short()) {
        return;  // much is still under way
    }
    report_.check_idle();
    if (world_.payloads().in_use() != 0) {
        throw InvariantError("payloads", result_.ended,
                             std::to_string(world_.payloads().in_use()) + " buffers are lost");
    }
}

}  // namespace

Metrics metrics_of_any_run(const Scenario& scenario) {
    RunOptions options;
    options.programs = possible_programs(scenario);
    return Run(scenario, options).metrics_of_any_run();
}

RunResult run_scenario(const Scenario& scenario, const RunOptions& options) {
    if (sc_core::sc_get_status() != sc_core::SC_ELABORATION) {
        throw std::logic_error("run_scenario: this process has simulated already; SystemC runs once in a process");
    }
    refuse_clashes(scenario, options.programs);
    if (!options.folder.empty() && options.writes_result) {
        remove_run_outputs(options.folder);
    }
    Run run(scenario, options);
    if (names_metrics(scenario)) {
        wrong_metrics(scenario, run.metrics_of_any_run()).throw_if_any();
    }
    RunResult result = run.go();
    if (!options.folder.empty() && options.writes_result) {
        write_result_file(scenario, options, result);
    }
    return result;
}

}  // namespace ndsim
