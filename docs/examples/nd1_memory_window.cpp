// SPDX-License-Identifier: Apache-2.0
// Memory windows, through NDSPI 1, as a program for Windows. The server opens a window onto its memory and tells the
// client in a message. The client reads and writes through it, and closes it with a SendAndInvalidate; a Write after
// that is one too many, and ends the connection. Both print their results as they come. Described in
// docs/windows-programs.md.
//
//   server:  nd1_memory_window -s OWN-ADDRESS:PORT
//   client:  nd1_memory_window OWN-ADDRESS SERVER-ADDRESS:PORT
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

constexpr SIZE_T kText = 64;  // bytes of each text
constexpr SIZE_T kWindow = 2 * kText;

// Of each side. The server's window is onto the two texts.
struct alignas(4096) Memory {
    char servers[kText];
    char clients[kText];
    ND_MW_DESCRIPTOR message;
};

// A request is known by where its result goes, so what else is to be known of it stands behind that.
struct Request : ND_RESULT {
    explicit Request(const char* what) : ND_RESULT(), name(what) {}
    const char* name;
};

const char* name_of(HRESULT status) {
    return status == ND_SUCCESS            ? "ND_SUCCESS"
           : status == ND_CANCELED         ? "ND_CANCELED"
           : status == ND_REMOTE_ERROR     ? "ND_REMOTE_ERROR"
           : status == ND_ACCESS_VIOLATION ? "ND_ACCESS_VIOLATION"
                                           : "";
}

// Waits for the next results of a queue.
void print_results(INDCompletionQueue* queue, int count) {
    while (count > 0) {
        ND_RESULT* result = NULL;
        if (queue->GetResults(&result, 1) == 1) {
            printf("%s: %08x %s\n", static_cast<Request*>(result)->name, result->Status, name_of(result->Status));
            --count;
        }
    }
}

// What both sides have: room for two Receives and three other requests. The result of a window that the peer closes
// needs an entry of its own in the inbound queue.
struct Side {
    explicit Side(const sockaddr_in& own) {
        call.hEvent = CreateEvent(NULL, TRUE, FALSE, NULL);
        require(NdOpenV1Adapter(reinterpret_cast<const sockaddr*>(&own), sizeof(own), &adapter), "NdOpenV1Adapter");
        require(adapter->CreateCompletionQueue(3, &inbound), "CreateCompletionQueue");
        require(adapter->CreateCompletionQueue(3, &outbound), "CreateCompletionQueue");
        require(adapter->CreateConnector(&connector), "CreateConnector");
        require(connector->CreateEndpoint(inbound, outbound, 2, 3, 1, 1, 1, 1, NULL, &endpoint), "CreateEndpoint");
        require(end_of(adapter, adapter->RegisterMemory(memory, sizeof(*memory), &call, &handle)), "RegisterMemory");
    }

    // The end of an overlapped call.
    HRESULT end_of(INDOverlapped* object, HRESULT result) {
        SIZE_T bytes;
        return result == ND_PENDING ? object->GetOverlappedResult(&call, &bytes, TRUE) : result;
    }
    ND_SGE piece(void* begin, SIZE_T length) const { return {begin, length, handle}; }

    // The failed Write has ended the connection.
    void leave() {
        endpoint->Release();
        connector->Release();
        inbound->Release();
        outbound->Release();
        require(end_of(adapter, adapter->DeregisterMemory(handle, &call)), "DeregisterMemory");
        adapter->Release();
        CloseHandle(call.hEvent);
        delete memory;
    }

    OVERLAPPED call = {};
    INDAdapter* adapter = NULL;
    INDCompletionQueue* inbound = NULL;
    INDCompletionQueue* outbound = NULL;
    INDConnector* connector = NULL;
    INDEndpoint* endpoint = NULL;
    Memory* memory = new Memory();
    ND_MR_HANDLE handle = NULL;
};

