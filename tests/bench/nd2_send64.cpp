// SPDX-License-Identifier: Apache-2.0
// Benchmark: 64-byte Sends through NDSPI 2, window 64, each polled; what the generator of send64.json does.
//
//   receiver:  nd2_send64 OWN-ADDRESS:PORT COUNT
//   sender:    nd2_send64 OWN-ADDRESS PEER-ADDRESS:PORT COUNT
#include <winsock2.h>
//
#include <ndspi.h>
#include <ndsupport.h>
#include <tchar.h>
#include <windows.h>
#include <ws2tcpip.h>
#include <support.hpp>

#include <stdio.h>
#include <stdlib.h>

namespace {

constexpr ULONG kBytes = 64;
constexpr ULONG kWindow = 64;
constexpr ULONG kReceives = 4 * kWindow;  // so that none is missing while one is posted again
constexpr ULONG kBatch = 16;

struct Side {
    explicit Side(const sockaddr_in& own) {
        require(NdOpenAdapter(IID_IND2Adapter, reinterpret_cast<const sockaddr*>(&own), sizeof(own),
                              reinterpret_cast<void**>(&adapter)),
                "NdOpenAdapter");
        require(adapter->CreateOverlappedFile(&file), "CreateOverlappedFile");
        call.hEvent = CreateEvent(NULL, FALSE, FALSE, NULL);
        require(adapter->CreateMemoryRegion(IID_IND2MemoryRegion, file, reinterpret_cast<void**>(&region)),
                "CreateMemoryRegion");
        finish(region, region->Register(buffer, kBytes, ND_MR_FLAG_ALLOW_LOCAL_WRITE, &call), "Register");
        sge = {buffer, kBytes, region->GetLocalToken()};
        require(adapter->CreateCompletionQueue(IID_IND2CompletionQueue, file, kReceives, 0, 0,
                                               reinterpret_cast<void**>(&cq)),
                "CreateCompletionQueue");
        require(adapter->CreateQueuePair(IID_IND2QueuePair, cq, cq, NULL, kReceives, kWindow, 1, 1, 0,
                                         reinterpret_cast<void**>(&qp)),
                "CreateQueuePair");
        require(adapter->CreateConnector(IID_IND2Connector, file, reinterpret_cast<void**>(&connector)),
                "CreateConnector");
    }

    void finish(IND2Overlapped* object, HRESULT result, const char* what) {
        require(result == ND_PENDING ? object->GetOverlappedResult(&call, TRUE) : result, what);
    }

    void leave() {
        finish(connector, connector->Disconnect(&call), "Disconnect");
        finish(region, region->Deregister(&call), "Deregister");
        region->Release();
        connector->Release();
        qp->Release();
        cq->Release();
        adapter->Release();
    }

    // The results of as many requests as have completed.
    ULONG poll() {
        ND2_RESULT results[kBatch];
        const ULONG polled = cq->GetResults(results, kBatch);
        for (ULONG i = 0; i < polled; ++i) {
            require(results[i].Status, "a request");
        }
        return polled;
    }

    OVERLAPPED call = {};
    IND2Adapter* adapter = NULL;
    HANDLE file = NULL;
    IND2CompletionQueue* cq = NULL;
    IND2QueuePair* qp = NULL;
    IND2Connector* connector = NULL;
    IND2MemoryRegion* region = NULL;
    ND2_SGE sge = {};
    char buffer[kBytes] = {};
};

void receive(const sockaddr_in& own, ULONG count) {
    Side side(own);
    for (ULONG i = 0; i < kReceives; ++i) {
        require(side.qp->Receive(NULL, &side.sge, 1), "Receive");
    }
    IND2Listener* listener = NULL;
    require(side.adapter->CreateListener(IID_IND2Listener, side.file, reinterpret_cast<void**>(&listener)),
            "CreateListener");
    require(listener->Bind(reinterpret_cast<const sockaddr*>(&own), sizeof(own)), "Bind");
    require(listener->Listen(1), "Listen");
    side.finish(listener, listener->GetConnectionRequest(side.connector, &side.call), "GetConnectionRequest");
    side.finish(side.connector, side.connector->Accept(side.qp, 0, 0, NULL, 0, &side.call), "Accept");
    for (ULONG received = 0; received < count;) {
        const ULONG polled = side.poll();
        received += polled;
        for (ULONG i = 0; i < polled; ++i) {
            require(side.qp->Receive(NULL, &side.sge, 1), "Receive");
        }
    }
    side.leave();
    listener->Release();
}

void send(const sockaddr_in& own, const sockaddr_in& peer, ULONG count) {
    Side side(own);
    HRESULT result = ND_CONNECTION_REFUSED;
    while (result == ND_CONNECTION_REFUSED) {  // the peer may not listen yet
        result = side.connector->Connect(side.qp, reinterpret_cast<const sockaddr*>(&peer), sizeof(peer), 0, 0, NULL, 0,
                                         &side.call);
        if (result == ND_PENDING) {
            result = side.connector->GetOverlappedResult(&side.call, TRUE);
        }
    }
    require(result, "Connect");
    side.finish(side.connector, side.connector->CompleteConnect(&side.call), "CompleteConnect");
    ULONG posted = 0;
    for (ULONG completed = 0; completed < count; completed += side.poll()) {
        for (; posted < count && posted - completed < kWindow; ++posted) {
            require(side.qp->Send(NULL, &side.sge, 1, 0), "Send");
        }
    }
    side.leave();
}

}  // namespace

int _tmain(int argc, TCHAR** argv) {
    if (argc < 3 || argc > 4) {
        return 2;
    }
    WSADATA winsock;
    WSAStartup(MAKEWORD(2, 2), &winsock);
    require(NdStartup(), "NdStartup");
    const ULONG count = number(argv[argc - 1]);
    if (argc == 3) {
        receive(address_of(argv[1]), count);
    } else {
        send(address_of(argv[1]), address_of(argv[2]), count);
    }
    NdCleanup();
    WSACleanup();
    return 0;
}
