// SPDX-License-Identifier: Apache-2.0
// Upcalls: the functions of the switch that a provider calls. WSPStartupEx gets all of them in one table, the
// completion of overlapped requests last (wsd.md 2).
#pragma once

#include "ndapi/wsd/ws2san_types.h"

using LPWSAUSERAPC = void (*)(DWORD_PTR dwContext);

using LPWPUCLOSEEVENT = BOOL (*)(WSAEVENT hEvent, LPINT lpErrno);
using LPWPUCLOSESOCKETHANDLE = int (*)(SOCKET s, LPINT lpErrno);
using LPWPUCREATEEVENT = WSAEVENT (*)(LPINT lpErrno);
using LPWPUCREATESOCKETHANDLE = SOCKET (*)(DWORD dwCatalogEntryId, DWORD_PTR dwContext, LPINT lpErrno);
using LPWPUFDISSET = int (*)(SOCKET s, VOID* fdset);
using LPWPUGETPROVIDERPATH = int (*)(GUID* lpProviderId, WCHAR* lpszProviderDllPath, LPINT lpProviderDllPathLen,
                                     LPINT lpErrno);
using LPWPUMODIFYIFSHANDLE = SOCKET (*)(DWORD dwCatalogEntryId, SOCKET ProposedHandle, LPINT lpErrno);
using LPWPUPOSTMESSAGE = BOOL (*)(HANDLE hWnd, UINT Msg, ULONG_PTR wParam, LONG_PTR lParam);
using LPWPUQUERYBLOCKINGCALLBACK = int (*)(DWORD dwCatalogEntryId, VOID** lplpfnCallback, DWORD_PTR* lpdwContext,
                                           LPINT lpErrno);
using LPWPUQUERYSOCKETHANDLECONTEXT = int (*)(SOCKET s, DWORD_PTR* lpContext, LPINT lpErrno);
using LPWPUQUEUEAPC = int (*)(LPWSATHREADID lpThreadId, LPWSAUSERAPC lpfnUserApc, DWORD_PTR dwContext, LPINT lpErrno);
using LPWPURESETEVENT = BOOL (*)(WSAEVENT hEvent, LPINT lpErrno);
using LPWPUSETEVENT = BOOL (*)(WSAEVENT hEvent, LPINT lpErrno);
using LPWPUOPENCURRENTTHREAD = int (*)(LPWSATHREADID lpThreadId, LPINT lpErrno);
using LPWPUCLOSETHREAD = int (*)(LPWSATHREADID lpThreadId, LPINT lpErrno);
using LPWPUCOMPLETEOVERLAPPEDREQUEST = int (*)(SOCKET s, LPWSAOVERLAPPED lpOverlapped, DWORD dwError,
                                               DWORD cbTransferred, LPINT lpErrno);

// The switch's functions that the provider calls.
struct WSPUPCALLTABLEEX {
    LPWPUCLOSEEVENT lpWPUCloseEvent;
    LPWPUCLOSESOCKETHANDLE lpWPUCloseSocketHandle;
    LPWPUCREATEEVENT lpWPUCreateEvent;
    LPWPUCREATESOCKETHANDLE lpWPUCreateSocketHandle;
    LPWPUFDISSET lpWPUFDIsSet;
    LPWPUGETPROVIDERPATH lpWPUGetProviderPath;
    LPWPUMODIFYIFSHANDLE lpWPUModifyIFSHandle;
    LPWPUPOSTMESSAGE lpWPUPostMessage;
    LPWPUQUERYBLOCKINGCALLBACK lpWPUQueryBlockingCallback;
    LPWPUQUERYSOCKETHANDLECONTEXT lpWPUQuerySocketHandleContext;
    LPWPUQUEUEAPC lpWPUQueueApc;
    LPWPURESETEVENT lpWPUResetEvent;
    LPWPUSETEVENT lpWPUSetEvent;
    LPWPUOPENCURRENTTHREAD lpWPUOpenCurrentThread;
    LPWPUCLOSETHREAD lpWPUCloseThread;
    LPWPUCOMPLETEOVERLAPPEDREQUEST lpWPUCompleteOverlappedRequest;
};
using LPWSPUPCALLTABLEEX = WSPUPCALLTABLEEX*;
