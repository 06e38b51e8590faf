// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ndsim::cli {

// From now on the first Ctrl-C (or SIGTERM, or SIGHUP) only asks the run to stop; a second one ends the process at
// once.
void catch_interrupts();
[[nodiscard]] bool interrupted();

}  // namespace ndsim::cli
