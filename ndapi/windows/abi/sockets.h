// SPDX-License-Identifier: Apache-2.0
// What NetworkDirect clients use of Winsock: addresses as text, the catalogue of protocols, and a socket to ask about
// addresses. Nothing is sent through sockets. For C++ and C.
#pragma once

#include <sys/types.h>  // u_short, u_long and their like, on which C's headers insist

#ifdef __cplusplus
#include "ndapi/windows/abi/byteorder.h"
#endif
#include "ndapi/windows/abi/socket_address.h"
#include "ndapi/windows/abi/socket_constants.h"
#include "ndapi/windows/abi/socket_errors.h"

typedef struct sockaddr* LPSOCKADDR;
typedef SOCKADDR_IN* PSOCKADDR_IN;
typedef SOCKADDR_IN* LPSOCKADDR_IN;
typedef SOCKADDR_IN6* PSOCKADDR_IN6;
typedef SOCKADDR_INET* PSOCKADDR_INET;
typedef SOCKADDR_STORAGE* PSOCKADDR_STORAGE;
typedef SOCKET_ADDRESS* LPSOCKET_ADDRESS;
typedef OVERLAPPED WSAOVERLAPPED;
typedef OVERLAPPED* LPWSAOVERLAPPED;
typedef HANDLE WSAEVENT;
typedef unsigned int GROUP;
#ifndef __socklen_t_defined
typedef int socklen_t;  // the C library's has no sign, so ours is there first (compiler_words.h)
#define __socklen_t_defined
#endif

typedef struct WSAData {
    WORD wVersion;
    WORD wHighVersion;
    USHORT iMaxSockets;
    USHORT iMaxUdpDg;
    char* lpVendorInfo;
    char szDescription[257];
    char szSystemStatus[129];
} WSADATA, *LPWSADATA;

typedef struct _WSAPROTOCOLCHAIN {
    int ChainLen;
    DWORD ChainEntries[7];
} WSAPROTOCOLCHAIN, *LPWSAPROTOCOLCHAIN;

// An entry of the catalogue of protocols.
typedef struct _WSAPROTOCOL_INFOW {
    DWORD dwServiceFlags1;
    DWORD dwServiceFlags2;
    DWORD dwServiceFlags3;
    DWORD dwServiceFlags4;
    DWORD dwProviderFlags;
    GUID ProviderId;
    DWORD dwCatalogEntryId;
    WSAPROTOCOLCHAIN ProtocolChain;
    int iVersion;
    int iAddressFamily;
    int iMaxSockAddr;
    int iMinSockAddr;
    int iSocketType;
    int iProtocol;
    int iProtocolMaxOffset;
    int iNetworkByteOrder;
    int iSecurityScheme;
    DWORD dwMessageSize;
    DWORD dwProviderReserved;
    WCHAR szProtocol[256];
} WSAPROTOCOL_INFOW, *LPWSAPROTOCOL_INFOW;
typedef struct _WSAPROTOCOL_INFOA {
    DWORD dwServiceFlags1;
    DWORD dwServiceFlags2;
    DWORD dwServiceFlags3;
    DWORD dwServiceFlags4;
    DWORD dwProviderFlags;
    GUID ProviderId;
    DWORD dwCatalogEntryId;
    WSAPROTOCOLCHAIN ProtocolChain;
    int iVersion;
    int iAddressFamily;
    int iMaxSockAddr;
    int iMinSockAddr;
    int iSocketType;
    int iProtocol;
    int iProtocolMaxOffset;
    int iNetworkByteOrder;
    int iSecurityScheme;
    DWORD dwMessageSize;
    DWORD dwProviderReserved;
    CHAR szProtocol[256];
} WSAPROTOCOL_INFOA, *LPWSAPROTOCOL_INFOA;
typedef WSAPROTOCOL_INFOW WSAPROTOCOL_INFO;
typedef WSAPROTOCOL_INFOW* LPWSAPROTOCOL_INFO;

typedef void (*LPWSAOVERLAPPED_COMPLETION_ROUTINE)(DWORD error, DWORD bytes, LPWSAOVERLAPPED overlapped, DWORD flags);

#ifdef __cplusplus
extern "C" {
#endif

int WSAStartup(WORD version, LPWSADATA data);
int WSACleanup(void);
int WSAGetLastError(void);
void WSASetLastError(int error);

// "10.0.0.2", "10.0.0.2:5000", "fe80::1", "[fe80::1]:5000".
INT WSAStringToAddressW(LPWSTR text, INT family, LPWSAPROTOCOL_INFOW protocol, LPSOCKADDR address, LPINT length);

SOCKET WSASocketW(int family, int type, int protocol, LPWSAPROTOCOL_INFOW info, GROUP group, DWORD flags);
SOCKET WSASocketA(int family, int type, int protocol, LPWSAPROTOCOL_INFOA info, GROUP group, DWORD flags);
int closesocket(SOCKET socket);
// FIONBIO changes nothing, as nothing is received from sockets; FIONREAD says so.
int ioctlsocket(SOCKET socket, LONG command, u_long* value);
// SIO_ADDRESS_LIST_CHANGE stays pending: the addresses of a simulated host do not change. SIO_ROUTING_INTERFACE_QUERY
// gives the adapter's address.
int WSAIoctl(SOCKET socket, DWORD code, LPVOID input, DWORD input_size, LPVOID output, DWORD output_size,
             LPDWORD returned, LPWSAOVERLAPPED overlapped, LPWSAOVERLAPPED_COMPLETION_ROUTINE routine);

// The catalogue has two entries: NetworkDirect's provider for version 2, and for version 1.
int WSCEnumProtocols(LPINT protocols, LPWSAPROTOCOL_INFOW buffer, LPDWORD size, LPINT error);
// The first call gives a handle, all others stay pending: the catalogue of a simulated host does not change.
int WSAProviderConfigChange(LPHANDLE handle, LPWSAOVERLAPPED overlapped, LPWSAOVERLAPPED_COMPLETION_ROUTINE routine);
int WSCGetProviderPath(GUID* provider, WCHAR* path, LPINT length, LPINT error);

#ifdef __cplusplus
}
#endif

static inline INT WSAStringToAddress(LPWSTR text, INT family, LPWSAPROTOCOL_INFOW protocol, LPSOCKADDR address,
                                     LPINT length) {
    return WSAStringToAddressW(text, family, protocol, address, length);
}
static inline SOCKET WSASocket(int family, int type, int protocol, LPWSAPROTOCOL_INFOW info, GROUP group, DWORD flags) {
    return WSASocketW(family, type, protocol, info, group, flags);
}
