// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include <filesystem>
#include <memory>
#include <string_view>

#include "scenarios/format/schema.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/run_folder.hpp"

namespace ndsim::cli {

extern const std::string_view kStartingScenario;

namespace {

constexpr std::string_view kSchemaFile = "ndsim.schema.json";  // the starting scenario names it

// Comments are part of JSONC, which editors know by this extension.
std::filesystem::path file_of(const std::string& name) {
    std::filesystem::path file = name;
    const std::filesystem::path last = file.filename();
    if (last.empty() || last == "." || last == "..") {
        throw UsageError(fmt::format("{}: expected the name of a file, got that of a folder", name));
    }
    return file.has_extension() ? file : file.replace_extension(".jsonc");
}

ExitCode make_scenario(const std::string& name) {
    const std::filesystem::path file = file_of(name);
    if (std::filesystem::exists(file)) {
        throw UsageError(fmt::format("{}: there is such a file already; it is not overwritten", file.string()));
    }
    const std::filesystem::path schema_file = file.parent_path() / kSchemaFile;
    write_file(schema_file.string(), schema());
    write_file(file.string(), std::string(kStartingScenario));
    print(
        fmt::format("{0}: a scenario to start from\n{1}: the schema that editors check {2} against\n\nNext\n"
                    "  ndsim run {3}\n  ndsim check {3}\n  ndsim metrics {3}\n",
                    file.string(), schema_file.string(), file.filename().string(), in_shell(file.string())));
    return ExitCode::success;
}

}  // namespace

void add_new(CLI::App& app, Chosen& chosen) {
    CLI::App& command = *app.add_subcommand("new", "Write a commented scenario file to start from");
    const auto name = std::make_shared<std::string>();
    command.add_option("NAME", *name, "The file to write; without an extension it gets .jsonc")
        ->required()
        ->check(not_empty())
        ->option_text(" ");
    command.footer(
        "ndsim.schema.json is written beside the file. With it an editor completes keys and values, and marks errors "
        "where they are. It is that of `ndsim schema`, and is written anew each time.\n\n"
        "Example: ndsim new my-scenario");
    command.callback([name, &chosen] { chosen = {[name] { return make_scenario(*name); }, false}; });
}

}  // namespace ndsim::cli
