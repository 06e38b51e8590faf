// SPDX-License-Identifier: Apache-2.0
// The same as ws2def.h.
#pragma once

#include "ndapi/windows/include/ws2def.h"
