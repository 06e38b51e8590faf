// SPDX-License-Identifier: Apache-2.0
// How fast Writes are, through NDSPI 2 and a completion port, as a program for Windows. The server offers a buffer and
// waits; the client writes to it, with a window of Writes under way, and prints the rate. Described in
// docs/windows-programs.md.
//
//   server:  nd2_bandwidth -s OWN-ADDRESS:PORT
//   client:  nd2_bandwidth OWN-ADDRESS SERVER-ADDRESS:PORT [BYTES [WRITES [WINDOW]]]
#include <winsock2.h>
//
#include <ndspi.h>
#include <ndsupport.h>
#include <tchar.h>
#include <windows.h>
#include <ws2tcpip.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.hpp"

namespace {

// What the server tells the client with its accept.
struct Offer {
    UINT64 address;
    UINT32 token;
};

// What both sides have. Completions of overlapped calls come to the port.
struct Side {
    explicit Side(const sockaddr_in& own, ULONG window, SIZE_T bytes, ULONG rights) {
        require(NdOpenAdapter(IID_IND2Adapter, reinterpret_cast<const sockaddr*>(&own), sizeof(own),
                              reinterpret_cast<void**>(&adapter)),
                "NdOpenAdapter");
        require(adapter->CreateOverlappedFile(&file), "CreateOverlappedFile");
        port = CreateIoCompletionPort(file, NULL, 0, 0);
        require(adapter->CreateCompletionQueue(IID_IND2CompletionQueue, file, window + 1, 0, 0,
                                               reinterpret_cast<void**>(&cq)),
                "CreateCompletionQueue");
        require(adapter->CreateQueuePair(IID_IND2QueuePair, cq, cq, NULL, 1, window, 1, 1, 0,
                                         reinterpret_cast<void**>(&qp)),
                "CreateQueuePair");
        require(adapter->CreateConnector(IID_IND2Connector, file, reinterpret_cast<void**>(&connector)),
                "CreateConnector");
        require(adapter->CreateMemoryRegion(IID_IND2MemoryRegion, file, reinterpret_cast<void**>(&region)),
                "CreateMemoryRegion");
        buffer = static_cast<char*>(HeapAlloc(GetProcessHeap(), HEAP_ZERO_MEMORY, bytes));
        finish(region->Register(buffer, bytes, rights, &call), "Register");
    }

    // The end of an overlapped call.
    void finish(HRESULT result, const char* what) {
        if (result == ND_PENDING) {
            DWORD transferred;
            ULONG_PTR key;
            OVERLAPPED* done = NULL;
            GetQueuedCompletionStatus(port, &transferred, &key, &done, INFINITE);
            result = static_cast<HRESULT>(done->Internal);
        }
        require(result, what);
    }

    void leave() {
        finish(connector->Disconnect(&call), "Disconnect");
        finish(region->Deregister(&call), "Deregister");
        region->Release();
        connector->Release();
        qp->Release();
        cq->Release();
        adapter->Release();
        HeapFree(GetProcessHeap(), 0, buffer);
    }

