// SPDX-License-Identifier: Apache-2.0
// The same as strsafe.h.
#pragma once

#include "ndapi/windows/include/strsafe.h"
