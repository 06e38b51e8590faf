// SPDX-License-Identifier: Apache-2.0
// The same as ndstatus.h.
#pragma once

#include "ndapi/win/include/ndstatus.h"
