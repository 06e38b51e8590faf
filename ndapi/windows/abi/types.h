// SPDX-License-Identifier: Apache-2.0
// The Windows types that NetworkDirect clients name, with the sizes and values of 64-bit Windows (win.md section 1).
// They live in the global namespace because client sources look for them there.
//
// Nothing that NDKPI needs is used where only a macro works (#if, stringising, a parameter that is a type), so
// constants are constants (constant.h). Names that must be macros (CONTAINING_RECORD takes a type and a member) belong
// to the forwarding headers.
//
// Programs are C++14, 17 or 20, and this header and all that programs include are in what these have in common: no
// inline variables, no defaulted comparisons.
#pragma once

#ifndef __cplusplus
#include "ndapi/windows/abi/c/types.h"
#else

#ifdef AF_INET
#error "ndapi/windows/abi/types.h brings Windows' own socket addresses: leave <sys/socket.h> out of this source file"
#endif

#include <cstddef>
#include <cstdint>

// Windows' long is 32 bits wide and Linux's is 64, so every name says its width here. The 64-bit unsigned names are
// all one type with std::size_t, as on Windows.
using VOID = void;
using PVOID = void*;
using CHAR = char;
using UCHAR = unsigned char;
using WCHAR = wchar_t;  // 4 bytes: L"" literals of clients compare with what they are given
using BOOLEAN = unsigned char;
using BOOL = int;
using SHORT = std::int16_t;
using USHORT = std::uint16_t;
using INT = std::int32_t;
using UINT = std::uint32_t;
using LONG = std::int32_t;
using ULONG = std::uint32_t;
using DWORD = std::uint32_t;
using LONGLONG = std::int64_t;
using ULONGLONG = std::uint64_t;
using LONG64 = std::int64_t;
using ULONG64 = std::uint64_t;
using INT8 = std::int8_t;
using INT16 = std::int16_t;
using INT32 = std::int32_t;
using INT64 = std::int64_t;
using UINT8 = std::uint8_t;
using UINT16 = std::uint16_t;
using UINT32 = std::uint32_t;
using UINT64 = std::uint64_t;
using LONG_PTR = std::intptr_t;
using ULONG_PTR = std::uintptr_t;
using SIZE_T = std::size_t;
using KAFFINITY = ULONG_PTR;
using HANDLE = PVOID;
using NTSTATUS = LONG;
using NDIS_STATUS = int;
using NDIS_HANDLE = PVOID;
using IF_INDEX = ULONG;

// The parts overlay the whole, on a little-endian machine. The nameless part is C11, hence __extension__.
union LARGE_INTEGER {
    __extension__ struct {
        ULONG LowPart;
        LONG HighPart;
    };
    struct {
        ULONG LowPart;
        LONG HighPart;
    } u;
    LONGLONG QuadPart;
};
using PHYSICAL_ADDRESS = LARGE_INTEGER;

struct GUID {
    ULONG Data1;
    USHORT Data2;
    USHORT Data3;
    UCHAR Data4[8];

    friend constexpr bool operator==(const GUID& one, const GUID& other) {
        for (int i = 0; i < 8; ++i) {
            if (one.Data4[i] != other.Data4[i]) {
                return false;
            }
        }
        return one.Data1 == other.Data1 && one.Data2 == other.Data2 && one.Data3 == other.Data3;
    }
    friend constexpr bool operator!=(const GUID& one, const GUID& other) { return !(one == other); }
};

// A set of processors within one group of up to 64.
struct GROUP_AFFINITY {
    KAFFINITY Mask;
    USHORT Group;
    USHORT Reserved[3];
};

// Socket addresses: binary layout of Linux, which for these is also that of Windows; ports and addresses in network
// byte order. AF_INET6 has Windows' number. s_addr and s6_addr, macros on Windows, are members here.
using ADDRESS_FAMILY = USHORT;

struct in_addr {
    struct Bytes {
        UCHAR s_b1, s_b2, s_b3, s_b4;
    };
    struct Words {
        USHORT s_w1, s_w2;
    };
    union Parts {
        Bytes S_un_b;
        Words S_un_w;
        ULONG S_addr;
    };
    union {
        Parts S_un;
        ULONG s_addr;
    };
};

struct in6_addr {
    union Parts {
        UCHAR Byte[16];
        USHORT Word[8];
    };
    union {
        Parts u;
        UCHAR s6_addr[16];
    };
};

struct sockaddr {
    ADDRESS_FAMILY sa_family;
    CHAR sa_data[14];
};

struct sockaddr_in {
    ADDRESS_FAMILY sin_family;
    USHORT sin_port;
    in_addr sin_addr;
    CHAR sin_zero[8];
};

struct sockaddr_in6 {
    ADDRESS_FAMILY sin6_family;
    USHORT sin6_port;
    ULONG sin6_flowinfo;
    in6_addr sin6_addr;
    ULONG sin6_scope_id;
};

// Room for an address of any family.
struct alignas(8) sockaddr_storage {
    ADDRESS_FAMILY ss_family;
    CHAR ss_data[126];
};

union SOCKADDR_INET {
    sockaddr_in Ipv4;
    sockaddr_in6 Ipv6;
    ADDRESS_FAMILY si_family;
};

using IN_ADDR = in_addr;
using IN6_ADDR = in6_addr;
using SOCKADDR = sockaddr;
using PSOCKADDR = sockaddr*;
using SOCKADDR_IN = sockaddr_in;
using SOCKADDR_IN6 = sockaddr_in6;
using SOCKADDR_STORAGE = sockaddr_storage;

#endif

#include "ndapi/windows/abi/constant.h"

NDSIM_CONSTANT(int, FALSE, 0);
NDSIM_CONSTANT(int, TRUE, 1);
NDSIM_CONSTANT(ULONG, MAXULONG, 0xFFFFFFFF);
NDSIM_CONSTANT(DWORD, INFINITE, 0xFFFFFFFF);  // a wait without end
NDSIM_CONSTANT(int, AF_UNSPEC, 0);
NDSIM_CONSTANT(int, AF_INET, 2);
NDSIM_CONSTANT(int, AF_INET6, 23);
