// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ndsim {

// What a program does last: its exit handlers, the newest first, and closing what freopen opened.
void wind_up();

}  // namespace ndsim
