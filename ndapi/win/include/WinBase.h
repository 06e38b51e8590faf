// SPDX-License-Identifier: Apache-2.0
// The same as winbase.h.
#pragma once

#include "ndapi/win/include/winbase.h"
