// SPDX-License-Identifier: Apache-2.0
// The extension functions of Winsock Direct, which are in no table: the switch queries each by its GUID, with
// WSPIoctl(SIO_GET_EXTENSION_FUNCTION_POINTER) (wsd.md 2).
#pragma once

#include "ndapi/windows/abi/guid.h"
#include "ndapi/wsd/ws2san_types.h"

constexpr GUID WSAID_REGISTERMEMORY{0xC0B422F5, 0xF58C, 0x11D1, {0xAD, 0x6C, 0x00, 0xC0, 0x4F, 0xA3, 0x4A, 0x2D}};
constexpr GUID WSAID_DEREGISTERMEMORY{0xC0B422F6, 0xF58C, 0x11D1, {0xAD, 0x6C, 0x00, 0xC0, 0x4F, 0xA3, 0x4A, 0x2D}};
constexpr GUID WSAID_REGISTERRDMAMEMORY{0xC0B422F7, 0xF58C, 0x11D1, {0xAD, 0x6C, 0x00, 0xC0, 0x4F, 0xA3, 0x4A, 0x2D}};
constexpr GUID WSAID_DEREGISTERRDMAMEMORY{0xC0B422F8, 0xF58C, 0x11D1, {0xAD, 0x6C, 0x00, 0xC0, 0x4F, 0xA3, 0x4A, 0x2D}};
constexpr GUID WSAID_RDMAWRITE{0xC0B422F9, 0xF58C, 0x11D1, {0xAD, 0x6C, 0x00, 0xC0, 0x4F, 0xA3, 0x4A, 0x2D}};
constexpr GUID WSAID_RDMAREAD{0xC0B422FA, 0xF58C, 0x11D1, {0xAD, 0x6C, 0x00, 0xC0, 0x4F, 0xA3, 0x4A, 0x2D}};
constexpr GUID WSAID_MEMORYREGISTRATIONCACHECALLBACK{
    0xE5DA4AF8, 0xD824, 0x48CD, {0xA7, 0x99, 0x63, 0x37, 0xA9, 0x8E, 0xD2, 0xAF}};

using LPFN_WSPREGISTERMEMORY = HANDLE (*)(SOCKET s, PVOID lpBuffer, DWORD dwBufferLength, DWORD dwFlags, LPINT lpErrno);
using LPFN_WSPDEREGISTERMEMORY = int (*)(SOCKET s, HANDLE Handle, LPINT lpErrno);
using LPFN_WSPREGISTERRDMAMEMORY = int (*)(SOCKET s, PVOID lpBuffer, DWORD dwBufferLength, DWORD dwFlags,
                                           LPVOID lpRdmaBufferDescriptor, LPDWORD lpdwDescriptorLength, LPINT lpErrno);
using LPFN_WSPDEREGISTERRDMAMEMORY = int (*)(SOCKET s, LPVOID lpRdmaBufferDescriptor, DWORD dwDescriptorLength,
                                             LPINT lpErrno);
using LPFN_WSPRDMAWRITE = int (*)(SOCKET s, LPWSABUFEX lpBuffers, DWORD dwBufferCount, LPVOID lpTargetBufferDescriptor,
                                  DWORD dwTargetDescriptorLength, DWORD dwTargetBufferOffset, LPDWORD lpdwNumberOfBytes,
                                  DWORD dwFlags, LPWSAOVERLAPPED lpOverlapped,
                                  LPWSAOVERLAPPED_COMPLETION_ROUTINE lpCompletionRoutine, LPWSATHREADID lpThreadId,
                                  LPINT lpErrno);
using LPFN_WSPRDMAREAD = LPFN_WSPRDMAWRITE;
using LPFN_WSPMEMORYREGISTRATIONCACHECALLBACK = int (*)(PVOID lpvAddress, SIZE_T Size, LPINT lpErrno);
