// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <systemc>

#include "scenarios/result/version.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/output.hpp"

namespace ndsim::cli {

namespace {

std::string systemc_version() {
    return fmt::format("{}.{}.{}", sc_core::sc_version_major, sc_core::sc_version_minor, sc_core::sc_version_patch);
}

}  // namespace

std::string version_line() {
    return fmt::format("ndsim {} (SystemC {})", version(), systemc_version());
}

void add_version(CLI::App& app, Chosen& chosen) {
    CLI::App& command = *app.add_subcommand("version", "Print the versions of ndsim and of SystemC");
    const auto json = std::make_shared<bool>(false);
    command.add_flag("--json", *json, "Print JSON");
    command.footer("Example: ndsim version");
    command.callback([json, &chosen] {
        chosen = {[json] {
                      if (*json) {
                          print_envelope(ExitCode::success,
                                         {{"result", {{"ndsim", version()}, {"systemc", systemc_version()}}}});
                      } else {
                          print(version_line() + "\n");
                      }
                      return ExitCode::success;
                  },
                  *json};
    });
}

}  // namespace ndsim::cli
