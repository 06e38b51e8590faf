// SPDX-License-Identifier: Apache-2.0
// The same as nddef.h.
#pragma once

#include "ndapi/windows/include/nddef.h"
