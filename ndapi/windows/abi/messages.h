// SPDX-License-Identifier: Apache-2.0
// The texts of errors, and texts between character sets. For C++ and C.
#pragma once

#include <stdarg.h>

#include "ndapi/windows/abi/names.h"

#ifdef __cplusplus
extern "C" {
#endif

// The text is the number. Only with FORMAT_MESSAGE_FROM_SYSTEM.
DWORD FormatMessageW(DWORD flags, LPCVOID source, DWORD message, DWORD language, LPWSTR buffer, DWORD size,
                     va_list* arguments);
DWORD FormatMessageA(DWORD flags, LPCVOID source, DWORD message, DWORD language, LPSTR buffer, DWORD size,
                     va_list* arguments);

// UTF-8, whatever the code page. A size of 0 asks for the length.
int MultiByteToWideChar(UINT page, DWORD flags, LPCSTR text, int length, LPWSTR wide, int size);
int WideCharToMultiByte(UINT page, DWORD flags, LPCWSTR wide, int length, LPSTR text, int size, LPCSTR unknown,
                        LPBOOL used);

#ifdef __cplusplus
}
#endif

static inline DWORD FormatMessage(DWORD flags, LPCVOID source, DWORD message, DWORD language, LPWSTR buffer, DWORD size,
                                  va_list* arguments) {
    return FormatMessageW(flags, source, message, language, buffer, size, arguments);
}

#define MAKELANGID(primary, sub) ((WORD)(((WORD)(sub) << 10) | (WORD)(primary)))
