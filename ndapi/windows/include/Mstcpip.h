// SPDX-License-Identifier: Apache-2.0
// The same as mstcpip.h.
#pragma once

#include "ndapi/windows/include/mstcpip.h"
