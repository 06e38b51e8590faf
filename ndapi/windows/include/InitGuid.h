// SPDX-License-Identifier: Apache-2.0
// The same as initguid.h.
#pragma once

#include "ndapi/windows/include/initguid.h"
