// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "tools/cli/output.hpp"
#include "tools/inspect/command.hpp"
#include "tools/inspect/recorded_run.hpp"
#include "tools/inspect/request_choice.hpp"
#include "tools/inspect/story.hpp"

namespace ndsim::inspect {

namespace {

// The options of the command.
struct ExplainArguments {
    std::string folder;
    std::string request;
    bool json = false;
};

cli::ExitCode explain(const ExplainArguments& arguments) {
    const RecordedRun run = read_run(arguments.folder);
    const Story story = story_of(run, choose_request(run, arguments.request));
    if (arguments.json) {
        cli::print_envelope(cli::ExitCode::success, {{"result", story_json(story)}});
    } else {
        cli::print(story_text(story, cli::terminal_width(stdout), cli::Paint(stdout)));
    }
    return cli::ExitCode::success;
}

}  // namespace

void add_explain(CLI::App& app, cli::Chosen& chosen) {
    CLI::App& command = *app.add_subcommand("explain", "Show the life of one request of a run");
    const auto arguments = std::make_shared<ExplainArguments>();
    command.add_option("RUN", arguments->folder, "Folder of the run")
        ->required()
        ->option_text(" ")
        ->check(cli::not_empty());
    command.add_option("REQUEST", arguments->request, "Which request; see below")
        ->required()
        ->option_text(" ")
        ->check(cli::not_empty());
    command.add_flag("--json", arguments->json, "Print JSON");
    command.footer(
        "REQUEST is\n"
        "  A.12                  a number, as in completions.csv and in the packets\n"
        "  A.s1, A.s1[3]         a label of the scenario, with its index if its post has a count\n"
        "  slowest               also fastest, first, last (by post), p50, p99.9 ...: of all requests but receives\n"
        "  A.receive.slowest     of one kind on one host: send, write, read, receive, bind, fast_register, invalidate\n"
        "  traffic.stream.p99    of the requests that a generator posted\n\n"
        "Example: ndsim explain out/quickstart A.send.slowest");
    command.callback([arguments, &chosen] { chosen = {[arguments] { return explain(*arguments); }, arguments->json}; });
}

}  // namespace ndsim::inspect
