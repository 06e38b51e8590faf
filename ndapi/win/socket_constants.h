// SPDX-License-Identifier: Apache-2.0
// Winsock's constants: errors, address families, requests to a socket, marks in the catalogue of protocols.
#pragma once

#include "ndapi/win/names.h"

using SOCKET = UINT_PTR;

constexpr SOCKET INVALID_SOCKET = ~SOCKET{0};
constexpr int SOCKET_ERROR = -1;

constexpr int SOCK_STREAM = 1;
constexpr int SOCK_DGRAM = 2;
constexpr int IPPROTO_IP = 0;
constexpr int IPPROTO_TCP = 6;
constexpr int IPPROTO_UDP = 17;
constexpr ULONG INADDR_ANY = 0;
constexpr ULONG INADDR_LOOPBACK = 0x7F000001;
constexpr ULONG INADDR_NONE = 0xFFFFFFFF;
constexpr int INET_ADDRSTRLEN = 22;
constexpr int INET6_ADDRSTRLEN = 65;
constexpr int NI_MAXHOST = 1025;
constexpr int AI_PASSIVE = 0x01;
constexpr int AI_CANONNAME = 0x02;
constexpr int AI_NUMERICHOST = 0x04;
constexpr int AI_NUMERICSERV = 0x08;
constexpr int PF_INET = 2;

constexpr int WSAEFAULT = 10014;
constexpr int WSAEINVAL = 10022;
constexpr int WSAENOTSOCK = 10038;
constexpr int WSAEOPNOTSUPP = 10045;
constexpr int WSAEAFNOSUPPORT = 10047;
constexpr int WSAEADDRINUSE = 10048;
constexpr int WSAENETUNREACH = 10051;
constexpr int WSAECONNABORTED = 10053;
constexpr int WSAENOBUFS = 10055;
constexpr int WSAETIMEDOUT = 10060;
constexpr int WSAECONNREFUSED = 10061;
constexpr int WSAEHOSTUNREACH = 10065;
constexpr int WSATYPE_NOT_FOUND = 10109;
constexpr int WSAHOST_NOT_FOUND = 11001;
constexpr int WSAVERNOTSUPPORTED = 10092;
constexpr int WSANOTINITIALISED = 10093;
constexpr int WSA_IO_PENDING = 997;
constexpr int WSA_INVALID_PARAMETER = 87;

constexpr DWORD WSA_FLAG_OVERLAPPED = 0x01;
constexpr DWORD SIO_ROUTING_INTERFACE_QUERY = 0xC8000014;
constexpr DWORD SIO_ADDRESS_LIST_CHANGE = 0x28000017;

constexpr DWORD XP1_CONNECTIONLESS = 0x00000001;
constexpr DWORD XP1_GUARANTEED_DELIVERY = 0x00000002;
constexpr DWORD XP1_GUARANTEED_ORDER = 0x00000004;
constexpr DWORD XP1_MESSAGE_ORIENTED = 0x00000008;
constexpr DWORD XP1_PSEUDO_STREAM = 0x00000010;
constexpr DWORD XP1_GRACEFUL_CLOSE = 0x00000020;
constexpr DWORD XP1_EXPEDITED_DATA = 0x00000040;
constexpr DWORD XP1_CONNECT_DATA = 0x00000080;
constexpr DWORD XP1_DISCONNECT_DATA = 0x00000100;

constexpr DWORD PFL_MULTIPLE_PROTO_ENTRIES = 0x00000001;
constexpr DWORD PFL_RECOMMENDED_PROTO_ENTRY = 0x00000002;
constexpr DWORD PFL_HIDDEN = 0x00000004;
constexpr DWORD PFL_MATCHES_PROTOCOL_ZERO = 0x00000008;
constexpr DWORD PFL_NETWORKDIRECT_PROVIDER = 0x00000010;  // ndspi.md 1
