// SPDX-License-Identifier: Apache-2.0
// NetworkDirect 2 for C: each interface is an object that points to its table of functions, which take the object
// first. ndspi_v2_*.h explain the parameters and the methods.
#pragma once

#include "ndapi/ndspi/nddef_v2.h"

typedef struct IND2Overlapped {
    const struct IND2OverlappedVtbl* lpVtbl;
} IND2Overlapped;
typedef struct IND2MemoryRegion {
    const struct IND2MemoryRegionVtbl* lpVtbl;
} IND2MemoryRegion;
typedef struct IND2MemoryWindow {
    const struct IND2MemoryWindowVtbl* lpVtbl;
} IND2MemoryWindow;
typedef struct IND2CompletionQueue {
    const struct IND2CompletionQueueVtbl* lpVtbl;
} IND2CompletionQueue;
typedef struct IND2SharedReceiveQueue {
    const struct IND2SharedReceiveQueueVtbl* lpVtbl;
} IND2SharedReceiveQueue;
typedef struct IND2QueuePair {
    const struct IND2QueuePairVtbl* lpVtbl;
} IND2QueuePair;
typedef struct IND2Connector {
    const struct IND2ConnectorVtbl* lpVtbl;
} IND2Connector;
typedef struct IND2Listener {
    const struct IND2ListenerVtbl* lpVtbl;
} IND2Listener;
typedef struct IND2Adapter {
    const struct IND2AdapterVtbl* lpVtbl;
} IND2Adapter;
typedef struct IND2Provider {
    const struct IND2ProviderVtbl* lpVtbl;
} IND2Provider;

struct IND2OverlappedVtbl {
    HRESULT (*QueryInterface)(IND2Overlapped*, const IID*, VOID**);
    ULONG (*AddRef)(IND2Overlapped*);
    ULONG (*Release)(IND2Overlapped*);
    HRESULT (*CancelOverlappedRequests)(IND2Overlapped*);
    HRESULT (*GetOverlappedResult)(IND2Overlapped*, OVERLAPPED*, BOOL);
};

struct IND2MemoryRegionVtbl {
    HRESULT (*QueryInterface)(IND2MemoryRegion*, const IID*, VOID**);
    ULONG (*AddRef)(IND2MemoryRegion*);
    ULONG (*Release)(IND2MemoryRegion*);
    HRESULT (*CancelOverlappedRequests)(IND2MemoryRegion*);
    HRESULT (*GetOverlappedResult)(IND2MemoryRegion*, OVERLAPPED*, BOOL);
    HRESULT (*Register)(IND2MemoryRegion*, const VOID*, SIZE_T, ULONG, OVERLAPPED*);
    HRESULT (*Deregister)(IND2MemoryRegion*, OVERLAPPED*);
    UINT32 (*GetLocalToken)(IND2MemoryRegion*);
    UINT32 (*GetRemoteToken)(IND2MemoryRegion*);
};

struct IND2MemoryWindowVtbl {
    HRESULT (*QueryInterface)(IND2MemoryWindow*, const IID*, VOID**);
    ULONG (*AddRef)(IND2MemoryWindow*);
    ULONG (*Release)(IND2MemoryWindow*);
    UINT32 (*GetRemoteToken)(IND2MemoryWindow*);
};

struct IND2CompletionQueueVtbl {
    HRESULT (*QueryInterface)(IND2CompletionQueue*, const IID*, VOID**);
    ULONG (*AddRef)(IND2CompletionQueue*);
    ULONG (*Release)(IND2CompletionQueue*);
    HRESULT (*CancelOverlappedRequests)(IND2CompletionQueue*);
    HRESULT (*GetOverlappedResult)(IND2CompletionQueue*, OVERLAPPED*, BOOL);
    HRESULT (*GetNotifyAffinity)(IND2CompletionQueue*, USHORT*, KAFFINITY*);
    HRESULT (*Resize)(IND2CompletionQueue*, ULONG);
    HRESULT (*Notify)(IND2CompletionQueue*, ULONG, OVERLAPPED*);
    ULONG (*GetResults)(IND2CompletionQueue*, ND2_RESULT*, ULONG);
};

struct IND2SharedReceiveQueueVtbl {
    HRESULT (*QueryInterface)(IND2SharedReceiveQueue*, const IID*, VOID**);
    ULONG (*AddRef)(IND2SharedReceiveQueue*);
    ULONG (*Release)(IND2SharedReceiveQueue*);
    HRESULT (*CancelOverlappedRequests)(IND2SharedReceiveQueue*);
    HRESULT (*GetOverlappedResult)(IND2SharedReceiveQueue*, OVERLAPPED*, BOOL);
    HRESULT (*GetNotifyAffinity)(IND2SharedReceiveQueue*, USHORT*, KAFFINITY*);
    HRESULT (*Modify)(IND2SharedReceiveQueue*, ULONG, ULONG);
    HRESULT (*Notify)(IND2SharedReceiveQueue*, OVERLAPPED*);
    HRESULT (*Receive)(IND2SharedReceiveQueue*, VOID*, const ND2_SGE*, ULONG);
};

