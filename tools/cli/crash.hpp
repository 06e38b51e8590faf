// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ndsim::cli {

// From now on a thread that crashes waits for a moment, so that another can tell of it, and then ends the process as it
// would have at once.
void catch_crashes();
// The signal of a crash; 0 without one.
[[nodiscard]] int crash_signal();
// The crash has been told of, or nobody tells of a later one.
void end_crash();

}  // namespace ndsim::cli
