// SPDX-License-Identifier: Apache-2.0
// What Windows' headers have as macros since nothing else does.
#pragma once

#ifndef UNICODE
#define UNICODE
#endif
#ifndef _UNICODE
#define _UNICODE
#endif

#include "ndapi/windows/include/ndsim/compiler_words.h"

#define CONST const
#define FORCEINLINE static inline
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

#define DECLARE_HANDLE(name) \
    struct name##__ {        \
        int unused;          \
    };                       \
    typedef struct name##__* name

#define CONTAINING_RECORD(address, type, field) ((type*)((char*)(address) - __builtin_offsetof(type, field)))
#define FIELD_OFFSET(type, field) ((LONG) __builtin_offsetof(type, field))
#define RTL_NUMBER_OF(array) (sizeof(array) / sizeof((array)[0]))
#define ARRAYSIZE(array) RTL_NUMBER_OF(array)
#define UNREFERENCED_PARAMETER(parameter) ((void)(parameter))
#define DBG_UNREFERENCED_PARAMETER(parameter) ((void)(parameter))
#define DBG_UNREFERENCED_LOCAL_VARIABLE(variable) ((void)(variable))

#define UNREFERENCED_LOCAL_VARIABLE(variable) ((void)(variable))
#define UNALIGNED
// With parentheses of their own: sources have `if FAILED(result)`.
#define SUCCEEDED(result) (((HRESULT)(result)) >= 0)
#define FAILED(result) (((HRESULT)(result)) < 0)
#define IS_ERROR(status) (((ULONG)(status)) >> 31 == 1)
#define NT_SUCCESS(status) (((NTSTATUS)(status)) >= 0)
#define NT_INFORMATION(status) (((ULONG)(status)) >> 30 == 1)
#define NT_WARNING(status) (((ULONG)(status)) >> 30 == 2)
#define NT_ERROR(status) (((ULONG)(status)) >> 30 == 3)
#define HasOverlappedIoCompleted(overlapped) ((overlapped)->Internal != 0x103)  // STATUS_PENDING
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

#define __TEXT(quote) L##quote
#define TEXT(quote) __TEXT(quote)
