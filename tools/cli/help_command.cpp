// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "tools/cli/command.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/help_pages.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/usage.hpp"

namespace ndsim::cli {

namespace {

// The help of words such as "presets show", the command show of the command presets. App::help() would describe the
// command that was chosen, which is this one.
std::string help_of(const CLI::App& app, const std::vector<std::string>& words) {
    const CLI::App* command = &app;
    std::string path = app.get_name();
    for (const std::string& word : words) {
        const std::vector<const CLI::App*> all = command->get_subcommands([](const CLI::App*) { return true; });
        const auto found = std::ranges::find(all, word, [](const CLI::App* each) { return each->get_name(); });
        if (found == all.end()) {
            throw UsageError(no_command(*command, word));
        }
        command = *found;
        path += " " + word;
    }
    return command->get_formatter()->make_help(command, path, CLI::AppFormatMode::Normal);
}

}  // namespace

void add_help(CLI::App& app, Chosen& chosen) {
    CLI::App& command = *app.add_subcommand("help", "Print what a command does, and its options");
    const auto words = std::make_shared<std::vector<std::string>>();
    command.add_option("COMMAND", *words, "Name of a command, such as run or presets show")->option_text(" ");
    command.footer("Example: ndsim help run");
    command.callback([&app, words, &chosen] {
        chosen = {[&app, words] {
                      print(help_of(app, *words));
                      return ExitCode::success;
                  },
                  false};
    });
}

void add_completion(CLI::App& app, Chosen& chosen) {
    CLI::App& command = *app.add_subcommand("completion", "Print a script that makes a shell complete ndsim's options");
    const auto shell = std::make_shared<std::string>();
    command.add_option("SHELL", *shell, "bash or zsh")
        ->required()
        ->option_text(" ")
        ->check(CLI::IsMember({"bash", "zsh"}, CLI::ignore_case));
    command.footer("Example: ndsim completion bash > ndsim.bash");
    command.callback([&app, shell, &chosen] {
        chosen = {[&app, shell] {
                      print(*shell == "bash" ? bash_completion(app) : zsh_completion(app));
                      return ExitCode::success;
                  },
                  false};
    });
}

void add_manual(CLI::App& app, Chosen& chosen) {
    CLI::App& command = *app.add_subcommand("manual", "Print the manual page in man format");
    command.footer("Example: ndsim manual > ndsim.1");
    command.callback([&app, &chosen] {
        chosen = {[&app] {
                      print(manual(app));
                      return ExitCode::success;
                  },
                  false};
    });
}

}  // namespace ndsim::cli
