// SPDX-License-Identifier: Apache-2.0
// What Windows' compiler takes as words of the language, and what its headers have as macros since nothing else does.
#pragma once

#ifndef UNICODE
#define UNICODE
#endif
#ifndef _UNICODE
#define _UNICODE
#endif

// Attributes by their names; those that are not here are errors.
#define __declspec(attribute) ndsim_declspec_##attribute
#define ndsim_declspec_align(bytes) __attribute__((aligned(bytes)))
#define ndsim_declspec_noinline __attribute__((noinline))
#define ndsim_declspec_noreturn __attribute__((noreturn))
#define ndsim_declspec_selectany __attribute__((weak))
#define ndsim_declspec_deprecated(text)
#define ndsim_declspec_uuid(id)
#define ndsim_declspec_allocator
#define ndsim_declspec_dllexport
#define ndsim_declspec_dllimport
#define ndsim_declspec_empty_bases
#define ndsim_declspec_noalias
#define ndsim_declspec_nothrow
#define ndsim_declspec_novtable
#define ndsim_declspec_restrict
#define ndsim_declspec_safebuffers
#ifdef __cplusplus
#define ndsim_declspec_thread thread_local
#else
#define ndsim_declspec_thread _Thread_local
#endif
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

#define UNREFERENCED_LOCAL_VARIABLE(variable) ((void)(variable))
#define UNALIGNED
#define __unaligned
#define __max(a, b) ((a) > (b) ? (a) : (b))
#define __min(a, b) ((a) < (b) ? (a) : (b))
#define HRESULT_CODE(result) ((result)&0xFFFF)
#define HRESULT_FACILITY(result) (((result) >> 16) & 0x1FFF)
#define HRESULT_SEVERITY(result) (((result) >> 31) & 1)
#define MAKE_HRESULT(severity, facility, code) \
    ((HRESULT)(((unsigned)(severity) << 31) | ((unsigned)(facility) << 16) | (unsigned)(code)))
#ifdef __cplusplus
#define C_ASSERT(condition) static_assert(condition, #condition)
#else
#define C_ASSERT(condition) _Static_assert(condition, #condition)
#endif

#define _byteswap_ushort __builtin_bswap16
#define _byteswap_ulong __builtin_bswap32
#define _byteswap_uint64 __builtin_bswap64
#define _ReadWriteBarrier() __atomic_signal_fence(__ATOMIC_SEQ_CST)

#define MAKEWORD(low, high) ((WORD)(((DWORD_PTR)(low)&0xFF) | (((DWORD_PTR)(high)&0xFF) << 8)))
#define MAKELONG(low, high) ((LONG)(((DWORD_PTR)(low)&0xFFFF) | (((DWORD_PTR)(high)&0xFFFF) << 16)))
#define LOWORD(value) ((WORD)((DWORD_PTR)(value)&0xFFFF))
#define HIWORD(value) ((WORD)(((DWORD_PTR)(value) >> 16) & 0xFFFF))
#define LOBYTE(value) ((BYTE)((DWORD_PTR)(value)&0xFF))
#define HIBYTE(value) ((BYTE)(((DWORD_PTR)(value) >> 8) & 0xFF))

#define _TRUNCATE ((size_t)-1)

#define __TEXT(quote) L##quote
#define TEXT(quote) __TEXT(quote)
