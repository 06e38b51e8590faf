// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "scenarios/run/run.hpp"
#include "tools/cli/exit_code.hpp"

namespace ndsim::cli {

// The exit code after a run; `why` is the message to the user.
struct Ending {
    ExitCode exit = ExitCode::success;
    std::string why;
};
[[nodiscard]] Ending ending_of(const RunResult& result);

}  // namespace ndsim::cli
