// SPDX-License-Identifier: Apache-2.0
// Addresses and their texts, by numbers alone: a simulated host knows no names. For C++ and C.
#pragma once

#include "ndapi/windows/abi/sockets.h"

typedef struct addrinfo {
    int ai_flags;
    int ai_family;
    int ai_socktype;
    int ai_protocol;
    size_t ai_addrlen;
    char* ai_canonname;
    struct sockaddr* ai_addr;
    struct addrinfo* ai_next;
} ADDRINFOA, *PADDRINFOA;

typedef struct addrinfoW {
    int ai_flags;
    int ai_family;
    int ai_socktype;
    int ai_protocol;
    size_t ai_addrlen;
    PWSTR ai_canonname;
    struct sockaddr* ai_addr;
    struct addrinfoW* ai_next;
} ADDRINFOW, *PADDRINFOW;

#ifdef __cplusplus
extern "C" {
#endif

// "10.0.0.2:5000"; the port only if there is one.
INT WSAAddressToStringW(LPSOCKADDR address, DWORD size, LPWSAPROTOCOL_INFOW protocol, LPWSTR text, LPDWORD length);
INT WSAAddressToStringA(LPSOCKADDR address, DWORD size, LPWSAPROTOCOL_INFOW protocol, LPSTR text, LPDWORD length);
INT WSAStringToAddressA(LPSTR text, INT family, LPWSAPROTOCOL_INFOW protocol, LPSOCKADDR address, LPINT length);

// 1, or 0 if the text is no address, or -1.
INT InetPtonA(INT family, PCSTR text, PVOID address);
INT InetPtonW(INT family, PCWSTR text, PVOID address);
PCSTR inet_ntop(INT family, const void* address, PSTR text, size_t size);
PCWSTR InetNtopW(INT family, const void* address, PWSTR text, size_t size);
ULONG inet_addr(const char* text);  // INADDR_NONE if it is no address
char* inet_ntoa(IN_ADDR address);

// Nodes are addresses, services are numbers. 0, or WSAHOST_NOT_FOUND.
INT getaddrinfo(PCSTR node, PCSTR service, const ADDRINFOA* hints, PADDRINFOA* result);
void freeaddrinfo(PADDRINFOA result);
INT GetAddrInfoW(PCWSTR node, PCWSTR service, const ADDRINFOW* hints, PADDRINFOW* result);
void FreeAddrInfoW(PADDRINFOW result);

#ifdef __cplusplus
}
#endif

// Not as a function of this name, which is the C library's.
static inline INT inet_pton(INT family, PCSTR text, PVOID address) {
    return InetPtonA(family, text, address);
}

#define InetPton InetPtonW
#define InetNtop InetNtopW
#define InetNtopA inet_ntop
#define WSAAddressToString WSAAddressToStringW
#define GetAddrInfo GetAddrInfoW
#define FreeAddrInfo FreeAddrInfoW
#define GetAddrInfoA getaddrinfo
#define FreeAddrInfoA freeaddrinfo
