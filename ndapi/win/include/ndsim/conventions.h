// SPDX-License-Identifier: Apache-2.0
// What Windows' compiler takes as words of the language, and what its headers have as macros since nothing else does.
#pragma once

#ifndef UNICODE
#define UNICODE
#endif
#ifndef _UNICODE
#define _UNICODE
#endif

#define __declspec(attribute)
#define __cdecl
#define _cdecl
#define __stdcall
#define __fastcall
#define __thiscall
#define __vectorcall
#define __forceinline inline
#define FORCEINLINE static inline
#define __assume(condition) ((void)0)
#define __noop ((void)0)
#define __int8 char
#define __int16 short
#define __int32 int
#define __int64 long  // as INT64 is, so that both go together

#define CONST const
#define IN
#define OUT
#define OPTIONAL
#define FAR
#define NEAR
#define PASCAL
#define WINAPI
#define WINAPIV
#define APIENTRY
#define CALLBACK
#define WSAAPI
#define WSPAPI
#define NTAPI
#define DECLSPEC_NOINLINE
#define DECLSPEC_NORETURN
#define DECLSPEC_ALIGN(bytes) __attribute__((aligned(bytes)))

#define CONTAINING_RECORD(address, type, field) ((type*)((char*)(address) - __builtin_offsetof(type, field)))
#define FIELD_OFFSET(type, field) ((LONG) __builtin_offsetof(type, field))
#define RTL_NUMBER_OF(array) (sizeof(array) / sizeof((array)[0]))
#define ARRAYSIZE(array) RTL_NUMBER_OF(array)
#define _countof(array) RTL_NUMBER_OF(array)
#define UNREFERENCED_PARAMETER(parameter) ((void)(parameter))
#define DBG_UNREFERENCED_PARAMETER(parameter) ((void)(parameter))
#define DBG_UNREFERENCED_LOCAL_VARIABLE(variable) ((void)(variable))

#define MAKEWORD(low, high) ((WORD)(((DWORD_PTR)(low)&0xFF) | (((DWORD_PTR)(high)&0xFF) << 8)))
#define MAKELONG(low, high) ((LONG)(((DWORD_PTR)(low)&0xFFFF) | (((DWORD_PTR)(high)&0xFFFF) << 16)))
#define LOWORD(value) ((WORD)((DWORD_PTR)(value)&0xFFFF))
#define HIWORD(value) ((WORD)(((DWORD_PTR)(value) >> 16) & 0xFFFF))
#define LOBYTE(value) ((BYTE)((DWORD_PTR)(value)&0xFF))
#define HIBYTE(value) ((BYTE)(((DWORD_PTR)(value) >> 8) & 0xFF))

#define _TRUNCATE ((size_t)-1)

#define __TEXT(quote) L##quote
#define TEXT(quote) __TEXT(quote)
