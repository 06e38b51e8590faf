// SPDX-License-Identifier: Apache-2.0
// How long a message takes, through NDSPI 1, as a program for Windows. The client sends a message and the server sends
// it back, in several sizes. Each side waits for it in two ways: it polls the completion queue, or it sleeps until the
// queue notifies it. The client prints half of a round trip. Described in docs/windows-programs.md.
//
//   server:  nd1_ping_pong -s OWN-ADDRESS:PORT
//   client:  nd1_ping_pong OWN-ADDRESS SERVER-ADDRESS:PORT
#include <winsock2.h>
//
#include <ndspi.h>
#include <ndsupport.h>
#include <tchar.h>
#include <windows.h>
#include <ws2tcpip.h>

#include <stdio.h>
#include <stdlib.h>
#include <vector>

#include "support.hpp"

namespace {

constexpr ULONG kRounds = 100;
constexpr ULONG kSizes[] = {1, 64, 1024, 4096, 16384, 65536};
constexpr ULONG kLargest = 65536;

enum class Wait { polling, notified };

struct alignas(4096) Page {
    char bytes[4096];
};

// What both sides have. Receives have a queue of their own, so what it notifies of is a message.
struct Side {
    explicit Side(const sockaddr_in& own) {
        call.hEvent = CreateEvent(NULL, TRUE, FALSE, NULL);
        require(NdOpenV1Adapter(reinterpret_cast<const sockaddr*>(&own), sizeof(own), &adapter), "NdOpenV1Adapter");
        require(adapter->CreateCompletionQueue(1, &inbound), "CreateCompletionQueue");
        require(adapter->CreateCompletionQueue(1, &outbound), "CreateCompletionQueue");
        require(adapter->CreateConnector(&connector), "CreateConnector");
        require(connector->CreateEndpoint(inbound, outbound, 1, 1, 1, 1, 0, 0, NULL, &endpoint), "CreateEndpoint");
        require(end_of(adapter, adapter->RegisterMemory(buffer.data(), kLargest, &call, &memory)), "RegisterMemory");
        receive();  // before there is a connection, so that its first message finds a Receive
    }

    // The end of an overlapped call.
    HRESULT end_of(INDOverlapped* object, HRESULT result) {
        SIZE_T bytes;
        return result == ND_PENDING ? object->GetOverlappedResult(&call, &bytes, TRUE) : result;
    }

    void receive() {
        const ND_SGE sge = {buffer.data(), kLargest, memory};
        require(endpoint->Receive(&received, &sge, 1), "Receive");
    }
    void send(ULONG bytes) {
        const ND_SGE sge = {buffer.data(), bytes, memory};
        require(endpoint->Send(&sent, &sge, 1, 0), "Send");
    }
    // The next result of a queue. What was notified may have been taken already, hence the loop.
    void take(INDCompletionQueue* queue, Wait wait) {
        ND_RESULT* result = NULL;
        while (queue->GetResults(&result, 1) == 0) {
            if (wait == Wait::notified) {
                require(end_of(queue, queue->Notify(ND_CQ_NOTIFY_ANY, &call)), "Notify");
            }
        }
        require(result->Status, "a request");
    }

    void leave() {
        require(end_of(connector, connector->Disconnect(&call)), "Disconnect");
        endpoint->Release();
        connector->Release();
        inbound->Release();
        outbound->Release();
        require(end_of(adapter, adapter->DeregisterMemory(memory, &call)), "DeregisterMemory");
        adapter->Release();
        CloseHandle(call.hEvent);
    }

    OVERLAPPED call = {};
    INDAdapter* adapter = NULL;
    INDCompletionQueue* inbound = NULL;
    INDCompletionQueue* outbound = NULL;
    INDConnector* connector = NULL;
    INDEndpoint* endpoint = NULL;
    std::vector<Page> buffer = std::vector<Page>(kLargest / sizeof(Page));
    ND_MR_HANDLE memory = NULL;
    ND_RESULT received = {};
    ND_RESULT sent = {};
};

void accept_client(Side& side, USHORT port) {
    INDListen* listen = NULL;
    require(side.adapter->Listen(1, IPPROTO_TCP, port, NULL, &listen), "Listen");
    require(side.end_of(listen, listen->GetConnectionRequest(side.connector, &side.call)), "GetConnectionRequest");
    require(side.end_of(side.connector, side.connector->Accept(side.endpoint, NULL, 0, &side.call)), "Accept");
    listen->Release();
}

void connect_to(Side& side, const sockaddr_in& server) {
    HRESULT result = ND_CONNECTION_REFUSED;
    while (result == ND_CONNECTION_REFUSED || result == ND_TIMEOUT) {  // the server may not listen yet
        result = side.end_of(side.connector,
                             side.connector->Connect(side.endpoint, reinterpret_cast<const sockaddr*>(&server),
                                                     sizeof(server), IPPROTO_TCP, 0, NULL, 0, &side.call));
    }
    require(result, "Connect");
    require(side.end_of(side.connector, side.connector->CompleteConnect(&side.call)), "CompleteConnect");
}

// The next Receive is posted before the answer goes out, since the peer's next message may come right after it.
void answer(Side& side, ULONG bytes, Wait wait) {
    for (ULONG round = 0; round < kRounds; ++round) {
        side.take(side.inbound, wait);
        side.receive();
        side.send(bytes);
        side.take(side.outbound, Wait::polling);
    }
}

// Half of a round trip, in microseconds.
double ask(Side& side, ULONG bytes, Wait wait) {
    LARGE_INTEGER frequency;
    LARGE_INTEGER begun;
    LARGE_INTEGER ended;
    QueryPerformanceFrequency(&frequency);
    QueryPerformanceCounter(&begun);
    for (ULONG round = 0; round < kRounds; ++round) {
        side.send(bytes);
        side.take(side.outbound, Wait::polling);
        side.take(side.inbound, wait);
        side.receive();
    }
    QueryPerformanceCounter(&ended);
    const double ticks = static_cast<double>(ended.QuadPart - begun.QuadPart);
    return 1e6 * ticks / static_cast<double>(frequency.QuadPart) / (2.0 * kRounds);
}

}  // namespace

int _tmain(int argc, TCHAR** argv) {
    if (argc != 3) {
        printf("nd1_ping_pong -s OWN-ADDRESS:PORT | OWN-ADDRESS SERVER-ADDRESS:PORT\n");
        return 2;
    }
    WSADATA winsock;
    WSAStartup(MAKEWORD(2, 2), &winsock);
    require(NdStartup(), "NdStartup");
    const bool serves = _tcsicmp(argv[1], _T("-s")) == 0;
    const sockaddr_in own = address_of(argv[serves ? 2 : 1]);
    Side side(own);
    if (serves) {
        accept_client(side, own.sin_port);
    } else {
        connect_to(side, address_of(argv[2]));
        printf("  bytes   polling  notified\n");
    }
    for (const ULONG bytes : kSizes) {
        if (serves) {
            answer(side, bytes, Wait::polling);
            answer(side, bytes, Wait::notified);
        } else {
            const double polling = ask(side, bytes, Wait::polling);
            printf("%7u %6.3f us %6.3f us\n", bytes, polling, ask(side, bytes, Wait::notified));
        }
    }
    side.leave();
    NdCleanup();
    WSACleanup();
    return 0;
}
