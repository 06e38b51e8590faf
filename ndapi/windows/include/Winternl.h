// SPDX-License-Identifier: Apache-2.0
// The same as winternl.h.
#pragma once

#include "ndapi/windows/include/winternl.h"
