// SPDX-License-Identifier: Apache-2.0
// The same as process.h.
#pragma once

#include "ndapi/windows/include/process.h"
