// SPDX-License-Identifier: Apache-2.0
// Two programs in C, which call NDSPI 2 through its tables: "passive" waits for a message, "active ADDRESS" sends one.
#include <winsock2.h>
#include <ndspi.h>
#include <ndsupport.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#define PORT 5000

static char buffer[64];
static OVERLAPPED overlapped;
static IND2Adapter* adapter;
static HANDLE file;
static IND2CompletionQueue* cq;
static IND2QueuePair* qp;
static IND2Connector* connector;
static IND2MemoryRegion* region;

static void require(HRESULT result, const char* what) {
    if (result != ND_SUCCESS) {
        printf("%s: %08lx\n", what, result);
        exit(1);
    }
}

// The outcome of an overlapped call of any interface: all that have one begin with the same table.
static HRESULT outcome(void* object, HRESULT result) {
    IND2Overlapped* const of = (IND2Overlapped*)object;
    return result == ND_PENDING ? of->lpVtbl->GetOverlappedResult(of, &overlapped, TRUE) : result;
}

static void prepare(const SOCKADDR_IN* own) {
    overlapped.hEvent = CreateEvent(NULL, FALSE, FALSE, NULL);
    require(NdOpenAdapter(&IID_IND2Adapter, (const struct sockaddr*)own, sizeof(*own), (void**)&adapter), "an adapter");
    require(adapter->lpVtbl->CreateOverlappedFile(adapter, &file), "a file");
    require(adapter->lpVtbl->CreateCompletionQueue(adapter, &IID_IND2CompletionQueue, file, 4, 0, 0, (void**)&cq),
            "a CQ");
    require(adapter->lpVtbl->CreateQueuePair(adapter, &IID_IND2QueuePair, (IUnknown*)cq, (IUnknown*)cq, NULL, 1, 1, 1,
                                             1, 0, (void**)&qp),
            "a queue pair");
    require(adapter->lpVtbl->CreateConnector(adapter, &IID_IND2Connector, file, (void**)&connector), "a connector");
    require(adapter->lpVtbl->CreateMemoryRegion(adapter, &IID_IND2MemoryRegion, file, (void**)&region), "a region");
    require(outcome(region, region->lpVtbl->Register(region, buffer, sizeof(buffer), ND_MR_FLAG_ALLOW_LOCAL_WRITE,
                                                     &overlapped)),
            "a registration");
}

static ND2_RESULT next_result(void) {
    ND2_RESULT result;
    while (cq->lpVtbl->GetResults(cq, &result, 1) == 0) {
    }
    return result;
}

static void receive(const SOCKADDR_IN* own) {
    IND2Listener* listener = NULL;
    const ND2_SGE sge = {buffer, sizeof(buffer), region->lpVtbl->GetLocalToken(region)};
    require(qp->lpVtbl->Receive(qp, buffer, &sge, 1), "a Receive");
    require(adapter->lpVtbl->CreateListener(adapter, &IID_IND2Listener, file, (void**)&listener), "a listener");
    require(listener->lpVtbl->Bind(listener, (const struct sockaddr*)own, sizeof(*own)), "an address");
    require(listener->lpVtbl->Listen(listener, 1), "listening");
    require(outcome(listener, listener->lpVtbl->GetConnectionRequest(listener, (IUnknown*)connector, &overlapped)),
            "a request");
    require(outcome(connector,
                    connector->lpVtbl->Accept(connector, (IUnknown*)qp, 0, 0, NULL, 0, &overlapped)),
            "accepting");
    const ND2_RESULT result = next_result();
    require(result.Status, "a message");
    printf("%lu bytes: %s\n", (unsigned long)result.BytesTransferred, (const char*)result.RequestContext);
    listener->lpVtbl->Release(listener);
}

static void send_to(const SOCKADDR_IN* peer) {
    HRESULT result = ND_CONNECTION_REFUSED;
    while (result == ND_CONNECTION_REFUSED) {  // it may not listen yet
        result = outcome(connector, connector->lpVtbl->Connect(connector, (IUnknown*)qp, (const struct sockaddr*)peer,
                                                               sizeof(*peer), 0, 0, NULL, 0, &overlapped));
    }
    require(result, "connecting");
    require(outcome(connector, connector->lpVtbl->CompleteConnect(connector, &overlapped)), "completing");
    const ND2_SGE sge = {buffer, (ULONG)strlen(strcpy(buffer, "from C")) + 1, region->lpVtbl->GetLocalToken(region)};
    require(qp->lpVtbl->Send(qp, NULL, &sge, 1, 0), "a Send");
    require(next_result().Status, "its result");
}

int main(int argc, char* argv[]) {
    SOCKADDR_IN own = {0};
    own.sin_family = AF_INET;
    own.sin_port = htons(PORT);
    own.sin_addr.s_addr = inet_addr(argv[2]);
    require(NdStartup(), "NdStartup");
    prepare(&own);
    if (strcmp(argv[1], "passive") == 0) {
        receive(&own);
    } else {
        SOCKADDR_IN peer = own;
        peer.sin_addr.s_addr = inet_addr(argv[argc - 1]);
        send_to(&peer);
    }
    require(outcome(connector, connector->lpVtbl->Disconnect(connector, &overlapped)), "disconnecting");
    return 0;
}
