// SPDX-License-Identifier: Apache-2.0
// The same as windef.h.
#pragma once

#include "ndapi/windows/include/windef.h"
