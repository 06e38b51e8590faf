// SPDX-License-Identifier: Apache-2.0
// The same as sal.h.
#pragma once

#include "ndapi/windows/include/sal.h"
