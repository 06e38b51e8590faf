// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "scenarios/run/run.hpp"
#include "tools/cli/exit_code.hpp"

namespace ndsim::cli {

// What the end of a run means for the command's; `why` is what to tell the user about it.
struct Ending {
    ExitCode exit = ExitCode::success;
    std::string why;
};
[[nodiscard]] Ending ending_of(const RunResult& result);

}  // namespace ndsim::cli
