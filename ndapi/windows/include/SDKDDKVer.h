// SPDX-License-Identifier: Apache-2.0
// The same as sdkddkver.h.
#pragma once

#include "ndapi/windows/include/sdkddkver.h"
