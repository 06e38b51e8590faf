// SPDX-License-Identifier: Apache-2.0
// Winsock Direct by a switch that waits for nothing: it calls again and again until the call succeeds.
//
//   wsd_polls receive [LOOKS]    accepts and receives, and ends with its peer, or exits after so many looks at the
//   clock
//                                while another thread polls
//   wsd_polls send MESSAGES
#include "tests/ndapi/windows/program/clients/wsd_side.hpp"

namespace {

constexpr USHORT kPort = 5000;
constexpr int kMessages = 16;
constexpr ULONG kSize = 64;

alignas(4096) char buffer[kMessages][kSize];

struct Party : Side {
    OVERLAPPED operations[kMessages] = {};

    Party() {
        start();
        HANDLE const event = CreateEvent(NULL, FALSE, FALSE, NULL);
        for (OVERLAPPED& each : operations) {
            each.hEvent = reinterpret_cast<HANDLE>(reinterpret_cast<ULONG_PTR>(event) | 1);  // polled for [W43]
        }
    }
    void register_buffer() {
        ask_for_extensions();
        while (extensions.register_memory(s, buffer, sizeof(buffer), MEM_READWRITE, &error) == NULL) {
            expect_code(error, WSAENOTCONN, "memory is registered as soon as there is a connection");
        }
    }
    int receive(int i) {
        WSABUF whole = {kSize, buffer[i]};
        DWORD bytes = 0;
        DWORD flags = 0;
        wsp.lpWSPRecv(s, &whole, 1, &bytes, &flags, &operations[i], NULL, NULL, &error);
        return error;
    }
    int send(int i) {
        WSABUF whole = {kSize, buffer[i]};
        DWORD bytes = 0;
        wsp.lpWSPSend(s, &whole, 1, &bytes, 0, &operations[i], NULL, NULL, &error);
        return error;
    }
    // The code; 0: it has succeeded.
    int finish(int i) {
        DWORD bytes = 0;
        DWORD flags = 0;
        while (!wsp.lpWSPGetOverlappedResult(s, &operations[i], &bytes, FALSE, &flags, &error)) {
            if (error != WSA_IO_INCOMPLETE) {
                return error;
            }
        }
        return 0;
    }
};

void accept(Party& party) {
    HANDLE const event = CreateEvent(NULL, TRUE, FALSE, NULL);
    party.bind(1, kPort);
    expect_code(party.wsp.lpWSPEventSelect(party.s, event, FD_ACCEPT, &party.error), 0, "an event");
    expect_code(party.wsp.lpWSPListen(party.s, 1, &party.error), 0, "it listens");
    WSANETWORKEVENTS events = {};
    while ((events.lNetworkEvents & FD_ACCEPT) == 0) {
        expect_code(party.wsp.lpWSPEnumNetworkEvents(party.s, NULL, &events, &party.error), 0, "what has happened");
    }
    SOCKET accepted = INVALID_SOCKET;
    while ((accepted = party.wsp.lpWSPAccept(party.s, NULL, NULL, NULL, 0, &party.error)) == INVALID_SOCKET) {
        expect_code(party.error, WSAEWOULDBLOCK, "a request");
    }
    expect(party.wsp.lpWSPAccept(party.s, NULL, NULL, NULL, 0, &party.error) == INVALID_SOCKET, "no second one");
    party.s = accepted;
    party.register_buffer();
}

DWORD WINAPI receive_all(LPVOID argument) {
    Party& party = *static_cast<Party*>(argument);
    for (int i = 0; i < kMessages; ++i) {
        expect_code(party.receive(i), WSA_IO_PENDING, "a receive");
    }
    int next = 0;
    while (party.finish(next) == 0 && party.receive(next) == WSA_IO_PENDING) {
        next = (next + 1) % kMessages;
    }
    return 0;
}

void receive(int looks) {
    static Party party;
    accept(party);
    if (looks == 0) {
        receive_all(&party);
        return;
    }
    CreateThread(NULL, 0, receive_all, &party, 0, NULL);
    Sleep(1);
    LARGE_INTEGER now;
    for (int i = 0; i < looks; ++i) {
        QueryPerformanceCounter(&now);
    }
    ExitProcess(0);
}

void send(int messages) {
    Party party;
    Sleep(1);  // until the other side listens
    party.bind(2);
    const sockaddr_in peer = Side::address(1, kPort);
    party.wsp.lpWSPConnect(party.s, reinterpret_cast<const sockaddr*>(&peer), sizeof(peer), NULL, NULL, NULL, NULL,
                           &party.error);
    expect_code(party.error, WSAEWOULDBLOCK, "connecting");
    party.register_buffer();
    Sleep(1);  // until the other side has posted its receives
    for (int i = 0; i < messages; ++i) {
        if ((i >= kMessages && party.finish(i % kMessages) != 0) || party.send(i % kMessages) != WSA_IO_PENDING) {
            expect_code(party.error, WSAECONNRESET, "the other side has gone");
            break;
        }
    }
    party.close(party.s);
    expect_code(party.wsp.lpWSPCleanup(&party.error), 0, "it ends");
}

}  // namespace

int main(int argc, char** argv) {
    const int number = argc > 2 ? atoi(argv[2]) : 0;
    argc > 1 && strcmp(argv[1], "send") == 0 ? send(number) : receive(number);
    return 0;
}
