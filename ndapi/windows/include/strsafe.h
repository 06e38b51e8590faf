// SPDX-License-Identifier: Apache-2.0
// Functions on strings whose results are HRESULTs. What does not fit is cut off.
#pragma once

#include <stdarg.h>

#include "ndapi/windows/include/windows.h"

#ifdef __cplusplus
constexpr HRESULT STRSAFE_E_INSUFFICIENT_BUFFER = HRESULT(0x8007007A);

inline HRESULT StringCchCopyA(LPSTR destination, size_t size, LPCSTR source) {
    return strncpy_s(destination, size, source, _TRUNCATE) == 0 ? S_OK : STRSAFE_E_INSUFFICIENT_BUFFER;
}
inline HRESULT StringCchCopyW(LPWSTR destination, size_t size, LPCWSTR source) {
    return wcsncpy_s(destination, size, source, _TRUNCATE) == 0 ? S_OK : STRSAFE_E_INSUFFICIENT_BUFFER;
}
inline HRESULT StringCchCatA(LPSTR destination, size_t size, LPCSTR source) {
    const size_t length = strnlen_s(destination, size);
    return StringCchCopyA(destination + length, size - length, source);
}
inline HRESULT StringCchCatW(LPWSTR destination, size_t size, LPCWSTR source) {
    const size_t length = wcsnlen_s(destination, size);
    return StringCchCopyW(destination + length, size - length, source);
}
inline HRESULT StringCchVPrintfA(LPSTR destination, size_t size, LPCSTR format, va_list list) {
    return _vsnprintf_s(destination, size, _TRUNCATE, format, list) >= 0 ? S_OK : STRSAFE_E_INSUFFICIENT_BUFFER;
}
inline HRESULT StringCchVPrintfW(LPWSTR destination, size_t size, LPCWSTR format, va_list list) {
    return _vsnwprintf_s(destination, size, _TRUNCATE, format, list) >= 0 ? S_OK : STRSAFE_E_INSUFFICIENT_BUFFER;
}
inline HRESULT StringCchPrintfA(LPSTR destination, size_t size, LPCSTR format, ...) {
    va_list list;
    va_start(list, format);
    const HRESULT result = StringCchVPrintfA(destination, size, format, list);
    va_end(list);
    return result;
}
inline HRESULT StringCchPrintfW(LPWSTR destination, size_t size, LPCWSTR format, ...) {
    va_list list;
    va_start(list, format);
    const HRESULT result = StringCchVPrintfW(destination, size, format, list);
    va_end(list);
    return result;
}
inline HRESULT StringCchLengthA(LPCSTR text, size_t most, size_t* length) {
    *length = strnlen_s(text, most);
    return *length < most ? S_OK : E_INVALIDARG;
}
inline HRESULT StringCchLengthW(LPCWSTR text, size_t most, size_t* length) {
    *length = wcsnlen_s(text, most);
    return *length < most ? S_OK : E_INVALIDARG;
}
#define StringCchCopy StringCchCopyW
#define StringCchCat StringCchCatW
#define StringCchPrintf StringCchPrintfW
#define StringCchVPrintf StringCchVPrintfW
#define StringCchLength StringCchLengthW
#endif
