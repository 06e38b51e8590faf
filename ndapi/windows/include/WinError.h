// SPDX-License-Identifier: Apache-2.0
// The same as winerror.h.
#pragma once

#include "ndapi/windows/include/winerror.h"
