// SPDX-License-Identifier: Apache-2.0
// Constants of Winsock Direct, and those of Winsock that switch and provider use (wsd.md 2).
#pragma once

#include "ndapi/windows/abi/names.h"
#include "ndapi/windows/abi/socket_constants.h"
#include "ndapi/windows/abi/socket_errors.h"

// Internal of a pending operation; the same number as STATUS_PENDING.
constexpr DWORD WSS_OPERATION_IN_PROGRESS = 0x103;

constexpr int SOL_SOCKET = 0xFFFF;
constexpr int SO_DEBUG = 0x0001;
constexpr int SO_GROUP_ID = 0x2001;
constexpr int SO_GROUP_PRIORITY = 0x2002;
constexpr int SO_MAX_MSG_SIZE = 0x2003;
constexpr int SO_MAX_RDMA_SIZE = 0x700D;
constexpr int SO_RDMA_THRESHOLD_SIZE = 0x700E;

constexpr DWORD MEM_READ = 1;
constexpr DWORD MEM_WRITE = 2;
constexpr DWORD MEM_READWRITE = 3;

constexpr int FD_READ_BIT = 0;
constexpr int FD_WRITE_BIT = 1;
constexpr int FD_OOB_BIT = 2;
constexpr int FD_ACCEPT_BIT = 3;
constexpr int FD_CONNECT_BIT = 4;
constexpr int FD_CLOSE_BIT = 5;
constexpr LONG FD_READ = 1 << FD_READ_BIT;
constexpr LONG FD_WRITE = 1 << FD_WRITE_BIT;
constexpr LONG FD_OOB = 1 << FD_OOB_BIT;
constexpr LONG FD_ACCEPT = 1 << FD_ACCEPT_BIT;
constexpr LONG FD_CONNECT = 1 << FD_CONNECT_BIT;
constexpr LONG FD_CLOSE = 1 << FD_CLOSE_BIT;
constexpr int FD_MAX_EVENTS = 10;

constexpr int CF_ACCEPT = 0;
constexpr int CF_REJECT = 1;
constexpr int CF_DEFER = 2;

constexpr DWORD SIO_GET_EXTENSION_FUNCTION_POINTER = 0xC8000006;
constexpr int WSPDESCRIPTION_LEN = 255;
