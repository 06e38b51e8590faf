// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ndsim {

// A thread of the pool calls the function; a new one if all are busy and a core is left. False if there is no thread
// at all for it: the last error is set then, and nothing will be called.
bool run_in_pool(void (*function)(void*), void* argument);

}  // namespace ndsim
