// SPDX-License-Identifier: Apache-2.0
// How long a request and its response take on one connection, through Winsock Direct, as a program for Windows that
// does what Windows' switch does. The server is told of requests by upcalls; the client asks for results again and
// again. Described in docs/winsock-direct.md.
//
//   server:  wsd_request_response -s OWN-ADDRESS:PORT
//   client:  wsd_request_response OWN-ADDRESS SERVER-ADDRESS:PORT [BYTES [REQUESTS]]
#include <winsock2.h>
#include <ws2spi.h>
#include <ws2tcpip.h>

#include <tchar.h>
#include <ws2san.h>

#include <stdio.h>
#include <stdlib.h>

#include "support.hpp"

namespace {

// A message is a number and so many bytes behind it.
const ULONG kMost = 65536;

struct Buffer {
    ULONG number;
    char bytes[kMost];
};
Buffer outgoing;
Buffer incoming;

void require(bool good, const char* what, int error) {
    if (!good) {
        printf("%s failed: %d\n", what, error);
        exit(1);
    }
}

// The provider calls these. It needs no other name for a socket than its own; hEvent is an event that waits for an end.
SOCKET WSPAPI create_socket_handle(DWORD, DWORD_PTR context, LPINT) {
    return context;
}
int WSPAPI close_socket_handle(SOCKET, LPINT) {
    return 0;
}
int WSPAPI complete_overlapped_request(SOCKET, LPWSAOVERLAPPED overlapped, DWORD, DWORD bytes, LPINT) {
    overlapped->InternalHigh = bytes;
    overlapped->Internal = 0;
    SetEvent(overlapped->hEvent);
    return 0;
}

// A provider and its functions, and a socket.
struct Side {
    explicit Side(const sockaddr_in& own) {
        WSPUPCALLTABLEEX upcalls = {};
        upcalls.lpWPUCreateSocketHandle = create_socket_handle;
        upcalls.lpWPUCloseSocketHandle = close_socket_handle;
        upcalls.lpWPUCompleteOverlappedRequest = complete_overlapped_request;
        WSPDATA data;
        error = WSPStartupEx(MAKEWORD(2, 2), &data, NULL, &upcalls, &wsp);
        require(error == 0, "WSPStartupEx", error);
        s = wsp.lpWSPSocket(AF_INET, SOCK_STREAM, IPPROTO_TCP, NULL, 0, WSA_FLAG_OVERLAPPED, &error);
        require(s != INVALID_SOCKET, "WSPSocket", error);
        const int bound = wsp.lpWSPBind(s, reinterpret_cast<const sockaddr*>(&own), sizeof(own), &error);
        require(bound == 0, "WSPBind", error);
    }

    // Waits for one of these events of the socket, and returns how it ended.
    int next(int bit) {
        WSANETWORKEVENTS events = {};
        while ((events.lNetworkEvents & (1 << bit)) == 0) {
            WaitForSingleObject(event, INFINITE);
            wsp.lpWSPEnumNetworkEvents(s, event, &events, &error);
        }
        return events.iErrorCode[bit];
    }

    // A function that is not in the table is asked for by its GUID.
    void register_memory() {
        GUID id = WSAID_REGISTERMEMORY;
        LPFN_WSPREGISTERMEMORY function;
        DWORD size;
        const int found = wsp.lpWSPIoctl(s, SIO_GET_EXTENSION_FUNCTION_POINTER, &id, sizeof(id), &function,
                                         sizeof(function), &size, NULL, NULL, NULL, &error);
        require(found == 0, "WSPIoctl", error);
        require(function(s, &outgoing, sizeof(outgoing), MEM_READ, &error) != NULL, "WSPRegisterMemory", error);
        require(function(s, &incoming, sizeof(incoming), MEM_WRITE, &error) != NULL, "WSPRegisterMemory", error);
    }

    void receive(OVERLAPPED& overlapped) {
        WSABUF all = {sizeof(incoming), reinterpret_cast<CHAR*>(&incoming)};
        DWORD now;
        DWORD flags = 0;
        const int result = wsp.lpWSPRecv(s, &all, 1, &now, &flags, &overlapped, NULL, NULL, &error);
        require(result == 0 || error == WSA_IO_PENDING, "WSPRecv", error);
    }

    // The array is gone when this returns; the bytes stay.
    void send(ULONG bytes, OVERLAPPED& overlapped) {
        WSABUF pieces[] = {{sizeof(outgoing.number), reinterpret_cast<CHAR*>(&outgoing.number)},
                           {bytes, outgoing.bytes}};
        DWORD now;
        const int result = wsp.lpWSPSend(s, pieces, 2, &now, 0, &overlapped, NULL, NULL, &error);
        require(result == 0 || error == WSA_IO_PENDING, "WSPSend", error);
    }

    // Whether it has succeeded; else the error says why not, or that it has not ended.
    bool has_succeeded(OVERLAPPED& overlapped, DWORD& bytes) {
        DWORD flags;
        return wsp.lpWSPGetOverlappedResult(s, &overlapped, &bytes, FALSE, &flags, &error) != FALSE;
    }

