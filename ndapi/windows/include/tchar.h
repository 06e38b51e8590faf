// SPDX-License-Identifier: Apache-2.0
// Names that stand for the narrow or the wide function on Windows. Here it is always the wide one.
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>
#include <wctype.h>

#include "ndapi/windows/abi/printing.h"
#include "ndapi/windows/abi/text.h"

typedef wchar_t _TCHAR;
typedef wchar_t _TSCHAR;

#define __T(quote) L##quote
#define _T(quote) __T(quote)
#define _TEXT(quote) __T(quote)
#define _tmain wmain

#define _tprintf wprintf
#define _tprintf_s wprintf_s
#define _ftprintf fwprintf
#define _ftprintf_s fwprintf_s
#define _vtprintf vwprintf
#define _vftprintf vfwprintf
#define _stprintf_s swprintf_s
#define _vstprintf_s vswprintf_s
#define _sntprintf _snwprintf
#define _sntprintf_s _snwprintf_s
#define _vsntprintf _vsnwprintf
#define _vsntprintf_s _vsnwprintf_s
#define _vsctprintf _vscwprintf
#define _fputts fputws
#define _putts _putws
#define _puttchar putwchar
#define _fputtc fputwc

#define _tfopen _wfopen
#define _tfopen_s _wfopen_s
#define _tfreopen _wfreopen
#define _tfreopen_s _wfreopen_s

#define _tcslen wcslen
#define _tcsnlen wcsnlen
#define _tcscmp wcscmp
#define _tcsncmp wcsncmp
#define _tcsicmp _wcsicmp
#define _tcsnicmp _wcsnicmp
#define _tcschr wcschr
#define _tcsrchr wcsrchr
#define _tcsstr wcsstr
#define _tcspbrk wcspbrk
#define _tcsspn wcsspn
#define _tcscspn wcscspn
#define _tcscpy wcscpy
#define _tcscpy_s wcscpy_s
#define _tcsncpy wcsncpy
#define _tcsncpy_s wcsncpy_s
#define _tcscat wcscat
#define _tcscat_s wcscat_s

#define _ttoi _wtoi
#define _ttol _wtol
#define _ttoi64 _wtoi64
#define _tstoi _wtoi
#define _tstol _wtol
#define _tcstol wcstol
#define _tcstoul wcstoul
#define _tcstoi64 wcstoll
#define _tcstoui64 wcstoull
#define _tcstod wcstod

#define _totlower towlower
#define _totupper towupper
#define _istdigit iswdigit
#define _istxdigit iswxdigit
#define _istspace iswspace
#define _istalpha iswalpha
