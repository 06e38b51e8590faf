// SPDX-License-Identifier: Apache-2.0
// The further names that Windows sources have for types: pointers, characters, small structures. Those of types.h are
// the types themselves. For C++ and C.
#pragma once

#include "ndapi/windows/abi/guid.h"
#include "ndapi/windows/abi/hresult.h"
#include "ndapi/windows/abi/overlapped.h"
#ifdef __cplusplus
#include "ndapi/windows/abi/ntstatus.h"
#endif

typedef unsigned char BYTE;
typedef USHORT WORD;
typedef UINT32 DWORD32;
typedef UINT64 DWORD64;
typedef UINT64 DWORDLONG;
typedef float FLOAT;
typedef LONG_PTR INT_PTR;
typedef ULONG_PTR UINT_PTR;
typedef ULONG_PTR DWORD_PTR;
typedef LONG_PTR SSIZE_T;

typedef void* LPVOID;
typedef const void* LPCVOID;
typedef BYTE* PBYTE;
typedef BYTE* LPBYTE;
typedef UCHAR* PUCHAR;
typedef BOOL* PBOOL;
typedef BOOL* LPBOOL;
typedef BOOLEAN* PBOOLEAN;
typedef INT* PINT;
typedef INT* LPINT;
typedef UINT* PUINT;
typedef USHORT* PUSHORT;
typedef WORD* LPWORD;
typedef LONG* PLONG;
typedef LONG* LPLONG;
typedef ULONG* PULONG;
typedef DWORD* PDWORD;
typedef DWORD* LPDWORD;
typedef LONGLONG* PLONGLONG;
typedef ULONGLONG* PULONGLONG;
typedef UINT32* PUINT32;
typedef UINT64* PUINT64;
typedef SIZE_T* PSIZE_T;
typedef ULONG_PTR* PULONG_PTR;
typedef DWORD_PTR* PDWORD_PTR;
typedef HANDLE* PHANDLE;
typedef HANDLE* LPHANDLE;
typedef LARGE_INTEGER* PLARGE_INTEGER;

typedef CHAR* PCHAR;
typedef CHAR* PSTR;
typedef CHAR* LPSTR;
typedef const CHAR* PCSTR;
typedef const CHAR* LPCSTR;
typedef WCHAR* PWCHAR;
typedef WCHAR* PWSTR;
typedef WCHAR* LPWSTR;
typedef const WCHAR* PCWSTR;
typedef const WCHAR* LPCWSTR;
typedef WCHAR TCHAR;  // programs are always built for wide characters
typedef TCHAR* PTSTR;
typedef TCHAR* LPTSTR;
typedef const TCHAR* PCTSTR;
typedef const TCHAR* LPCTSTR;

typedef GUID* LPGUID;
typedef const GUID* LPCGUID;
typedef IID* LPIID;
typedef CLSID* LPCLSID;

typedef HANDLE HMODULE;
typedef HANDLE HINSTANCE;
typedef HANDLE HLOCAL;
typedef INT_PTR (*FARPROC)(void);

typedef union _ULARGE_INTEGER {
    __extension__ struct {
        DWORD LowPart;
        DWORD HighPart;
    };
    struct {
        DWORD LowPart;
        DWORD HighPart;
    } u;
    ULONGLONG QuadPart;
} ULARGE_INTEGER, *PULARGE_INTEGER;

typedef struct _LIST_ENTRY {
    struct _LIST_ENTRY* Flink;
    struct _LIST_ENTRY* Blink;
} LIST_ENTRY, *PLIST_ENTRY;

typedef struct _SECURITY_ATTRIBUTES {
    DWORD nLength;
    LPVOID lpSecurityDescriptor;
    BOOL bInheritHandle;
} SECURITY_ATTRIBUTES, *PSECURITY_ATTRIBUTES, *LPSECURITY_ATTRIBUTES;
