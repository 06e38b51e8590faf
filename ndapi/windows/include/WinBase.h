// SPDX-License-Identifier: Apache-2.0
// The same as winbase.h.
#pragma once

#include "ndapi/windows/include/winbase.h"
