// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <memory>
#include <optional>

#include "scenarios/run/child_processes.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/interrupt.hpp"
#include "tools/cli/logging.hpp"
#include "tools/cli/progress_bar.hpp"
#include "tools/sweep/command.hpp"
#include "tools/sweep/journal.hpp"
#include "tools/sweep/plan.hpp"
#include "tools/sweep/point_runner.hpp"
#include "tools/sweep/results.hpp"
#include "tools/sweep/slurm_runner.hpp"
#include "tools/sweep/summary.hpp"
#include "tools/sweep/sweep_folder.hpp"

namespace ndsim::sweep {

namespace {

constexpr std::size_t kTasks = 16;  // of a job array

// The options of the command.
struct SweepArguments {
    cli::ScenarioArguments scenario;
    std::vector<std::string> vary;
    std::vector<std::string> metrics;
    std::string folder;
    std::string shard;
    std::string engine = "local";
    std::optional<std::size_t> tasks;
    std::vector<std::string> slurm_options;
    unsigned jobs = 0;  // 0: one per core
    bool json = false;
    bool quiet = false;
};

// A part of a sweep: every `of`-th point.
struct Shard {
    std::size_t number = 1;
    std::size_t of = 1;
};

Shard shard_of(const std::string& text) {
    Shard shard;
    const auto number = [&text](std::size_t from, std::size_t to, std::size_t& value) {
        const char* const end = text.data() + to;
        return std::from_chars(text.data() + from, end, value).ptr == end;
    };
    const std::size_t slash = text.find('/');
    if (!text.empty() && (slash == std::string::npos || !number(0, slash, shard.number) ||
                          !number(slash + 1, text.size(), shard.of) || shard.number < 1 || shard.number > shard.of)) {
        throw cli::UsageError("--shard: expected a number of a shard and how many there are, such as 2/4, got \"" +
                              text + "\"");
    }
    return shard;
}

// Options that the engine would not look at.
void refuse_unused(const SweepArguments& arguments) {
    if (arguments.engine == "slurm" && !arguments.shard.empty()) {
        throw cli::UsageError("--shard: with --engine slurm the tasks of the job array are the shards");
    }
    if (arguments.engine != "slurm" && (arguments.tasks || !arguments.slurm_options.empty())) {
        throw cli::UsageError(std::string(arguments.tasks ? "--tasks" : "--slurm-option") +
                              ": is for --engine slurm only");
    }
}

unsigned jobs_of(const SweepArguments& arguments) {
    return arguments.jobs == 0 ? cores() : arguments.jobs;
}

std::string folder_of(const SweepArguments& arguments, const Plan& plan) {
    return arguments.folder.empty() ? "out/" + plan.name() + "-sweep" : arguments.folder;
}

std::vector<Point> points_of(const Plan& plan, const Shard& shard) {
    std::vector<Point> points;
    for (std::size_t point = shard.number - 1; point < plan.points(); point += shard.of) {
        points.push_back({plan.overrides_of(point), plan.keys[point]});
    }
    return points;
}

cli::ExitCode tell_interrupted(const PointsDone& done, bool json) {
    cli::tell({cli::ExitCode::interrupted,
               fmt::format("interrupted; {} of {} points are done, and the same command continues from there",
                           done.done, done.of)},
              json);
    return cli::ExitCode::interrupted;
}

cli::ExitCode tell_shard(const SweepArguments& arguments, const Shard& shard, const PointsDone& done,
                         const std::string& folder) {
    const std::string text = fmt::format("shard {} of {}: {} points are in {}; ndsim collect joins the shards\n",
                                         shard.number, shard.of, done.of, folder);
    const cli::ExitCode exit = done.failed == 0 ? cli::ExitCode::success : cli::ExitCode::expectation_failed;
    if (arguments.json) {
        cli::print_envelope(exit, {{"result",
                                    {{"shard", shard.number},
                                     {"of", shard.of},
                                     {"points", done.of},
                                     {"failed", done.failed},
                                     {"folder", folder}}}});
    } else if (!arguments.quiet) {
        cli::print(text);
    }
    if (done.failed > 0 && !arguments.json) {
        cli::tell({exit, fmt::format("{} of {} points failed", done.failed, done.of)}, false);
    }
    return exit;
}

// The command of a task: this command for this scenario, with one core unless -j asks for more.
SlurmJob slurm_job(const SweepArguments& arguments, const Plan& plan, const std::string& folder) {
    namespace fs = std::filesystem;
    if (arguments.scenario.text) {
        throw cli::UsageError("--engine slurm: its tasks need a file to read, not stdin");
    }
    SlurmJob job{fs::absolute(folder).string(),
                 {fs::read_symlink("/proc/self/exe").string(), "sweep", fs::absolute(arguments.scenario.file).string()},
                 std::min(arguments.tasks.value_or(kTasks), plan.points()),
                 arguments.slurm_options};
    const auto add_all = [&job](const std::string& option, const std::vector<std::string>& values) {
        for (const std::string& value : values) {
            job.command.insert(job.command.end(), {option, value});
        }
    };
    add_all("--set", arguments.scenario.overrides);
    add_all("--vary", arguments.vary);
    add_all("-j", {std::to_string(std::max(1U, arguments.jobs))});
    return job;
}

// Runs the points by `run`, shows the progress, and prints the outcome.
template <class Run, class TextOf>
cli::ExitCode finish(const SweepArguments& arguments, const Plan& plan, const cli::RunFolder& folder, const Run& run,
                     const TextOf& text_of) {
    PointsDone done;
    bool finished = false;
    {
        cli::ProgressBar bar("sweep", !arguments.quiet && !arguments.json);
        finished = run([&](const PointsDone& now) {
            done = now;
            const std::string what = now.failed == 0 ? "points" : fmt::format("points, {} failed", now.failed);
            bar.show({{}, now.done, now.of, what});
        });
    }
    if (!finished) {
        return tell_interrupted(done, arguments.json);
    }
    const auto rows = write_results(plan, folder, arguments.metrics, !arguments.quiet && !arguments.json, text_of);
    return rows ? tell_summary(plan, *rows, arguments.metrics, folder.path(), arguments.json, arguments.quiet)
                : tell_interrupted({plan.points(), plan.points(), done.failed}, arguments.json);
}

cli::ExitCode sweep(const SweepArguments& said) {
    SweepArguments arguments = said;
    arguments.scenario = cli::with_presets(said.scenario);
    const Shard shard = shard_of(arguments.shard);
    refuse_unused(arguments);
    cli::log_to_stderr("warning");
    cli::catch_interrupts();
    const bool shows = !arguments.quiet && !arguments.json;
    Plan plan;
    {
        cli::ProgressBar bar("check", shows);
        plan = plan_of(arguments.scenario, arguments.vary, [&bar](std::size_t point, std::size_t of) {
            bar.show({{}, point, of, "points"});
        });
        check_metrics(plan, arguments.scenario, arguments.metrics, jobs_of(arguments));
    }
    const cli::RunFolder folder(folder_of(arguments, plan), kResultFiles);
    Journal journal(folder.path(), Journal::Access::write);  // first, as it refuses a file that is none
    write_plan(folder, plan);
    if (arguments.engine == "slurm") {
        SlurmRunner runner(slurm_job(arguments, plan, folder.path()), plan, journal);
        return finish(
            arguments, plan, folder, [&runner](const auto& on_wait) { return runner.run(on_wait); },
            [&runner](const std::string& key) { return runner.text_of(key); });
    }
    PointRunner runner(arguments.scenario, journal, jobs_of(arguments));
    const std::vector<Point> points = points_of(plan, shard);
    if (shard.of > 1) {
        const bool finished = runner.run(points, [](const PointsDone&) {});
        return finished ? tell_shard(arguments, shard, runner.done(), folder.path())
                        : tell_interrupted(runner.done(), arguments.json);
    }
    return finish(
        arguments, plan, folder, [&](const auto& on_wait) { return runner.run(points, on_wait); },
        [&runner](const std::string& key) { return runner.text_of(key); });
}

}  // namespace

void add_sweep(CLI::App& app, cli::Chosen& chosen) {
    CLI::App& command = *app.add_subcommand("sweep", "Run a scenario at many points of its parameters");
    const auto arguments = std::make_shared<SweepArguments>();
    cli::add_scenario_arguments(command, arguments->scenario);
    cli::add_list(command, "--vary", arguments->vary, "PATH=LIST",
                  "Vary a parameter: a list of values or ranges such as 1..8, 0..100+25, 1..64*2; of several "
                  "--vary, all combinations (default: the file's \"sweep\")");
    cli::add_folder_and_jobs(command, arguments->folder, "sweep", arguments->jobs, "Points that run");
    cli::add_list(command, "--metric", arguments->metrics, "NAME",
                  "Show this metric of each point; may be given several times");
    command.add_option("--shard", arguments->shard, "Run only the I-th of N parts; ndsim collect joins them")
        ->type_name("I/N");
    command.add_option("--engine", arguments->engine, "Where points run: local, or slurm for a job array on a cluster")
        ->type_name("NAME")
        ->check(CLI::IsMember({"local", "slurm"}));
    command
        .add_option("--tasks", arguments->tasks, fmt::format("For slurm: tasks of the job array (default: {})", kTasks))
        ->type_name("N")
        ->check(CLI::Range(std::size_t{1}, std::size_t{1000}));
    cli::add_list(
        command, "--slurm-option", arguments->slurm_options, "TEXT",
        "For slurm: an option for sbatch, such as --slurm-option=--partition=short; may be given several times");
    command.add_flag("--json", arguments->json, "Print the result as JSON");
    command.add_flag("-q,--quiet", arguments->quiet, "No table and no progress, only problems");
    command.footer(
        "The same command resumes an interrupted sweep where it stopped.\n\n"
        "Exit codes: 0 all points met their expectations, 1 not all of them, 2 usage, 3 a point is invalid and "
        "nothing\n"
        "was run, 7 an output could not be written, 130 interrupted.\n\n"
        "Example: ndsim sweep scenarios/library/stream.json --vary traffic.stream.window=1..16*2");
    command.callback([arguments, &chosen] { chosen = {[arguments] { return sweep(*arguments); }, arguments->json}; });
}

}  // namespace ndsim::sweep
