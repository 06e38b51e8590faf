// SPDX-License-Identifier: Apache-2.0
#pragma once

// Characters of a path and its parts, terminators included.
#define _MAX_PATH 260
#define _MAX_DRIVE 3
#define _MAX_DIR 256
#define _MAX_FNAME 256
#define _MAX_EXT 256
