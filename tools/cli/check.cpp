// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <variant>

#include "scenarios/forecast/forecast.hpp"
#include "scenarios/result/metric_name_check.hpp"
#include "scenarios/run/run.hpp"
#include "sim/base/counted.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/forecast_text.hpp"
#include "tools/cli/loaded.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/table.hpp"

namespace ndsim::cli {

namespace {

// The options of the command.
struct CheckArguments {
    ScenarioArguments scenario;
    bool show_origin = false;
    bool json = false;
};

// The size of a scenario.
struct Size {
    std::uint64_t queue_pairs = 0;
    std::uint64_t messages = 0;
    std::uint64_t transfers = 0;
    std::uint64_t programs = 0;
};

// Requests to the peer; receives and requests about memory are none.
bool is_message(PostKind kind) {
    return kind == PostKind::send || kind == PostKind::send_and_invalidate || kind == PostKind::write ||
           kind == PostKind::read;
}

std::uint64_t messages_of(const std::vector<Op>& ops) {
    std::uint64_t messages = 0;
    for (const Op& op : ops) {
        if (const auto* const post = std::get_if<PostOp>(&op.what)) {
            messages += is_message(post->kind) ? 1 : 0;
        } else if (const auto* const repeat = std::get_if<RepeatOp>(&op.what)) {
            messages += repeat->count * messages_of(repeat->body);
        }
    }
    return messages;
}

Size size_of(const Scenario& scenario) {
    Size size;
    for (const Host& host : scenario.hosts) {
        size.queue_pairs += host.qps.size();
        if (host.program) {
            ++size.programs;
            size.messages += messages_of(host.program->ops);
        }
    }
    for (const Traffic& traffic : scenario.traffic) {
        size.messages += traffic.count;
    }
    for (const DmaLoad& load : scenario.dma) {
        size.transfers += load.params.count;
    }
    return size;
}

// The sure exit code of a run, and its cause in words.
struct SureVerdict {
    ExitCode exit{};
    std::string words;
};
SureVerdict sure_verdict(SureEnd end) {
    switch (end) {
        case SureEnd::unknown:
            break;
        case SureEnd::limit:
            return {ExitCode::limit_hit, "takes longer than limits.time"};
        case SureEnd::waiting:
            return {ExitCode::stalled, "never ends"};
        case SureEnd::unmet:
            return {ExitCode::expectation_failed, "fails an expectation"};
        case SureEnd::broken:
            return {ExitCode::expectation_failed, "breaks a connection, and no expectation asks for it"};
        case SureEnd::unmet_or_broken:
            return {ExitCode::expectation_failed, "breaks a connection that no expectation asks for, or fails one"};
    }
    return {ExitCode::success, "ok"};
}

std::string painted(const SureVerdict& verdict) {
    const Paint paint(stdout);
    return verdict.exit == ExitCode::success ? paint.good(verdict.words) : paint.bad(verdict.words);
}

nlohmann::ordered_json figures_json(const Scenario& scenario, const Size& size) {
    return {{"file", scenario.file},
            {"about", scenario.about},
            {"hosts", scenario.hosts.size()},
            {"queue_pairs", size.queue_pairs},
            {"programs", size.programs},
            {"generators", scenario.traffic.size() + scenario.dma.size()},
            {"messages", size.messages},
            {"transfers", size.transfers},
            {"expectations", scenario.expect.size()}};
}

std::string figures_text(const Scenario& scenario, const Size& size) {
    return fmt::format("{}, {}, {}, {}, {}, {}{}", counted(scenario.hosts.size(), "host"),
                       counted(size.queue_pairs, "queue pair"), counted(size.programs, "program"),
                       counted(scenario.traffic.size() + scenario.dma.size(), "generator"),
                       counted(size.messages, "message"), counted(scenario.expect.size(), "expectation"),
                       scenario.dma.empty() ? "" : ", " + counted(size.transfers, "DMA transfer"));
}

std::string origins_text(const std::vector<Setting>& settings) {
    Table table({Align::left, Align::left, Align::left});
    table.heading({"parameter", "value", "set by"});
    for (const Setting& setting : settings) {
        table.row({setting.path, setting.value, std::string(word(setting.origin))});
    }
    return table.text(Paint(stdout));
}

ExitCode check(const CheckArguments& arguments) {
    const Loaded loaded = load(arguments.scenario);
    const Scenario& scenario = loaded.scenario;
    const Size size = size_of(scenario);
    const Forecast forecast = foresee(scenario);
    const SweepForecast sweep = foresee_points(with_presets(arguments.scenario), scenario, forecast);
    if (names_metrics(scenario)) {  // builds hardware in this process, which forecasts need to begin without
        wrong_metrics(scenario, metrics_of_any_run(scenario)).throw_if_any();
    }
    const SureVerdict verdict = sure_verdict(forecast.end);
    const std::vector<Hint> hints = hints_of(scenario);
    if (arguments.json) {
        nlohmann::ordered_json result = figures_json(scenario, size);
        result["hints"] = to_json(hints, scenario.file);
        result["parameters"] = to_json(loaded.settings());
        add_json(result, forecast, scenario.file);
        add_json(result, sweep, scenario.file);
        nlohmann::ordered_json said{{"result", std::move(result)}};
        if (verdict.exit != ExitCode::success) {
            said["error"] = "the scenario " + verdict.words;
        }
        print_envelope(verdict.exit, said);
        return verdict.exit;
    }
    print(fmt::format("{}: {}, {}\n", scenario.file, painted(verdict), figures_text(scenario, size)) +
          text_of(hints, scenario.file, Paint(stdout)) + text_of(forecast, scenario.file, Paint(stdout)) +
          text_of(sweep, scenario.file, Paint(stdout)) +
          (arguments.show_origin ? origins_text(loaded.settings()) : std::string()));
    return verdict.exit;
}

}  // namespace

void add_check(CLI::App& app, Chosen& chosen) {
    CLI::App& command =
        *app.add_subcommand("check", "Report all problems of a scenario, and the outcome to expect of a run");
    const auto arguments = std::make_shared<CheckArguments>();
    add_scenario_arguments(command, arguments->scenario);
    command.add_flag("--show-origin", arguments->show_origin, "List every parameter, its value, and who set it");
    command.add_flag("--json", arguments->json, "Print the result as JSON");
    command.footer(
        "Exit codes: those with which a run surely ends: 0, 1, 3, 5 or 6; 2 usage.\n\n"
        "Example: ndsim check scenarios/library/stream.json --set nic.mtu=1024 --show-origin");
    command.callback([arguments, &chosen] { chosen = {[arguments] { return check(*arguments); }, arguments->json}; });
}

}  // namespace ndsim::cli
