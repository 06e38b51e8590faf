// SPDX-License-Identifier: Apache-2.0
// The same as winnt.h.
#pragma once

#include "ndapi/windows/include/winnt.h"
