// SPDX-License-Identifier: Apache-2.0
// The same as sdkddkver.h.
#pragma once

#include "ndapi/win/include/sdkddkver.h"
