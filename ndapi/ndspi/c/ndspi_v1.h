// SPDX-License-Identifier: Apache-2.0
// NetworkDirect 1 for C: each interface is an object that points to its table of functions, which take the object
// first. ndspi_v1_*.h explain the parameters and the methods.
#pragma once

#include "ndapi/ndspi/nddef_v1.h"

typedef struct INDOverlapped {
    const struct INDOverlappedVtbl* lpVtbl;
} INDOverlapped;
typedef struct INDCompletionQueue {
    const struct INDCompletionQueueVtbl* lpVtbl;
} INDCompletionQueue;
typedef struct INDMemoryWindow {
    const struct INDMemoryWindowVtbl* lpVtbl;
} INDMemoryWindow;
typedef struct INDEndpoint {
    const struct INDEndpointVtbl* lpVtbl;
} INDEndpoint;
typedef struct INDConnector {
    const struct INDConnectorVtbl* lpVtbl;
} INDConnector;
typedef struct INDListen {
    const struct INDListenVtbl* lpVtbl;
} INDListen;
typedef struct INDAdapter {
    const struct INDAdapterVtbl* lpVtbl;
} INDAdapter;
typedef struct INDProvider {
    const struct INDProviderVtbl* lpVtbl;
} INDProvider;

struct INDOverlappedVtbl {
    HRESULT (*QueryInterface)(INDOverlapped*, const IID*, VOID**);
    ULONG (*AddRef)(INDOverlapped*);
    ULONG (*Release)(INDOverlapped*);
    HRESULT (*CancelOverlappedRequests)(INDOverlapped*);
    HRESULT (*GetOverlappedResult)(INDOverlapped*, OVERLAPPED*, SIZE_T*, BOOL);
};

struct INDCompletionQueueVtbl {
    HRESULT (*QueryInterface)(INDCompletionQueue*, const IID*, VOID**);
    ULONG (*AddRef)(INDCompletionQueue*);
    ULONG (*Release)(INDCompletionQueue*);
    HRESULT (*CancelOverlappedRequests)(INDCompletionQueue*);
    HRESULT (*GetOverlappedResult)(INDCompletionQueue*, OVERLAPPED*, SIZE_T*, BOOL);
    HRESULT (*Resize)(INDCompletionQueue*, SIZE_T);
    HRESULT (*Notify)(INDCompletionQueue*, DWORD, OVERLAPPED*);
    SIZE_T (*GetResults)(INDCompletionQueue*, ND_RESULT**, SIZE_T);
};

struct INDMemoryWindowVtbl {
    HRESULT (*QueryInterface)(INDMemoryWindow*, const IID*, VOID**);
    ULONG (*AddRef)(INDMemoryWindow*);
    ULONG (*Release)(INDMemoryWindow*);
};

struct INDEndpointVtbl {
    HRESULT (*QueryInterface)(INDEndpoint*, const IID*, VOID**);
    ULONG (*AddRef)(INDEndpoint*);
    ULONG (*Release)(INDEndpoint*);
    HRESULT (*Flush)(INDEndpoint*);
    VOID (*StartRequestBatch)(INDEndpoint*);
    VOID (*SubmitRequestBatch)(INDEndpoint*);
    HRESULT (*Send)(INDEndpoint*, ND_RESULT*, const ND_SGE*, SIZE_T, DWORD);
    HRESULT (*SendAndInvalidate)(INDEndpoint*, ND_RESULT*, const ND_SGE*, SIZE_T, const ND_MW_DESCRIPTOR*, DWORD);
    HRESULT (*Receive)(INDEndpoint*, ND_RESULT*, const ND_SGE*, SIZE_T);
    HRESULT(*Bind)
    (INDEndpoint*, ND_RESULT*, ND_MR_HANDLE, INDMemoryWindow*, const VOID*, SIZE_T, DWORD, ND_MW_DESCRIPTOR*);
    HRESULT (*Invalidate)(INDEndpoint*, ND_RESULT*, INDMemoryWindow*, DWORD);
    HRESULT (*Read)(INDEndpoint*, ND_RESULT*, const ND_SGE*, SIZE_T, const ND_MW_DESCRIPTOR*, ULONGLONG, DWORD);
    HRESULT (*Write)(INDEndpoint*, ND_RESULT*, const ND_SGE*, SIZE_T, const ND_MW_DESCRIPTOR*, ULONGLONG, DWORD);
};

