// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/App.hpp>

#include <algorithm>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <set>

#include "sim/base/text.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/interrupt.hpp"
#include "tools/cli/logging.hpp"
#include "tools/sweep/command.hpp"
#include "tools/sweep/journal.hpp"
#include "tools/sweep/known_metrics.hpp"
#include "tools/sweep/plan.hpp"
#include "tools/sweep/results.hpp"
#include "tools/sweep/summary.hpp"
#include "tools/sweep/sweep_folder.hpp"

namespace ndsim::sweep {

namespace {

// The options of the command.
struct CollectArguments {
    std::vector<std::string> folders;
    std::vector<std::string> metrics;
    std::string folder;
    bool json = false;
    bool quiet = false;
};

// The one plan of all folders.
Plan plan_in(const std::vector<std::string>& folders) {
    Plan plan = read_plan(folders.front());
    for (const std::string& folder : folders) {
        if (to_json(read_plan(folder)) != to_json(plan)) {
            throw cli::UsageError(fmt::format("{} is from a different sweep than {}", folder, folders.front()));
        }
    }
    return plan;
}

void refuse_other_builds(const std::vector<std::string>& folders, const std::deque<Journal>& journals) {
    for (std::size_t i = 1; i < journals.size(); ++i) {
        if (journals[i].build() != journals.front().build()) {
            throw cli::UsageError(
                fmt::format("{} was made by another build of ndsim than {}", folders[i], folders.front()));
        }
    }
}

const Journal* journal_with(const std::deque<Journal>& journals, const std::string& key) {
    const auto found = std::ranges::find_if(journals, [&key](const Journal& journal) { return journal.has(key); });
    return found == journals.end() ? nullptr : &*found;
}

// The message about unfinished points; empty if there are none.
std::string missing(const Plan& plan, const std::deque<Journal>& journals) {
    std::size_t count = 0;
    std::string first;
    for (std::size_t point = 0; point < plan.points(); ++point) {
        if (journal_with(journals, plan.keys[point]) == nullptr && ++count == 1) {
            first = join(overrides_of(plan.axes, point), " ");
        }
    }
    return count == 0 ? ""
                      : fmt::format("{} of {} points are missing, the first one is {}; nothing was written", count,
                                    plan.points(), first);
}

using TextOf = std::function<std::string(const std::string& key)>;

// UsageError for a metric that no point has. If all points failed, metrics are unknown.
void refuse_unknown(const std::vector<std::string>& asked, const Plan& plan, const TextOf& text_of) {
    std::set<std::string> names;
    for (const std::string& key : asked.empty() ? std::vector<std::string>{} : plan.keys) {
        const auto result = nlohmann::ordered_json::parse(text_of(key));
        if (const auto metrics = result.find("metrics"); metrics != result.end()) {
            for (const auto& [name, metric] : metrics->items()) {
                names.insert(name);
            }
        }
    }
    Metrics known;
    for (const std::string& name : names) {
        known.add(name, 0, std::nullopt, "");
    }
    for (const std::string& name : asked) {
        if (const auto wrong = wrong_request(name, known); wrong && !names.empty()) {
            throw cli::UsageError(*wrong);
        }
    }
}

cli::ExitCode collect(const CollectArguments& arguments) {
    cli::log_to_stderr("warning");
    const Plan plan = plan_in(arguments.folders);
    std::deque<Journal> journals;
    for (const std::string& folder : arguments.folders) {
        journals.emplace_back(folder, Journal::Access::read_any_build);
        journals.back().warn_of_damage();
    }
    refuse_other_builds(arguments.folders, journals);
    if (const std::string why = missing(plan, journals); !why.empty()) {
        cli::tell({cli::ExitCode::expectation_failed, why}, arguments.json);
        return cli::ExitCode::expectation_failed;
    }
    const TextOf text_of = [&journals](const std::string& key) { return journal_with(journals, key)->text_of(key); };
    refuse_unknown(arguments.metrics, plan, text_of);
    const cli::RunFolder folder(arguments.folder.empty() ? "out/" + plan.name() + "-sweep" : arguments.folder,
                                kResultFiles);
    write_plan(folder, plan);
    cli::catch_interrupts();
    const auto rows = write_results(plan, folder, arguments.metrics, !arguments.quiet && !arguments.json, text_of);
    if (!rows) {
        cli::tell({cli::ExitCode::interrupted, "interrupted; no tables are written"}, arguments.json);
        return cli::ExitCode::interrupted;
    }
    return tell_summary(plan, *rows, arguments.metrics, folder.path(), arguments.json, arguments.quiet);
}

}  // namespace

void add_collect(CLI::App& app, cli::Chosen& chosen) {
    CLI::App& command = *app.add_subcommand("collect", "Join the shards of a sweep");
    const auto arguments = std::make_shared<CollectArguments>();
    command.add_option("DIR", arguments->folders, "Folders of the shards")
        ->required()
        ->option_text("...")
        ->check(cli::not_empty());
    command.add_option("--out", arguments->folder, "Folder for the results (default: out/<name of the file>-sweep)")
        ->type_name("DIR")
        ->check(cli::not_empty());
    cli::add_list(command, "--metric", arguments->metrics, "NAME",
                  "Show this metric of each point; may be given several times");
    command.add_flag("--json", arguments->json, "Print the result as JSON");
    command.add_flag("-q,--quiet", arguments->quiet, "No table, only problems");
    command.footer(
        "Exit codes: 0 done, 1 points are missing, failed or missed their expectations, 2 usage,\n"
        "7 an output could not be written, 130 interrupted.\n\n"
        "Example: ndsim collect out/shard1 out/shard2 --out out/whole");
    command.callback([arguments, &chosen] { chosen = {[arguments] { return collect(*arguments); }, arguments->json}; });
}

}  // namespace ndsim::sweep
