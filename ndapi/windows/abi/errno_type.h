// SPDX-License-Identifier: Apache-2.0
// What Windows' own functions of the C library return: 0 or an error of errno.h. For C++ and C.
#pragma once

typedef int errno_t;

#define _TRUNCATE ((size_t)-1)  // of the safe copies: as much as there is room for