struct INDConnectorVtbl {
    HRESULT (*QueryInterface)(INDConnector*, const IID*, VOID**);
    ULONG (*AddRef)(INDConnector*);
    ULONG (*Release)(INDConnector*);
    HRESULT (*CancelOverlappedRequests)(INDConnector*);
    HRESULT (*GetOverlappedResult)(INDConnector*, OVERLAPPED*, SIZE_T*, BOOL);
    HRESULT(*CreateEndpoint)
    (INDConnector*, INDCompletionQueue*, INDCompletionQueue*, SIZE_T, SIZE_T, SIZE_T, SIZE_T, SIZE_T, SIZE_T, SIZE_T*,
     INDEndpoint**);
    HRESULT(*Connect)
    (INDConnector*, INDEndpoint*, const struct sockaddr*, SIZE_T, INT, USHORT, const VOID*, SIZE_T, OVERLAPPED*);
    HRESULT (*CompleteConnect)(INDConnector*, OVERLAPPED*);
    HRESULT (*Accept)(INDConnector*, INDEndpoint*, const VOID*, SIZE_T, OVERLAPPED*);
    HRESULT (*Reject)(INDConnector*, const VOID*, SIZE_T);
    HRESULT (*GetConnectionData)(INDConnector*, SIZE_T*, SIZE_T*, VOID*, SIZE_T*);
    HRESULT (*GetLocalAddress)(INDConnector*, struct sockaddr*, SIZE_T*);
    HRESULT (*GetPeerAddress)(INDConnector*, struct sockaddr*, SIZE_T*);
    HRESULT (*NotifyDisconnect)(INDConnector*, OVERLAPPED*);
    HRESULT (*Disconnect)(INDConnector*, OVERLAPPED*);
};

struct INDListenVtbl {
    HRESULT (*QueryInterface)(INDListen*, const IID*, VOID**);
    ULONG (*AddRef)(INDListen*);
    ULONG (*Release)(INDListen*);
    HRESULT (*CancelOverlappedRequests)(INDListen*);
    HRESULT (*GetOverlappedResult)(INDListen*, OVERLAPPED*, SIZE_T*, BOOL);
    HRESULT (*GetConnectionRequest)(INDListen*, INDConnector*, OVERLAPPED*);
};

struct INDAdapterVtbl {
    HRESULT (*QueryInterface)(INDAdapter*, const IID*, VOID**);
    ULONG (*AddRef)(INDAdapter*);
    ULONG (*Release)(INDAdapter*);
    HRESULT (*CancelOverlappedRequests)(INDAdapter*);
    HRESULT (*GetOverlappedResult)(INDAdapter*, OVERLAPPED*, SIZE_T*, BOOL);
    HANDLE (*GetFileHandle)(INDAdapter*);
    HRESULT (*Query)(INDAdapter*, DWORD, ND_ADAPTER_INFO*, SIZE_T*);
    HRESULT (*Control)(INDAdapter*, DWORD, const VOID*, SIZE_T, VOID*, SIZE_T, SIZE_T*, OVERLAPPED*);
    HRESULT (*CreateCompletionQueue)(INDAdapter*, SIZE_T, INDCompletionQueue**);
    HRESULT (*RegisterMemory)(INDAdapter*, const VOID*, SIZE_T, OVERLAPPED*, ND_MR_HANDLE*);
    HRESULT (*DeregisterMemory)(INDAdapter*, ND_MR_HANDLE, OVERLAPPED*);
    HRESULT (*CreateMemoryWindow)(INDAdapter*, ND_RESULT*, INDMemoryWindow**);
    HRESULT (*CreateConnector)(INDAdapter*, INDConnector**);
    HRESULT (*Listen)(INDAdapter*, SIZE_T, INT, USHORT, USHORT*, INDListen**);
};

struct INDProviderVtbl {
    HRESULT (*QueryInterface)(INDProvider*, const IID*, VOID**);
    ULONG (*AddRef)(INDProvider*);
    ULONG (*Release)(INDProvider*);
    HRESULT (*QueryAddressList)(INDProvider*, SOCKET_ADDRESS_LIST*, SIZE_T*);
    HRESULT (*OpenAdapter)(INDProvider*, const struct sockaddr*, SIZE_T, INDAdapter**);
};
