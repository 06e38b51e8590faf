// SPDX-License-Identifier: Apache-2.0
// Winsock's error codes that NetworkDirect's clients do not need, and providers of Winsock Direct do (wsd.md 2.1). The
// others are in socket_constants.h.
#pragma once

#include "ndapi/win/socket_constants.h"

inline constexpr int WSA_INVALID_HANDLE = 6;
inline constexpr int WSA_NOT_ENOUGH_MEMORY = 8;
inline constexpr int WSA_OPERATION_ABORTED = 995;
inline constexpr int WSA_IO_INCOMPLETE = 996;
inline constexpr int WSAEINTR = 10004;
inline constexpr int WSAEBADF = 10009;
inline constexpr int WSAEACCES = 10013;
inline constexpr int WSAEMFILE = 10024;
inline constexpr int WSAEWOULDBLOCK = 10035;
inline constexpr int WSAEINPROGRESS = 10036;
inline constexpr int WSAEALREADY = 10037;
inline constexpr int WSAEDESTADDRREQ = 10039;
inline constexpr int WSAEMSGSIZE = 10040;
inline constexpr int WSAEPROTOTYPE = 10041;
inline constexpr int WSAENOPROTOOPT = 10042;
inline constexpr int WSAEPROTONOSUPPORT = 10043;
inline constexpr int WSAESOCKTNOSUPPORT = 10044;
inline constexpr int WSAEPFNOSUPPORT = 10046;
inline constexpr int WSAEADDRNOTAVAIL = 10049;
inline constexpr int WSAENETDOWN = 10050;
inline constexpr int WSAENETRESET = 10052;
inline constexpr int WSAECONNRESET = 10054;
inline constexpr int WSAEISCONN = 10056;
inline constexpr int WSAENOTCONN = 10057;
inline constexpr int WSAESHUTDOWN = 10058;
inline constexpr int WSASYSNOTREADY = 10091;
inline constexpr int WSAEDISCON = 10101;
inline constexpr int WSATRY_AGAIN = 11002;