    OVERLAPPED call = {};
    IND2Adapter* adapter = NULL;
    HANDLE file = NULL;
    HANDLE port = NULL;
    IND2CompletionQueue* cq = NULL;
    IND2QueuePair* qp = NULL;
    IND2Connector* connector = NULL;
    IND2MemoryRegion* region = NULL;
    char* buffer = NULL;
};

void serve(const sockaddr_in& own, SIZE_T bytes) {
    Side side(own, 1, bytes, ND_MR_FLAG_ALLOW_LOCAL_WRITE | ND_MR_FLAG_ALLOW_REMOTE_WRITE);
    IND2Listener* listener = NULL;
    require(side.adapter->CreateListener(IID_IND2Listener, side.file, reinterpret_cast<void**>(&listener)),
            "CreateListener");
    require(listener->Bind(reinterpret_cast<const sockaddr*>(&own), sizeof(own)), "Bind");
    require(listener->Listen(1), "Listen");
    side.finish(listener->GetConnectionRequest(side.connector, &side.call), "GetConnectionRequest");
    const Offer offer = {reinterpret_cast<UINT64>(side.buffer), side.region->GetRemoteToken()};
    side.finish(side.connector->Accept(side.qp, 0, 0, &offer, sizeof(offer), &side.call), "Accept");
    side.finish(side.connector->NotifyDisconnect(&side.call), "NotifyDisconnect");
    side.leave();
    listener->Release();
}

// Keeps `window` Writes under way. Returns the time in seconds.
double write_all(Side& side, const Offer& offer, ULONG bytes, ULONG writes, ULONG window) {
    const ND2_SGE sge = {side.buffer, bytes, side.region->GetLocalToken()};
    LARGE_INTEGER frequency;
    LARGE_INTEGER begun;
    LARGE_INTEGER ended;
    QueryPerformanceFrequency(&frequency);
    QueryPerformanceCounter(&begun);
    ULONG posted = 0;
    for (ULONG completed = 0; completed < writes;) {
        for (; posted < writes && posted - completed < window; ++posted) {
            require(side.qp->Write(NULL, &sge, 1, offer.address, offer.token, 0), "Write");
        }
        ND2_RESULT result;
        if (side.cq->GetResults(&result, 1) == 1) {
            require(result.Status, "a Write");
            ++completed;
        }
    }
    QueryPerformanceCounter(&ended);
    return static_cast<double>(ended.QuadPart - begun.QuadPart) / static_cast<double>(frequency.QuadPart);
}

void be_client(const sockaddr_in& own, const sockaddr_in& server, ULONG bytes, ULONG writes, ULONG window) {
    Side side(own, window, bytes, ND_MR_FLAG_ALLOW_LOCAL_WRITE);
    HRESULT result = ND_CONNECTION_REFUSED;
    while (result == ND_CONNECTION_REFUSED) {  // the server may not listen yet
        result = side.connector->Connect(side.qp, reinterpret_cast<const sockaddr*>(&server), sizeof(server), 0, 0,
                                         NULL, 0, &side.call);
        if (result == ND_PENDING) {
            result = side.connector->GetOverlappedResult(&side.call, TRUE);
            DWORD transferred;
            ULONG_PTR key;
            OVERLAPPED* done;
            GetQueuedCompletionStatus(side.port, &transferred, &key, &done, INFINITE);
        }
    }
    require(result, "Connect");
    Offer offer = {};
    ULONG length = sizeof(offer);
    require(side.connector->GetPrivateData(&offer, &length), "GetPrivateData");
    side.finish(side.connector->CompleteConnect(&side.call), "CompleteConnect");

    const double seconds = write_all(side, offer, bytes, writes, window);
    const double gigabits = 8e-9 * static_cast<double>(bytes) * static_cast<double>(writes) / seconds;
    printf("%u writes of %u bytes, %u under way: %.2f Gb/s\n", writes, bytes, window, gigabits);
    side.leave();
}

}  // namespace

int _tmain(int argc, TCHAR** argv) {
    if (argc < 3) {
        printf("nd2_bandwidth -s OWN-ADDRESS:PORT | OWN-ADDRESS SERVER-ADDRESS:PORT [BYTES [WRITES [WINDOW]]]\n");
        return 2;
    }
    WSADATA winsock;
    WSAStartup(MAKEWORD(2, 2), &winsock);
    require(NdStartup(), "NdStartup");
    if (argc == 3 && _tcsicmp(argv[1], _T("-s")) == 0) {
        serve(address_of(argv[2]), 1 << 20);
    } else {
        const ULONG bytes = argc > 3 ? number(argv[3]) : 65536;
        const ULONG writes = argc > 4 ? number(argv[4]) : 1000;
        const ULONG window = argc > 5 ? number(argv[5]) : 16;
        be_client(address_of(argv[1]), address_of(argv[2]), bytes, writes, window);
    }
    NdCleanup();
    WSACleanup();
    return 0;
}
