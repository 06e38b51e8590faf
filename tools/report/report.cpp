// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/run/result_file.hpp"
#include "sim/config/quantity.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/run_folder.hpp"
#include "tools/report/advice_page.hpp"
#include "tools/report/calibration_page.hpp"
#include "tools/report/command.hpp"
#include "tools/report/run_page.hpp"
#include "tools/report/runs_page.hpp"
#include "tools/report/sensitivity_page.hpp"
#include "tools/report/sweep_page.hpp"
#include "tools/sweep/results.hpp"

namespace ndsim::report {

namespace {

// The options of the command.
struct ReportArguments {
    std::string folder;
    std::string other;  // a second run beside the first; may be empty
    std::string file;   // empty: report.html in the folder
    std::size_t messages = kMessages;
    std::string from;  // of the ladder; empty: at the first notable event
    bool json = false;
};

LadderChoice ladder_of(const ReportArguments& arguments) {
    LadderChoice choice{arguments.messages, std::nullopt};
    if (!arguments.from.empty()) {
        const auto [time, error] = parse<Picoseconds>(arguments.from);
        if (!time) {
            throw cli::UsageError("--from: " + error);
        }
        choice.from = time;
    }
    return choice;
}

// The file by which a command's folder is known, and the command's page; none for a run.
struct FolderKind {
    std::string_view file;
    std::string (*page)(const std::string& folder);
};
constexpr std::array kFolderKinds{FolderKind{"sweep.json", sweep_page}, FolderKind{"advice.json", advice_page},
                                  FolderKind{"sensitivity.json", sensitivity_page},
                                  FolderKind{"calibration.json", calibration_page}, FolderKind{"result.json", nullptr}};

// The page of the command that wrote to the folder last.
std::string page_of_folder(const std::string& folder, const LadderChoice& ladder) {
    const FolderKind* last = &kFolderKinds.back();
    std::optional<std::filesystem::file_time_type> at;
    for (const FolderKind& kind : kFolderKinds) {
        std::error_code error;
        const auto written = std::filesystem::last_write_time(std::filesystem::path(folder) / kind.file, error);
        if (!error && (!at || written > *at)) {
            last = &kind;
            at = written;
        }
    }
    return last->page != nullptr ? last->page(folder) : run_page(inspect::read_run(folder), ladder);
}

// A page must not replace what it is made from.
void require_no_source(const std::string& file, const std::string& folder) {
    std::vector<std::string_view> names{"points.ndjson"};
    names.insert(names.end(), kRunOutputs.begin(), kRunOutputs.end());
    names.insert(names.end(), sweep::kResultFiles.begin(), sweep::kResultFiles.end());
    std::ranges::transform(kFolderKinds, std::back_inserter(names), &FolderKind::file);
    for (const std::string_view name : names) {
        std::error_code error;
        if (!name.ends_with(".html") &&
            std::filesystem::equivalent(file, std::filesystem::path(folder) / name, error)) {
            throw cli::UsageError(fmt::format("-o {}: the page is made from this file", file));
        }
    }
}

// Whether the page has gone to stdout, where nothing else may stand then.
bool is_stdout(const std::string& file) {
    struct stat page {};
    struct stat out {};
    return ::stat(file.c_str(), &page) == 0 && ::fstat(STDOUT_FILENO, &out) == 0 && page.st_dev == out.st_dev &&
           page.st_ino == out.st_ino;
}

cli::ExitCode report(const ReportArguments& arguments) {
    const LadderChoice ladder = ladder_of(arguments);
    const bool alone = arguments.other.empty();
    require_no_source(arguments.file, arguments.folder);
    require_no_source(arguments.file, arguments.other);
    const std::string page = alone ? page_of_folder(arguments.folder, ladder)
                                   : runs_page(inspect::read_run(arguments.folder), inspect::read_run(arguments.other));
    const std::filesystem::path in_folder = alone ? "report.html" : "report-beside.html";
    const std::string file =
        arguments.file.empty() ? (std::filesystem::path(arguments.folder) / in_folder).string() : arguments.file;
    cli::write_file(file, page);
    if (arguments.json) {
        cli::print_envelope(cli::ExitCode::success, {{"result", {{"file", file}, {"bytes", page.size()}}}});
    } else if (!is_stdout(file)) {
        cli::print(fmt::format("{}: open it in a browser\n", file));
    }
    return cli::ExitCode::success;
}

}  // namespace

void add_report(CLI::App& app, cli::Chosen& chosen) {
    CLI::App& command = *app.add_subcommand(
        "report",
        "Make a page for the browser from a run, two runs, a sweep, an advice, a sensitivity or a calibration");
    const auto arguments = std::make_shared<ReportArguments>();
    command
        .add_option("FOLDER", arguments->folder, "Folder of a run, a sweep, an advice, a sensitivity or a calibration")
        ->required()
        ->option_text(" ")
        ->check(cli::not_empty());
    command.add_option("OTHER", arguments->other, "Folder of another run, to be shown beside that of a run")
        ->option_text(" ")
        ->check(cli::not_empty());
    command
        .add_option("-o,--output", arguments->file,
                    "The page (default: report.html in the folder; of two runs, report-beside.html in the first)")
        ->type_name("FILE")
        ->check(cli::not_empty());
    command.add_option("--messages", arguments->messages, "Messages in the ladder diagram")
        ->type_name("N")
        ->capture_default_str()
        ->check(CLI::Range(1U, 10'000U));
    command
        .add_option("--from", arguments->from,
                    "Time at which the ladder diagram begins, such as '60 us' (default: before the first NAK, loss, "
                    "invalidation or fence)")
        ->type_name("TIME")
        ->check(cli::not_empty());
    command.add_flag("--json", arguments->json, "Print JSON");
    command.footer(
        "Latencies come from completions.csv, occupancy and messages from timeline.json (ndsim run --timeline).\n\n"
        "Exit codes: 0 the page is written, 2 usage, 7 it could not be written.\n\n"
        "Example: ndsim report out/quickstart -o quickstart.html");
    command.callback([arguments, &chosen] { chosen = {[arguments] { return report(*arguments); }, arguments->json}; });
}

}  // namespace ndsim::report
