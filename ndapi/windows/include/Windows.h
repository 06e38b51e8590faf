// SPDX-License-Identifier: Apache-2.0
// The same as windows.h.
#pragma once

#include "ndapi/windows/include/windows.h"
