// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "tools/cli/help_pages.hpp"

namespace ndsim::cli {

namespace {

std::string words_of(const CLI::App& app) {
    std::string words;
    for (const CLI::App* const command : commands_of(app)) {
        words += command->get_name() + ' ';
    }
    for (const CLI::Option* const option : options_of(app)) {
        for (const std::string& name : option->get_lnames()) {
            words += "--" + name + ' ';
        }
    }
    words.pop_back();  // --help always exists
    return words;
}

// "run" and the like with its arguments, then its own commands as "presets show".
void add_cases(std::string& text, const CLI::App& app, const std::string& path) {
    for (const CLI::App* const command : commands_of(app)) {
        const std::string name = path + command->get_name();
        text += fmt::format("        '{}') words='{}' ;;\n", name, words_of(*command));
        add_cases(text, *command, name + ' ');
    }
}

// 'run'|'presets'|'presets show'|
std::string paths_of(const CLI::App& app, const std::string& path) {
    std::string paths;
    for (const CLI::App* const command : commands_of(app)) {
        const std::string name = path + command->get_name();
        paths += '\'' + name + "'|" + paths_of(*command, name + ' ');
    }
    return paths;
}

// In zsh's specifications brackets and colons are special, and quotes end the word.
std::string zsh_quoted(const std::string& text) {
    std::string quoted;
    for (const char c : text) {
        if (c == '[' || c == ']' || c == ':' || c == '\\') {
            quoted += '\\';
        }
        quoted += c == '\'' ? "'\\''" : std::string(1, c);
    }
    return quoted;
}

std::string zsh_option(const CLI::Option& option) {
    std::string text;
    for (const std::string& name : option.get_lnames()) {
        const bool takes_value = option.get_items_expected_max() > 0 && option.get_expected_max() > 0;
        text += fmt::format(" \\\n                '{}--{}{}[{}]{}'", option.get_expected_max() > 1 ? "*" : "", name,
                            takes_value ? "=" : "", zsh_quoted(option.get_description()),
                            takes_value ? ":" + zsh_quoted(option.get_type_name()) + ":_files" : "");
    }
    return text;
}

}  // namespace

std::string bash_completion(const CLI::App& app) {
    std::string cases;
    add_cases(cases, app, "");
    std::string paths = paths_of(app, "");
    paths.pop_back();  // removes the last bar
    return fmt::format(R"(# Completion of ndsim in bash.
_ndsim() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} path= words i
    for ((i = 1; i < COMP_CWORD; ++i)); do
        case "${{path:+$path }}${{COMP_WORDS[i]}}" in
            {}) path=${{path:+$path }}${{COMP_WORDS[i]}} ;;
            *) break ;;
        esac
    done
    case $path in
        '') words='{}' ;;
{}    esac
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word"; [[ -z $path || $word == -* ]] || compgen -f -- "$word")
}}
complete -o filenames -F _ndsim ndsim
)",
                       paths, words_of(app), cases);
}

std::string zsh_completion(const CLI::App& app) {
    std::string commands;
    std::string cases;
    for (const CLI::App* const command : commands_of(app)) {
        commands += fmt::format("        '{}:{}'\n", command->get_name(), zsh_quoted(command->get_description()));
        std::string arguments;
        for (const CLI::Option* const option : options_of(*command)) {
            arguments += zsh_option(*option);
        }
        std::string own;
        for (const CLI::App* const each : commands_of(*command)) {
            own += each->get_name() + ' ';
        }
        cases +=
            fmt::format("            {})\n                _arguments{} \\\n                {}\n                ;;\n",
                        command->get_name(), arguments,
                        own.empty() ? "'*:file:_files'" : "'1:command:(" + own + ")' '*:file:_files'");
    }
    return fmt::format(R"(#compdef ndsim
# Completion of ndsim in zsh.
_ndsim() {{
    local state
    local -a commands=(
{}    )
    _arguments -C '--help[Print this help message and exit]' '--version[Print the versions]' \
        '1:command:->command' '*::argument:->argument'
    case $state in
        command) _describe command commands ;;
        argument)
            case $words[1] in
{}            esac
            ;;
    esac
}}
_ndsim "$@"
)",
                       commands, cases);
}

}  // namespace ndsim::cli
