// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "scenarios/result/version.hpp"
#include "tools/cli/help_pages.hpp"

namespace ndsim::cli {

namespace {

// Text in man's notation, in which a backslash, and a full stop or a quote at the start of a line, are special.
std::string roff(const std::string& text) {
    std::string escaped;
    bool begins = true;
    for (const char c : text) {
        if (begins && (c == '.' || c == '\'')) {
            escaped += "\\&";
        }
        escaped += c == '\\' ? std::string("\\e") : c == '-' ? std::string("\\-") : std::string(1, c);
        begins = c == '\n';
    }
    return escaped;
}

std::string headline(const CLI::Option& option) {
    if (option.get_positional()) {
        return "\\fI" + roff(option.get_name()) + "\\fR";
    }
    std::string names;
    for (const std::string& name : option.get_snames()) {
        names += fmt::format("\\fB\\-{}\\fR, ", roff(name));
    }
    for (const std::string& name : option.get_lnames()) {
        names += fmt::format("\\fB\\-\\-{}\\fR, ", roff(name));
    }
    names.resize(names.size() - 2);
    const bool takes_value = option.get_items_expected_max() > 0;
    return takes_value ? names + " \\fI" + roff(option.get_type_name()) + "\\fR" : names;
}

void add_options(std::string& text, const CLI::App& command) {
    for (const CLI::Option* const option : options_of(command)) {
        text += fmt::format(".TP\n{}\n{}\n", headline(*option), roff(option->get_description()));
    }
}

void add_command(std::string& text, const CLI::App& command, const std::string& path) {
    const std::string name = path + ' ' + command.get_name();
    text += fmt::format(".SS {}\n{}.\n", roff(name), roff(command.get_description()));
    add_options(text, command);
    if (!command.get_footer().empty()) {
        text += fmt::format(".PP\n{}\n", roff(command.get_footer()));
    }
    for (const CLI::App* const each : commands_of(command)) {
        add_command(text, *each, name);
    }
}

// The same as in docs/scenario-reference.md and "exit_code.hpp".
constexpr const char* kExit = R"(.SH EXIT STATUS
.TP
.B 0
All expectations are met.
.TP
.B 1
An expectation or a target is not met, or the compared runs differ.
.TP
.B 2
The command line is wrong.
.TP
.B 3
The scenario is wrong.
.TP
.B 4
An invariant of the simulator is broken. This is a defect of ndsim.
.TP
.B 5
A limit was hit: time, events, size of a file.
.TP
.B 6
The run stalled: nothing can happen any more, but something still waits.
.TP
.B 7
An output could not be written.
.TP
.B 130
The command was interrupted. The files written so far can be read.
)";

}  // namespace

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
    return app.get_subcommands([](const CLI::App* command) { return !command->get_name().empty(); });
}

std::vector<const CLI::Option*> options_of(const CLI::App& app) {
    return app.get_options([](const CLI::Option*) { return true; });
}

std::string manual(const CLI::App& app) {
    std::string text = fmt::format(
        ".TH NDSIM 1 \"\" \"ndsim {}\" \"ndsim\"\n.SH NAME\nndsim \\- cycle\\-approximate simulator of RDMA NICs\n"
        ".SH SYNOPSIS\n.B ndsim\n.I COMMAND\n[\\fIARGUMENTS\\fR]\n.SH DESCRIPTION\n{}\n.SH OPTIONS\n",
        version(), roff(app.get_description()));
    add_options(text, app);
    text += ".SH COMMANDS\n";
    for (const CLI::App* const command : commands_of(app)) {
        add_command(text, *command, "ndsim");
    }
    text += kExit;
    text +=
        ".SH FILES\nLibrary scenarios are in \\fIshare/ndsim/scenarios\\fR beside the command's folder. A file that is "
        "not found is also looked up there, so that \\fBndsim run quickstart\\fR works. All pages are in "
        "\\fIshare/doc/ndsim\\fR.\n";
    return text;
}

}  // namespace ndsim::cli
