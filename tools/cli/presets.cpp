// SPDX-License-Identifier: Apache-2.0
#include "scenarios/format/presets.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>

#include "models/switch/switch_params.hpp"
#include "sim/config/params.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/table.hpp"

namespace ndsim::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, kPresetNames.size()> kAbout{
    "a generic 100G NIC on an FPGA", "sized like a ConnectX-5, 100G; the default", "sized like a ConnectX-6, 200G",
    "sized like a ConnectX-7, 400G"};

// A parameter in a preset.
struct Row {
    std::string path;
    std::string value;
    std::string_view mark;
    std::string_view source;
    std::string_view sentence;
};

template <class S>
void add_rows(std::vector<Row>& rows, S& s, const std::string& prefix, std::size_t preset) {
    for (const Param& param : params_of(s, prefix)) {
        Row row{param.path(), param.current(), word(param.mark()), "default", param.sentence()};
        if (const PresetRow* const set = preset_row(param.path())) {
            row.source = set->sources.at(preset);
            row.mark = word(mark_of(row.source));
        }
        rows.push_back(std::move(row));
    }
}

std::size_t column_of(const std::string& preset) {
    return static_cast<std::size_t>(std::find(kPresetNames.begin(), kPresetNames.end(), preset) - kPresetNames.begin());
}

std::vector<Row> rows_of(const std::string& preset) {
    NodeParams node;
    LinkParams link;
    SwitchParams network_switch;
    apply_preset(preset, node);
    apply_preset(preset, link);
    std::vector<Row> rows;
    add_rows(rows, node, "", column_of(preset));
    add_rows(rows, link, "link", column_of(preset));
    add_rows(rows, network_switch, "switch", column_of(preset));
    return rows;
}

ExitCode list(bool json) {
    Json result = Json::object();
    Table table({Align::left, Align::left});
    for (std::size_t i = 0; i < kPresetNames.size(); ++i) {
        table.row({std::string(kPresetNames[i]), std::string(kAbout[i])});
        result[std::string(kPresetNames[i])] = kAbout[i];
    }
    if (json) {
        print_envelope(ExitCode::success, {{"result", std::move(result)}});
    } else {
        print(table.text(Paint(stdout)) + "\n\"ndsim presets show B\" prints the parameters of one.\n");
    }
    return ExitCode::success;
}

ExitCode show(const std::string& preset, bool json) {
    const std::vector<Row> rows = rows_of(preset);
    if (json) {
        Json result = Json::object();
        for (const Row& row : rows) {
            result[row.path] = {
                {"value", row.value}, {"mark", row.mark}, {"source", row.source}, {"sentence", row.sentence}};
        }
        print_envelope(ExitCode::success, {{"result", std::move(result)}});
        return ExitCode::success;
    }
    Table table({Align::left, Align::left, Align::left, Align::left, Align::left});
    table.heading({"parameter", "value", "mark", "source", "what it is"});
    for (const Row& row : rows) {
        table.row({row.path, row.value, std::string(row.mark), std::string(row.source), std::string(row.sentence)});
    }
    print(fmt::format("Preset {}: {}.\n{}", preset, kAbout.at(column_of(preset)), table.text(Paint(stdout))) +
          "\nMarks, of the value in this preset: seen in a public source, from memory of one, derived from others, an\n"
          "estimate, documented by the interface. Sources: docs/model/sources.md; \"default\" is the same in all\n"
          "presets.\n");
    return ExitCode::success;
}

}  // namespace

void add_presets(CLI::App& app, Chosen& chosen) {
    CLI::App& command = *app.add_subcommand("presets", "List the presets, or show the parameters of one");
    const auto json = std::make_shared<bool>(false);
    const auto name = std::make_shared<std::string>();
    command.require_subcommand(0, 1);
    command.fallthrough(false);
    CLI::App& all = *command.add_subcommand("list", "List the presets (the default)");
    all.fallthrough();
    all.footer("Example: ndsim presets list --json");
    CLI::App& one = *command.add_subcommand("show", "Show the parameters of a preset with their sources");
    one.fallthrough();
    one.add_option("NAME", *name, "Name of the preset")
        ->required()
        ->option_text(fmt::format("{}", fmt::join(kPresetNames, "|")))
        ->check(CLI::IsMember(std::vector<std::string>(kPresetNames.begin(), kPresetNames.end())));
    one.footer("Example: ndsim presets show B");
    command.footer("Example: ndsim presets show B");
    for (CLI::App* const each : {&command, &all, &one}) {
        each->add_flag("--json", *json, "Print the result as JSON");
    }
    command.callback([json, name, &chosen] {
        chosen = {[json, name] { return name->empty() ? list(*json) : show(*name, *json); }, *json};
    });
}

}  // namespace ndsim::cli
