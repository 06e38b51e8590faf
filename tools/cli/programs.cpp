// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/programs.hpp"

#include <fmt/format.h>

#include <CLI/StringTools.hpp>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "sim/base/nearest_name.hpp"
#include "sim/base/text.hpp"
#include "tools/cli/failure.hpp"

namespace ndsim::cli {

Programs::Programs(const std::vector<std::string>& commands, const Scenario& scenario) {
    if (scenario.payload == PayloadMode::timing) {
        throw UsageError(R"(programs need the bytes of their messages: leave out "payload": "timing")");
    }
    for (const std::string& command : commands) {
        add(command, scenario);
    }
}

void Programs::add(const std::string& command, const Scenario& scenario) {
    const std::size_t equals = command.find('=');
    std::vector<std::string> words;
    if (equals != std::string::npos) {
        words = CLI::detail::split_up(command.substr(equals + 1));
    }
    if (words.empty()) {
        throw UsageError(
            fmt::format("--host {}: expected HOST=FILE ARGUMENTS, such as 'A=libserver.so -s'", in_quotes(command)));
    }
    const std::string host = command.substr(0, equals);
    const std::vector<std::string> known = scenario.host_names();
    if (std::ranges::find(known, host) == known.end()) {
        const auto meant = nearest(host, known);
        throw UsageError(
            fmt::format("--host {}: the scenario has no host {}{}", in_quotes(command), in_quotes(host),
                        meant ? "; did you mean " + in_quotes(*meant) + "?" : ". There are " + join(known, ", ")));
    }
    for (const Traffic& traffic : scenario.traffic) {
        if (host == traffic.from.host || host == traffic.to.host) {
            throw UsageError(fmt::format("--host {}: generator {} uses host {}, and no other program can run there",
                                         in_quotes(command), in_quotes(traffic.name), in_quotes(host)));
        }
    }
    if (programs_.contains(host)) {
        throw UsageError(fmt::format("--host {}: host {} has a program already", in_quotes(command), in_quotes(host)));
    }
    try {
        programs_.try_emplace(host, ProgramFile(words.front(), {words.begin() + 1, words.end()}));
    } catch (const ProgramFileError& error) {
        throw UsageError(fmt::format("--host {}: {}", in_quotes(command), error.what()));
    }
}

void Programs::give_to(RunOptions& options, const RunFolder& folder, bool shown) {
    for (auto& [host, program] : programs_) {
        program.output.open(fmt::format("{}/output-{}.txt", folder.path(), host), std::ios::binary);
        options.programs[host] = [&program = program](HostContext& context) {
            program.exit_code = context.run_program([&program](ProgramHost& os) { return program.file.run(os); });
        };
    }
    options.on_output = [this, shown](std::string_view host, int stream, std::string_view text) {
        Program& program = programs_.find(host)->second;
        program.output << text << std::flush;
        if (shown) {
            show(host, stream, program.lines[stream == 1 ? 0 : 1], text);
        }
    };
}

// Prints only whole lines, each with its host in front: programs of two hosts print at the same time.
void Programs::show(std::string_view host, int stream, std::string& line, std::string_view text) const {
    for (const char c : text) {
        if (c != '\n') {
            line += c;
            continue;
        }
        fmt::print(stream == 1 ? stdout : stderr, "{}: {}\n", host, line);
        line.clear();
    }
    static_cast<void>(std::fflush(stream == 1 ? stdout : stderr));
}

void Programs::finish_lines() {
    for (auto& [host, program] : programs_) {
        for (int stream = 1; stream <= 2; ++stream) {
            if (std::string& line = program.lines[stream - 1]; !line.empty()) {
                show(host, stream, line, "\n");
            }
        }
    }
}

bool Programs::all_succeeded() const {
    return std::ranges::all_of(programs_, [](const auto& each) { return each.second.exit_code == 0; });
}

std::string Programs::failures() const {
    std::vector<std::string> texts;
    for (const auto& [host, program] : programs_) {
        if (program.exit_code && *program.exit_code != 0) {
            texts.push_back(fmt::format("the program of {} ended with {}", host, *program.exit_code));
        }
    }
    return join(texts, ", ");
}

nlohmann::ordered_json Programs::to_json() const {
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    for (const auto& [host, program] : programs_) {
        json[host]["file"] = program.file.path();
        json[host]["arguments"] = program.file.arguments();
        if (program.exit_code) {
            json[host]["exit_code"] = *program.exit_code;
        }
    }
    return json;
}

}  // namespace ndsim::cli
