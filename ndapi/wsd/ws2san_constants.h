// SPDX-License-Identifier: Apache-2.0
// Constants of Winsock Direct, and those of Winsock that switch and provider name (wsd.md 2).
#pragma once

#include "ndapi/win/names.h"

// What a pending operation has in Internal; the same number as STATUS_PENDING.
inline constexpr DWORD WSS_OPERATION_IN_PROGRESS = 0x103;

inline constexpr int SOL_SOCKET = 0xFFFF;
inline constexpr int SO_DEBUG = 0x0001;
inline constexpr int SO_GROUP_ID = 0x2001;
inline constexpr int SO_GROUP_PRIORITY = 0x2002;
inline constexpr int SO_MAX_MSG_SIZE = 0x2003;
inline constexpr int SO_MAX_RDMA_SIZE = 0x700D;
inline constexpr int SO_RDMA_THRESHOLD_SIZE = 0x700E;

inline constexpr int MSG_OOB = 0x1;
inline constexpr int MSG_PARTIAL = 0x8000;

inline constexpr DWORD MEM_READ = 1;
inline constexpr DWORD MEM_WRITE = 2;
inline constexpr DWORD MEM_READWRITE = 3;

inline constexpr int FD_ACCEPT_BIT = 3;
inline constexpr int FD_CONNECT_BIT = 4;
inline constexpr LONG FD_ACCEPT = 1 << FD_ACCEPT_BIT;
inline constexpr LONG FD_CONNECT = 1 << FD_CONNECT_BIT;
inline constexpr int FD_MAX_EVENTS = 10;

inline constexpr int CF_ACCEPT = 0;
inline constexpr int CF_REJECT = 1;
inline constexpr int CF_DEFER = 2;

inline constexpr DWORD SIO_GET_EXTENSION_FUNCTION_POINTER = 0xC8000006;
inline constexpr int WSPDESCRIPTION_LEN = 255;
