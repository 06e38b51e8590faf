// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ndsim {

// Makes the calls that are queued to the calling thread (QueueUserAPC). Whether there were any.
bool make_queued_calls();

}  // namespace ndsim
