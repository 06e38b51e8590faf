// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/config/quantity.hpp"
#include "sim/files/whole_file.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/output.hpp"
#include "tools/inspect/command.hpp"
#include "tools/inspect/vcd_waves.hpp"
#include "tools/inspect/wave_json.hpp"

namespace ndsim::inspect {

namespace {

// The options of the command.
struct WaveArguments {
    std::string folder;
    std::string from;
    std::string to;
    std::vector<std::string> signals;
    std::string out;
};

std::optional<Picoseconds> time_of(const std::string& option, const std::string& text) {
    if (text.empty()) {
        return std::nullopt;
    }
    const Parsed<std::uint64_t> time = parse(Quantity::time, text);
    if (!time.value) {
        throw cli::UsageError(option + ": " + time.error);
    }
    return Picoseconds{static_cast<std::int64_t>(*time.value)};
}

cli::ExitCode wave(const WaveArguments& arguments) {
    const WaveChoice choice{time_of("--from", arguments.from), time_of("--to", arguments.to), arguments.signals};
    if (choice.from && choice.to && *choice.from > *choice.to) {
        throw cli::UsageError(
            fmt::format("--from: {} is later than --to, {}", ndsim::to_text(*choice.from), ndsim::to_text(*choice.to)));
    }
    std::filesystem::path folder = std::filesystem::path(arguments.folder).lexically_normal();
    const std::string title = folder.has_filename() ? folder.filename() : folder.parent_path().filename();
    const RecordedWaves waves =
        read_waves(arguments.folder, choice.from.value_or(Picoseconds::min()), choice.to.value_or(Picoseconds::max()));
    const std::string text = cli::to_text(wave_json(waves, choice, title));
    if (arguments.out.empty()) {
        cli::print(text);
    } else if (const auto why = write_whole_file(arguments.out, text)) {
        throw cli::OutputError(arguments.out + ": " + *why);
    }
    return cli::ExitCode::success;
}

}  // namespace

void add_wave(CLI::App& app, cli::Chosen& chosen) {
    CLI::App& command = *app.add_subcommand("wave", "Print a part of a run's waveform as WaveJSON");
    const auto arguments = std::make_shared<WaveArguments>();
    command.add_option("RUN", arguments->folder, "Folder of the run")
        ->required()
        ->option_text(" ")
        ->check(cli::not_empty());
    command.add_option("--from", arguments->from, "Time at which the picture begins, such as '60 us'")
        ->type_name("TIME")
        ->check(cli::not_empty());
    command.add_option("--to", arguments->to, "Time at which the picture ends")
        ->type_name("TIME")
        ->check(cli::not_empty());
    command
        .add_option("--signals", arguments->signals,
                    "Signals to show; * is any text; may be repeated (default: all that change in this time)")
        ->type_name("PATTERN")
        ->take_all()
        ->allow_extra_args(false);
    command.add_option("--out", arguments->out, "File for the picture (default: stdout)")
        ->type_name("FILE")
        ->check(cli::not_empty());
    command.footer("Example: ndsim wave out/quickstart --signals 'l0_*.packet' --signals B.nic.rx.packet");
    command.callback([arguments, &chosen] { chosen = {[arguments] { return wave(*arguments); }, false}; });
}

}  // namespace ndsim::inspect
