// SPDX-License-Identifier: Apache-2.0
// The same as guiddef.h.
#pragma once

#include "ndapi/windows/include/guiddef.h"
