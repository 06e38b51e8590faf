// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "scenarios/result/result_json.hpp"
#include "scenarios/run/run.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/loaded.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/table.hpp"

namespace ndsim::cli {

namespace {

// The options of the command.
struct MetricsArguments {
    ScenarioArguments scenario;
    std::vector<std::string> parts;
    bool json = false;
};

ExitCode list_metrics(const MetricsArguments& arguments) {
    const Loaded loaded = load(arguments.scenario);
    const Metrics all = metrics_of_any_run(loaded.scenario);
    const auto is_asked = [&](const Metric& metric) {
        return std::ranges::all_of(arguments.parts, [&](const std::string& part) {
            return metric.name.find(part) != std::string::npos || metric.sentence.find(part) != std::string::npos;
        });
    };
    if (std::ranges::none_of(all.all(), is_asked)) {
        throw UsageError(fmt::format("no figure of {} has {} in its name or sentence", loaded.scenario.file,
                                     fmt::join(arguments.parts, " and ")));
    }
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    Table table({Align::left, Align::left, Align::left});
    table.heading({"metric", "unit", "what it is"});
    for (const Metric& metric : all.all()) {
        if (!is_asked(metric)) {
            continue;
        }
        if (arguments.json) {
            // Each name is there once; looking for it would take time in proportion to the square of the metrics.
            json.get_ref<nlohmann::ordered_json::object_t&>().emplace_back(
                metric.name, nlohmann::ordered_json{{"unit", unit_of(metric)}, {"sentence", metric.sentence}});
        } else {
            table.row({metric.name, std::string(unit_of(metric)), metric.sentence});
        }
    }
    if (arguments.json) {
        print_envelope(ExitCode::success, {{"result", std::move(json)}});
    } else {
        print(table.text(Paint(stdout)));
    }
    return ExitCode::success;
}

}  // namespace

void add_metrics(CLI::App& app, Chosen& chosen) {
    CLI::App& command = *app.add_subcommand("metrics", "List the figures that runs of a scenario may have");
    const auto arguments = std::make_shared<MetricsArguments>();
    add_scenario_arguments(command, arguments->scenario);
    command.add_option("PART", arguments->parts, "Only figures whose name or sentence contains all of these texts")
        ->option_text(" ");
    command.add_flag("--json", arguments->json, "Print JSON");
    command.footer("Example: ndsim metrics stream latency");
    command.callback([arguments, &chosen] {
        chosen = {[arguments] { return list_metrics(*arguments); }, arguments->json};
    });
}

}  // namespace ndsim::cli
