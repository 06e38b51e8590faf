// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>

#include <memory>
#include <string>

#include "tools/cli/command.hpp"
#include "tools/cli/help_pages.hpp"
#include "tools/cli/output.hpp"

namespace ndsim::cli {

void add_completion(CLI::App& app, Chosen& chosen) {
    CLI::App& command = *app.add_subcommand("completion", "Print what makes a shell complete ndsim's options");
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
    CLI::App& command = *app.add_subcommand("manual", "Print the manual page, in man's notation");
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
