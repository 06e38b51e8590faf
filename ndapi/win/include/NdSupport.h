// SPDX-License-Identifier: Apache-2.0
// The same as ndsupport.h.
#pragma once

#include "ndapi/win/include/ndsupport.h"
