// SPDX-License-Identifier: Apache-2.0
// Winsock's constants: errors, address families, requests to a socket, marks in the catalogue of protocols.
#pragma once

#include "ndapi/win/names.h"

using SOCKET = UINT_PTR;

inline constexpr SOCKET INVALID_SOCKET = ~SOCKET{0};
inline constexpr int SOCKET_ERROR = -1;

inline constexpr int SOCK_STREAM = 1;
inline constexpr int SOCK_DGRAM = 2;
inline constexpr int IPPROTO_IP = 0;
inline constexpr int IPPROTO_TCP = 6;
inline constexpr int IPPROTO_UDP = 17;
inline constexpr ULONG INADDR_ANY = 0;
inline constexpr ULONG INADDR_LOOPBACK = 0x7F000001;
inline constexpr ULONG INADDR_NONE = 0xFFFFFFFF;
inline constexpr int INET_ADDRSTRLEN = 22;
inline constexpr int INET6_ADDRSTRLEN = 65;
inline constexpr int NI_MAXHOST = 1025;
inline constexpr int AI_PASSIVE = 0x01;
inline constexpr int AI_CANONNAME = 0x02;
inline constexpr int AI_NUMERICHOST = 0x04;
inline constexpr int AI_NUMERICSERV = 0x08;
inline constexpr int PF_INET = 2;

inline constexpr int WSAEFAULT = 10014;
inline constexpr int WSAEINVAL = 10022;
inline constexpr int WSAENOTSOCK = 10038;
inline constexpr int WSAEOPNOTSUPP = 10045;
inline constexpr int WSAEAFNOSUPPORT = 10047;
inline constexpr int WSAEADDRINUSE = 10048;
inline constexpr int WSAENETUNREACH = 10051;
inline constexpr int WSAECONNABORTED = 10053;
inline constexpr int WSAENOBUFS = 10055;
inline constexpr int WSAETIMEDOUT = 10060;
inline constexpr int WSAECONNREFUSED = 10061;
inline constexpr int WSAEHOSTUNREACH = 10065;
inline constexpr int WSATYPE_NOT_FOUND = 10109;
inline constexpr int WSAHOST_NOT_FOUND = 11001;
inline constexpr int WSAVERNOTSUPPORTED = 10092;
inline constexpr int WSANOTINITIALISED = 10093;
inline constexpr int WSA_IO_PENDING = 997;
inline constexpr int WSA_INVALID_PARAMETER = 87;

inline constexpr DWORD WSA_FLAG_OVERLAPPED = 0x01;
inline constexpr DWORD SIO_ROUTING_INTERFACE_QUERY = 0xC8000014;
inline constexpr DWORD SIO_ADDRESS_LIST_CHANGE = 0x28000017;

inline constexpr DWORD XP1_CONNECTIONLESS = 0x00000001;
inline constexpr DWORD XP1_GUARANTEED_DELIVERY = 0x00000002;
inline constexpr DWORD XP1_GUARANTEED_ORDER = 0x00000004;
inline constexpr DWORD XP1_MESSAGE_ORIENTED = 0x00000008;
inline constexpr DWORD XP1_PSEUDO_STREAM = 0x00000010;
inline constexpr DWORD XP1_GRACEFUL_CLOSE = 0x00000020;
inline constexpr DWORD XP1_EXPEDITED_DATA = 0x00000040;
inline constexpr DWORD XP1_CONNECT_DATA = 0x00000080;
inline constexpr DWORD XP1_DISCONNECT_DATA = 0x00000100;

inline constexpr DWORD PFL_MULTIPLE_PROTO_ENTRIES = 0x00000001;
inline constexpr DWORD PFL_RECOMMENDED_PROTO_ENTRY = 0x00000002;
inline constexpr DWORD PFL_HIDDEN = 0x00000004;
inline constexpr DWORD PFL_MATCHES_PROTOCOL_ZERO = 0x00000008;
inline constexpr DWORD PFL_NETWORKDIRECT_PROVIDER = 0x00000010;  // ndspi.md 1
