// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ndsim {

// Calls the program's handler of this signal, once for each call of signal(); false if there is none.
bool call_signal_handler(int number);

}  // namespace ndsim
