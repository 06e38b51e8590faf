// SPDX-License-Identifier: Apache-2.0
// The C library's, and what Windows' has besides.
#pragma once

#include_next <stdlib.h>

#include "ndapi/win/aligned_memory.h"
#include "ndapi/win/scanning.h"
#include "ndapi/win/text.h"

// Characters of a path and its parts, terminators included.
#define _MAX_PATH 260
#define _MAX_DRIVE 3
#define _MAX_DIR 256
#define _MAX_FNAME 256
#define _MAX_EXT 256

#ifndef _countof
#define _countof(array) (sizeof(array) / sizeof((array)[0]))
#endif
#ifndef __max
#define __max(a, b) ((a) > (b) ? (a) : (b))
#define __min(a, b) ((a) < (b) ? (a) : (b))
#endif
