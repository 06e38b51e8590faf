// SPDX-License-Identifier: Apache-2.0
// What Windows' time.h has beside the C library's: hosts live in UTC. For C++ and C.
#pragma once

#include <stddef.h>
#include <time.h>

#include "ndapi/windows/abi/errno_type.h"

#ifdef __cplusplus
extern "C" {
#endif

errno_t localtime_s(struct tm* parts, const time_t* seconds);
errno_t gmtime_s(struct tm* parts, const time_t* seconds);
// "Wed Jan  1 00:00:00 2025" and a line feed: 26 characters with the terminator; ERANGE if there are fewer.
errno_t ctime_s(char* text, size_t size, const time_t* seconds);

#ifdef __cplusplus
}
#endif
