// SPDX-License-Identifier: Apache-2.0
// The same as ndstatus.h.
#pragma once

#include "ndapi/windows/include/ndstatus.h"
