// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ndsim::cli {

// From now on Ctrl-C (and SIGTERM) only asks the run to stop, the first time; a second one ends the process at once.
void catch_interrupts();
[[nodiscard]] bool interrupted();

}  // namespace ndsim::cli
