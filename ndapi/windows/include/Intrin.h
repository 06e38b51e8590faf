// SPDX-License-Identifier: Apache-2.0
// The same as intrin.h.
#pragma once

#include "ndapi/windows/include/intrin.h"
