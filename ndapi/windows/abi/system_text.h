// SPDX-License-Identifier: Apache-2.0
// Functions on strings that Windows has beside those of the C library. For C++ and C.
#pragma once

#include <stdarg.h>

#include "ndapi/windows/abi/names.h"

#ifdef __cplusplus
extern "C" {
#endif

int lstrlenA(LPCSTR text);
int lstrlenW(LPCWSTR text);
int lstrcmpA(LPCSTR one, LPCSTR other);
int lstrcmpW(LPCWSTR one, LPCWSTR other);
int lstrcmpiA(LPCSTR one, LPCSTR other);
int lstrcmpiW(LPCWSTR one, LPCWSTR other);
// At most `size` characters with the terminator, which is always there.
LPSTR lstrcpynA(LPSTR destination, LPCSTR source, int size);
LPWSTR lstrcpynW(LPWSTR destination, LPCWSTR source, int size);

// At most 1023 characters, what is longer is cut off; the number of characters.
int wsprintfA(LPSTR buffer, LPCSTR format, ...);
int wsprintfW(LPWSTR buffer, LPCWSTR format, ...);
int wvsprintfA(LPSTR buffer, LPCSTR format, va_list list);
int wvsprintfW(LPWSTR buffer, LPCWSTR format, va_list list);

#ifdef __cplusplus
}
#endif

#define wsprintf wsprintfW
#define wvsprintf wvsprintfW
