// SPDX-License-Identifier: Apache-2.0
#include "scenarios/format/schema.hpp"

#include "tools/cli/command.hpp"
#include "tools/cli/output.hpp"

namespace ndsim::cli {

void add_schema(CLI::App& app, Chosen& chosen) {
    CLI::App& command = *app.add_subcommand("schema", "Print the JSON Schema of scenario files, for editors");
    command.footer("Example: ndsim schema > scenario.schema.json");
    command.callback([&chosen] {
        chosen = {[] {
                      print(schema());
                      return ExitCode::success;
                  },
                  false};
    });
}

}  // namespace ndsim::cli