void serve(const sockaddr_in& own) {
    Side side(own);
    Request last("the last message");
    Request none("a message that never comes");
    require(side.endpoint->Receive(&last, NULL, 0), "Receive");
    require(side.endpoint->Receive(&none, NULL, 0), "Receive");
    INDListen* listen = NULL;
    require(side.adapter->Listen(1, IPPROTO_TCP, own.sin_port, NULL, &listen), "Listen");
    require(side.end_of(listen, listen->GetConnectionRequest(side.connector, &side.call)), "GetConnectionRequest");
    require(side.end_of(side.connector, side.connector->Accept(side.endpoint, NULL, 0, &side.call)), "Accept");
    listen->Release();

    // The descriptor is there when Bind returns, and the window is open before the message leaves, which is behind it.
    Memory& memory = *side.memory;
    strcpy(memory.servers, "hello from the server");
    Request closed("the window");
    Request bind("Bind");
    Request send("Send");
    INDMemoryWindow* window = NULL;
    require(side.adapter->CreateMemoryWindow(&closed, &window), "CreateMemoryWindow");
    require(side.endpoint->Bind(&bind, side.handle, window, &memory, kWindow,
                                ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE, &memory.message),
            "Bind");
    const ND_SGE message = side.piece(&memory.message, sizeof(memory.message));
    require(side.endpoint->Send(&send, &message, 1, 0), "Send");
    print_results(side.outbound, 2);

    print_results(side.inbound, 2);
    printf("written: %s\n", memory.clients);
    print_results(side.inbound, 1);
    window->Release();
    side.leave();
}

void be_client(const sockaddr_in& own, const sockaddr_in& server) {
    Side side(own);
    Memory& memory = *side.memory;
    Request receive("Receive");
    const ND_SGE message = side.piece(&memory.message, sizeof(memory.message));
    require(side.endpoint->Receive(&receive, &message, 1), "Receive");
    HRESULT result = ND_CONNECTION_REFUSED;
    while (result == ND_CONNECTION_REFUSED || result == ND_TIMEOUT) {  // the server may not listen yet
        result = side.end_of(side.connector,
                             side.connector->Connect(side.endpoint, reinterpret_cast<const sockaddr*>(&server),
                                                     sizeof(server), IPPROTO_TCP, 0, NULL, 0, &side.call));
    }
    require(result, "Connect");
    require(side.end_of(side.connector, side.connector->CompleteConnect(&side.call)), "CompleteConnect");
    print_results(side.inbound, 1);

    // The fence holds the SendAndInvalidate back until the Read has ended, which needs the window. A Write does not
    // need that: what comes behind it is behind it at the server, too.
    strcpy(memory.clients, "hello from the client");
    const ND_SGE theirs = side.piece(memory.servers, kText);
    const ND_SGE own_text = side.piece(memory.clients, kText);
    Request read("Read");
    Request write("Write");
    Request close("SendAndInvalidate");
    require(side.endpoint->Read(&read, &theirs, 1, &memory.message, 0, 0), "Read");
    require(side.endpoint->Write(&write, &own_text, 1, &memory.message, kText, 0), "Write");
    require(side.endpoint->SendAndInvalidate(&close, NULL, 0, &memory.message, ND_OP_FLAG_READ_FENCE),
            "SendAndInvalidate");
    print_results(side.outbound, 3);
    printf("read: %s\n", memory.servers);

    Request late("a late Write");
    require(side.endpoint->Write(&late, &own_text, 1, &memory.message, kText, 0), "Write");
    print_results(side.outbound, 1);
    side.leave();
}

}  // namespace

int _tmain(int argc, TCHAR** argv) {
    if (argc != 3) {
        printf("nd1_memory_window -s OWN-ADDRESS:PORT | OWN-ADDRESS SERVER-ADDRESS:PORT\n");
        return 2;
    }
    WSADATA winsock;
    WSAStartup(MAKEWORD(2, 2), &winsock);
    require(NdStartup(), "NdStartup");
    if (_tcsicmp(argv[1], _T("-s")) == 0) {
        serve(address_of(argv[2]));
    } else {
        be_client(address_of(argv[1]), address_of(argv[2]));
    }
    NdCleanup();
    WSACleanup();
    return 0;
}
