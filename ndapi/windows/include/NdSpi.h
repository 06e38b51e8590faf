// SPDX-License-Identifier: Apache-2.0
// The same as ndspi.h.
#pragma once

#include "ndapi/windows/include/ndspi.h"
