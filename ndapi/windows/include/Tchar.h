// SPDX-License-Identifier: Apache-2.0
// The same as tchar.h.
#pragma once

#include "ndapi/windows/include/tchar.h"
