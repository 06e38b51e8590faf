// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ndsim::cli {

// The exit codes of the command. The numbers are part of its interface.
enum class ExitCode : int {
    success = 0,
    expectation_failed = 1,
    usage = 2,
    scenario_invalid = 3,
    internal_error = 4,
    limit_hit = 5,
    stalled = 6,
    output_unwritten = 7,
    interrupted = 130,
};

}  // namespace ndsim::cli
