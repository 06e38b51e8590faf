// SPDX-License-Identifier: Apache-2.0
// The C library's, and what Windows' has besides.
#pragma once

#include_next <stdlib.h>

#include "ndapi/windows/include/ndsim/path_parts.h"
#include "ndapi/windows/include/ndsim/rand_max.h"

#include "ndapi/windows/abi/aligned_memory.h"
#include "ndapi/windows/abi/scanning.h"
#include "ndapi/windows/abi/text.h"

#ifndef _countof
#define _countof(array) (sizeof(array) / sizeof((array)[0]))
#endif
#ifndef __max
#define __max(a, b) ((a) > (b) ? (a) : (b))
#define __min(a, b) ((a) < (b) ? (a) : (b))
#endif
