// SPDX-License-Identifier: Apache-2.0
// The same as ndsupport.h.
#pragma once

#include "ndapi/windows/include/ndsupport.h"
