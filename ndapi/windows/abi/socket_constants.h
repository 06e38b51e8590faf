// SPDX-License-Identifier: Apache-2.0
// Winsock's constants: address families, requests to a socket, marks in the catalogue of protocols.
#pragma once

#include "ndapi/windows/abi/names.h"

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
constexpr int PF_INET6 = 23;
constexpr int SOMAXCONN = 0x7FFFFFFF;

constexpr int MSG_OOB = 0x1;
constexpr int MSG_PEEK = 0x2;
constexpr int MSG_DONTROUTE = 0x4;
constexpr int MSG_WAITALL = 0x8;
constexpr int MSG_PARTIAL = 0x8000;

constexpr LONG FIONREAD = LONG(0x4004667F);
constexpr LONG FIONBIO = LONG(0x8004667E);

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