struct IND2QueuePairVtbl {
    HRESULT (*QueryInterface)(IND2QueuePair*, const IID*, VOID**);
    ULONG (*AddRef)(IND2QueuePair*);
    ULONG (*Release)(IND2QueuePair*);
    HRESULT (*Flush)(IND2QueuePair*);
    HRESULT (*Send)(IND2QueuePair*, VOID*, const ND2_SGE*, ULONG, ULONG);
    HRESULT (*Receive)(IND2QueuePair*, VOID*, const ND2_SGE*, ULONG);
    HRESULT (*Bind)(IND2QueuePair*, VOID*, IUnknown*, IUnknown*, const VOID*, SIZE_T, ULONG);
    HRESULT (*Invalidate)(IND2QueuePair*, VOID*, IUnknown*, ULONG);
    HRESULT (*Read)(IND2QueuePair*, VOID*, const ND2_SGE*, ULONG, UINT64, UINT32, ULONG);
    HRESULT (*Write)(IND2QueuePair*, VOID*, const ND2_SGE*, ULONG, UINT64, UINT32, ULONG);
};

struct IND2ConnectorVtbl {
    HRESULT (*QueryInterface)(IND2Connector*, const IID*, VOID**);
    ULONG (*AddRef)(IND2Connector*);
    ULONG (*Release)(IND2Connector*);
    HRESULT (*CancelOverlappedRequests)(IND2Connector*);
    HRESULT (*GetOverlappedResult)(IND2Connector*, OVERLAPPED*, BOOL);
    HRESULT (*Bind)(IND2Connector*, const struct sockaddr*, ULONG);
    HRESULT(*Connect)
    (IND2Connector*, IUnknown*, const struct sockaddr*, ULONG, ULONG, ULONG, const VOID*, ULONG, OVERLAPPED*);
    HRESULT (*CompleteConnect)(IND2Connector*, OVERLAPPED*);
    HRESULT (*Accept)(IND2Connector*, IUnknown*, ULONG, ULONG, const VOID*, ULONG, OVERLAPPED*);
    HRESULT (*Reject)(IND2Connector*, const VOID*, ULONG);
    HRESULT (*GetReadLimits)(IND2Connector*, ULONG*, ULONG*);
    HRESULT (*GetPrivateData)(IND2Connector*, VOID*, ULONG*);
    HRESULT (*GetLocalAddress)(IND2Connector*, struct sockaddr*, ULONG*);
    HRESULT (*GetPeerAddress)(IND2Connector*, struct sockaddr*, ULONG*);
    HRESULT (*NotifyDisconnect)(IND2Connector*, OVERLAPPED*);
    HRESULT (*Disconnect)(IND2Connector*, OVERLAPPED*);
};

struct IND2ListenerVtbl {
    HRESULT (*QueryInterface)(IND2Listener*, const IID*, VOID**);
    ULONG (*AddRef)(IND2Listener*);
    ULONG (*Release)(IND2Listener*);
    HRESULT (*CancelOverlappedRequests)(IND2Listener*);
    HRESULT (*GetOverlappedResult)(IND2Listener*, OVERLAPPED*, BOOL);
    HRESULT (*Bind)(IND2Listener*, const struct sockaddr*, ULONG);
    HRESULT (*Listen)(IND2Listener*, ULONG);
    HRESULT (*GetLocalAddress)(IND2Listener*, struct sockaddr*, ULONG*);
    HRESULT (*GetConnectionRequest)(IND2Listener*, IUnknown*, OVERLAPPED*);
};

struct IND2AdapterVtbl {
    HRESULT (*QueryInterface)(IND2Adapter*, const IID*, VOID**);
    ULONG (*AddRef)(IND2Adapter*);
    ULONG (*Release)(IND2Adapter*);
    HRESULT (*CreateOverlappedFile)(IND2Adapter*, HANDLE*);
    HRESULT (*Query)(IND2Adapter*, ND2_ADAPTER_INFO*, ULONG*);
    HRESULT (*QueryAddressList)(IND2Adapter*, SOCKET_ADDRESS_LIST*, ULONG*);
    HRESULT (*CreateCompletionQueue)(IND2Adapter*, const IID*, HANDLE, ULONG, USHORT, KAFFINITY, VOID**);
    HRESULT (*CreateMemoryRegion)(IND2Adapter*, const IID*, HANDLE, VOID**);
    HRESULT (*CreateMemoryWindow)(IND2Adapter*, const IID*, VOID**);
    HRESULT(*CreateSharedReceiveQueue)
    (IND2Adapter*, const IID*, HANDLE, ULONG, ULONG, ULONG, USHORT, KAFFINITY, VOID**);
    HRESULT(*CreateQueuePair)
    (IND2Adapter*, const IID*, IUnknown*, IUnknown*, VOID*, ULONG, ULONG, ULONG, ULONG, ULONG, VOID**);
    HRESULT(*CreateQueuePairWithSrq)
    (IND2Adapter*, const IID*, IUnknown*, IUnknown*, IUnknown*, VOID*, ULONG, ULONG, ULONG, VOID**);
    HRESULT (*CreateConnector)(IND2Adapter*, const IID*, HANDLE, VOID**);
    HRESULT (*CreateListener)(IND2Adapter*, const IID*, HANDLE, VOID**);
};

struct IND2ProviderVtbl {
    HRESULT (*QueryInterface)(IND2Provider*, const IID*, VOID**);
    ULONG (*AddRef)(IND2Provider*);
    ULONG (*Release)(IND2Provider*);
    HRESULT (*QueryAddressList)(IND2Provider*, SOCKET_ADDRESS_LIST*, ULONG*);
    HRESULT (*ResolveAddress)(IND2Provider*, const struct sockaddr*, ULONG, UINT64*);
    HRESULT (*OpenAdapter)(IND2Provider*, const IID*, UINT64, VOID**);
};
