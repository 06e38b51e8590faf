// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ndsim {

// Calls the program's handler of this signal, once for each call of signal(). False if the signal has its default; true
// also if the program ignores it.
bool call_signal_handler(int number);

}  // namespace ndsim
