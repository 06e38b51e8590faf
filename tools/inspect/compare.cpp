// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "sim/config/quantity.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/output.hpp"
#include "tools/inspect/command.hpp"
#include "tools/inspect/comparison.hpp"
#include "tools/inspect/comparison_text.hpp"

namespace ndsim::inspect {

namespace {

// The options of the command.
struct CompareArguments {
    std::string first;
    std::string second;
    std::string tolerance;
    bool all = false;
    bool json = false;
};

std::optional<Fraction> tolerance_of(const std::string& text) {
    if (text.empty()) {
        return std::nullopt;
    }
    const auto [tolerance, error] = parse<Fraction>(text);
    if (!tolerance) {
        throw cli::UsageError("--tolerance: " + error);
    }
    return tolerance;
}

// Runs are the same only if their requests are.
void refuse_lost_completions(const RecordedRun& run) {
    if (run.has_lost_completions()) {
        throw cli::UsageError(
            run.folder +
            ": has no completions.csv, although the run wrote one; run the scenario again, or compare "
            "figures alone with --tolerance");
    }
}

cli::ExitCode compare(const CompareArguments& arguments) {
    const std::optional<Fraction> tolerance = tolerance_of(arguments.tolerance);
    const RecordedRun first = read_run(arguments.first);
    const RecordedRun second = read_run(arguments.second);
    if (!tolerance) {
        refuse_lost_completions(first);
        refuse_lost_completions(second);
    }
    const Comparison comparison = compare_runs(first, second, tolerance);
    const cli::ExitCode exit = comparison.same ? cli::ExitCode::success : cli::ExitCode::expectation_failed;
    if (arguments.json) {
        cli::print_envelope(exit, {{"result", comparison_json(first, second, comparison)}});
    } else {
        cli::print(comparison_text(first, second, comparison, arguments.all, cli::Paint(stdout)));
    }
    return exit;
}

}  // namespace

void add_compare(CLI::App& app, cli::Chosen& chosen) {
    CLI::App& command = *app.add_subcommand("compare", "Show how two runs differ, and at which event they begin to");
    const auto arguments = std::make_shared<CompareArguments>();
    command.add_option("FIRST", arguments->first, "Folder of a run")
        ->required()
        ->option_text(" ")
        ->check(cli::not_empty());
    command.add_option("SECOND", arguments->second, "Folder of another run")
        ->required()
        ->option_text(" ")
        ->check(cli::not_empty());
    command
        .add_option(
            "--tolerance", arguments->tolerance,
            "Treat figures this close as equal, such as 0.5%; settings and events are then shown, but do not count")
        ->type_name("PERCENT")
        ->check(cli::not_empty());
    command.add_flag("--all", arguments->all, "Show all differences, not only the most important ones");
    command.add_flag("--json", arguments->json, "Print JSON, always with all differences");
    command.footer(
        "Exit codes: 0 the runs are the same, 1 they differ, 2 usage.\n\n"
        "Example: ndsim compare out/stream out/mtu1024");
    command.callback([arguments, &chosen] { chosen = {[arguments] { return compare(*arguments); }, arguments->json}; });
}

}  // namespace ndsim::inspect
