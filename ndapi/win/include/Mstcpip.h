// SPDX-License-Identifier: Apache-2.0
// The same as mstcpip.h.
#pragma once

#include "ndapi/win/include/mstcpip.h"
