// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/usage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "sim/base/nearest_name.hpp"
#include "sim/base/text.hpp"

namespace ndsim::cli {

namespace {

// The command named by the known words: "ndsim presets show".
struct Named {
    const CLI::App* app;
    std::string path;
};

Named named_by_words(const CLI::App& app) {
    Named command{&app, app.get_name()};
    while (!command.app->get_subcommands().empty()) {
        command.app = command.app->get_subcommands().front();
        command.path += " " + command.app->get_name();
    }
    return command;
}

std::vector<std::string> command_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* const command : app.get_subcommands([](const CLI::App*) { return true; })) {
        names.push_back(command->get_name());
    }
    return names;
}

std::vector<std::string> option_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::Option* const option : app.get_options()) {
        for (const std::string& name : option->get_lnames()) {
            names.push_back("--" + name);
        }
    }
    return names;
}

std::string no_such(const std::string& what, const std::string& name, const std::vector<std::string>& known) {
    const auto meant = nearest(name, known);
    return fmt::format("there is no {} {}{}", what, in_quotes(name),
                       meant ? "; did you mean " + in_quotes(*meant) + "?" : ". There are " + join(known, ", "));
}

// The message about a superfluous word.
std::string surplus(const Named& command, const std::string& word) {
    if (word.starts_with("-") && !word.starts_with("--")) {
        return "there is no option " + in_quotes(word);
    }
    if (word.starts_with("--")) {
        return no_such("option", word.substr(0, word.find('=')), option_names(*command.app));
    }
    if (const auto commands = command_names(*command.app); !commands.empty()) {
        return no_such("command", word, commands);
    }
    const auto options = option_names(*command.app);
    if (word.find('=') != std::string::npos && std::count(options.begin(), options.end(), "--set") > 0) {
        return in_quotes(word) + " needs a --set of its own";
    }
    return in_quotes(word) + " is one argument too many";
}

// Whether the word is an option of the command, and stands before its name.
bool is_early(const CLI::App& app, const Named& command, const std::string& word) {
    const std::vector<std::string> before = app.remaining();
    return command.app != &app && word.starts_with("-") &&
           std::find(before.begin(), before.end(), word) != before.end() &&
           command.app->get_option_no_throw(word.substr(0, word.find('='))) != nullptr;
}

}  // namespace

std::string no_command(const CLI::App& app, const std::string& word) {
    return no_such("command", word, command_names(app));
}

std::vector<std::string> without_mark(std::span<char* const> words) {
    std::vector<std::string> all;
    bool behind = false;
    for (const std::string_view word : words) {
        if (!behind && word == "--") {
            behind = true;
        } else {
            all.push_back((behind && word.starts_with('-') && word != "-" ? "./" : "") + std::string(word));
        }
    }
    return all;
}

std::optional<std::string> unknown_command(const CLI::App& app, const std::vector<std::string>& words) {
    if (words.size() < 2 || words[1].empty() || words[1].front() == '-') {
        return std::nullopt;
    }
    const auto known = command_names(app);
    if (std::find(known.begin(), known.end(), words[1]) != known.end()) {
        return std::nullopt;
    }
    return no_command(app, words[1]);
}

Failure usage_failure(const CLI::App& app, const CLI::ParseError& error) {
    const Named command = named_by_words(app);
    std::string message = error.what();
    if (const auto words = app.remaining(true); !words.empty()) {
        message = is_early(app, command, words.front())
                      ? fmt::format("put {} behind {}", in_quotes(words.front()), in_quotes(command.path))
                      : surplus(command, words.front());
    }
    message += message.ends_with("?") ? " See " : "; see ";
    return {ExitCode::usage, message + command.path + " --help"};
}

}  // namespace ndsim::cli