    void poll(OVERLAPPED& overlapped, const char* what) {
        DWORD bytes;
        while (!has_succeeded(overlapped, bytes)) {
            require(error == WSA_IO_INCOMPLETE, what, error);
        }
    }

    void leave() {
        wsp.lpWSPCloseSocket(s, &error);
        wsp.lpWSPCleanup(&error);
    }

    WSPPROC_TABLE wsp = {};
    SOCKET s = INVALID_SOCKET;
    HANDLE event = CreateEvent(NULL, TRUE, FALSE, NULL);  // of the socket
    int error = 0;
};

// What an operation ends with: the provider tells with an upcall, or not if the low bit is set.
OVERLAPPED told() {
    OVERLAPPED overlapped = {};
    overlapped.hEvent = CreateEvent(NULL, FALSE, FALSE, NULL);
    return overlapped;
}
OVERLAPPED polled() {
    OVERLAPPED overlapped = told();
    overlapped.hEvent = reinterpret_cast<HANDLE>(reinterpret_cast<ULONG_PTR>(overlapped.hEvent) | 1);
    return overlapped;
}

void serve(const sockaddr_in& own) {
    Side side(own);
    side.wsp.lpWSPEventSelect(side.s, side.event, FD_ACCEPT, &side.error);
    require(side.wsp.lpWSPListen(side.s, 1, &side.error) == 0, "WSPListen", side.error);
    side.next(FD_ACCEPT_BIT);
    side.s = side.wsp.lpWSPAccept(side.s, NULL, NULL, NULL, 0, &side.error);
    require(side.s != INVALID_SOCKET, "WSPAccept", side.error);
    side.register_memory();

    OVERLAPPED request = told();
    OVERLAPPED response = polled();
    ULONG served = 0;
    DWORD bytes = 0;
    side.receive(request);
    while (WaitForSingleObject(request.hEvent, INFINITE) == WAIT_OBJECT_0 && side.has_succeeded(request, bytes)) {
        outgoing.number = incoming.number;
        require(incoming.number == served, "the order of requests", 0);
        side.receive(request);  // before the response, which the next request follows
        side.send(bytes - sizeof(ULONG), response);
        side.poll(response, "a response");
        ++served;
    }
    require(side.error == WSAECONNRESET, "a request", side.error);  // the client has closed its socket
    printf("%u requests served\n", served);
    side.leave();
}

void be_client(const sockaddr_in& own, const sockaddr_in& server, ULONG bytes, ULONG requests) {
    Side side(own);
    side.wsp.lpWSPEventSelect(side.s, side.event, FD_CONNECT, &side.error);
    int result = WSAECONNRESET;
    while (result == WSAECONNRESET) {  // the server may not listen yet
        side.wsp.lpWSPConnect(side.s, reinterpret_cast<const sockaddr*>(&server), sizeof(server), NULL, NULL, NULL,
                              NULL, &side.error);
        require(side.error == WSAEWOULDBLOCK, "WSPConnect", side.error);
        result = side.next(FD_CONNECT_BIT);
    }
    require(result == 0, "connecting", result);
    side.register_memory();

    OVERLAPPED request = polled();
    OVERLAPPED response = polled();
    LARGE_INTEGER frequency;
    LARGE_INTEGER begun;
    LARGE_INTEGER ended;
    QueryPerformanceFrequency(&frequency);
    for (ULONG number = 0; number <= requests; ++number) {
        if (number == 1) {
            QueryPerformanceCounter(&begun);  // request 0 may have waited until the server posted its receive
        }
        outgoing.number = number;
        side.receive(response);
        side.send(bytes, request);
        side.poll(response, "a response");
        side.poll(request, "a request");
        require(incoming.number == number, "the order of responses", 0);
    }
    QueryPerformanceCounter(&ended);
    const double microseconds = 1e6 * static_cast<double>(ended.QuadPart - begun.QuadPart) /
                                static_cast<double>(frequency.QuadPart) / static_cast<double>(requests);
    printf("%u requests of %u bytes, there and back: %.3f us each\n", requests, bytes, microseconds);
    side.leave();
}

}  // namespace

int _tmain(int argc, TCHAR** argv) {
    const ULONG bytes = argc > 3 ? number(argv[3]) : 64;
    const ULONG requests = argc > 4 ? number(argv[4]) : 1000;
    if (argc < 3 || bytes > kMost || requests == 0) {
        printf("wsd_request_response -s OWN-ADDRESS:PORT | OWN-ADDRESS SERVER-ADDRESS:PORT [BYTES [REQUESTS]]\n");
        return 2;
    }
    if (_tcsicmp(argv[1], _T("-s")) == 0) {
        serve(address_of(argv[2]));
    } else {
        be_client(address_of(argv[1]), address_of(argv[2]), bytes, requests);
    }
    return 0;
}
