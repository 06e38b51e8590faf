// SPDX-License-Identifier: Apache-2.0
// The same as psapi.h.
#pragma once

#include "ndapi/windows/include/psapi.h"
