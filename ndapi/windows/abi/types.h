// SPDX-License-Identifier: Apache-2.0
// The Windows types that NetworkDirect clients name, with the sizes and values of 64-bit Windows (win.md section 1).
// They live in the global namespace because client sources look for them there.
//
// Nothing that NDKPI needs is used where only a macro works (#if, stringising, a parameter that is a type), so
// constants are constants (constant.h). Names that must be macros (CONTAINING_RECORD takes a type and a member) belong
// to the forwarding headers.
//
// Programs are C++14, 17 or 20, or C, and this header and all that programs include are in what these have in common:
// no inline variables, no defaulted comparisons.
#pragma once

#if defined(__cplusplus) && defined(AF_INET)
#error "ndapi/windows/abi/types.h brings Windows' own socket addresses: leave <sys/socket.h> out of this source file"
#endif

#include <stddef.h>
#include <stdint.h>

#include "ndapi/windows/abi/constant.h"

// Windows' long is 32 bits wide and Linux's is 64, so every name says its width here. The 64-bit unsigned names are
// all one type with std::size_t, as on Windows.
typedef void VOID;
typedef void* PVOID;
typedef char CHAR;
typedef unsigned char UCHAR;
typedef wchar_t WCHAR;  // 4 bytes: L"" literals of clients compare with what they are given
typedef unsigned char BOOLEAN;
typedef int BOOL;
typedef int16_t SHORT;
typedef uint16_t USHORT;
typedef int32_t INT;
typedef uint32_t UINT;
typedef int32_t LONG;
typedef uint32_t ULONG;
typedef uint32_t DWORD;
typedef int64_t LONGLONG;
typedef uint64_t ULONGLONG;
typedef int64_t LONG64;
typedef uint64_t ULONG64;
typedef int8_t INT8;
typedef int16_t INT16;
typedef int32_t INT32;
typedef int64_t INT64;
typedef uint8_t UINT8;
typedef uint16_t UINT16;
typedef uint32_t UINT32;
typedef uint64_t UINT64;
typedef intptr_t LONG_PTR;
typedef uintptr_t ULONG_PTR;
typedef size_t SIZE_T;
typedef ULONG_PTR KAFFINITY;
typedef PVOID HANDLE;
typedef LONG NTSTATUS;
typedef int NDIS_STATUS;
typedef PVOID NDIS_HANDLE;
typedef ULONG IF_INDEX;

// The parts overlay the whole, on a little-endian machine. The nameless part is C11, hence __extension__.
typedef union _LARGE_INTEGER {
    __extension__ struct {
        ULONG LowPart;
        LONG HighPart;
    };
    struct {
        ULONG LowPart;
        LONG HighPart;
    } u;
    LONGLONG QuadPart;
} LARGE_INTEGER;
typedef LARGE_INTEGER PHYSICAL_ADDRESS;

// A set of processors within one group of up to 64.
typedef struct _GROUP_AFFINITY {
    KAFFINITY Mask;
    USHORT Group;
    USHORT Reserved[3];
} GROUP_AFFINITY, *PGROUP_AFFINITY;

// Socket addresses: binary layout of Linux, which for these is also that of Windows; ports and addresses in network
// byte order. AF_INET6 has Windows' number. s_addr and s6_addr, macros on Windows, are members here.
typedef USHORT ADDRESS_FAMILY;

typedef struct in_addr_bytes {
    UCHAR s_b1, s_b2, s_b3, s_b4;
} in_addr_bytes;
typedef struct in_addr_words {
    USHORT s_w1, s_w2;
} in_addr_words;
typedef union in_addr_parts {
    in_addr_bytes S_un_b;
    in_addr_words S_un_w;
    ULONG S_addr;
} in_addr_parts;
typedef struct in_addr {
    __extension__ union {
        in_addr_parts S_un;
        ULONG s_addr;
    };
} IN_ADDR;

typedef union in6_addr_parts {
    UCHAR Byte[16];
    USHORT Word[8];
} in6_addr_parts;
typedef struct in6_addr {
    __extension__ union {
        in6_addr_parts u;
        UCHAR s6_addr[16];
    };
} IN6_ADDR;

typedef struct sockaddr {
    ADDRESS_FAMILY sa_family;
    CHAR sa_data[14];
} SOCKADDR, *PSOCKADDR;

typedef struct sockaddr_in {
    ADDRESS_FAMILY sin_family;
    USHORT sin_port;
    IN_ADDR sin_addr;
    CHAR sin_zero[8];
} SOCKADDR_IN;

typedef struct sockaddr_in6 {
    ADDRESS_FAMILY sin6_family;
    USHORT sin6_port;
    ULONG sin6_flowinfo;
    IN6_ADDR sin6_addr;
    ULONG sin6_scope_id;
} SOCKADDR_IN6;

// Room for an address of any family.
typedef struct sockaddr_storage {
    __attribute__((aligned(8))) ADDRESS_FAMILY ss_family;
    CHAR ss_data[126];
} SOCKADDR_STORAGE;

typedef union _SOCKADDR_INET {
    SOCKADDR_IN Ipv4;
    SOCKADDR_IN6 Ipv6;
    ADDRESS_FAMILY si_family;
} SOCKADDR_INET;

NDSIM_CONSTANT(int, FALSE, 0);
NDSIM_CONSTANT(int, TRUE, 1);
NDSIM_CONSTANT(ULONG, MAXULONG, 0xFFFFFFFF);
NDSIM_CONSTANT(DWORD, INFINITE, 0xFFFFFFFF);  // a wait without end
NDSIM_CONSTANT(int, AF_UNSPEC, 0);
NDSIM_CONSTANT(int, AF_INET, 2);
NDSIM_CONSTANT(int, AF_INET6, 23);
