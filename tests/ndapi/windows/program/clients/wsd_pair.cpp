// SPDX-License-Identifier: Apache-2.0
// Winsock Direct through the pointers of the provider's table, between two programs. The rules are those of
// docs/rules/wsd.md. Ends with 0 if all of it is so.
//
//   wsd_pair passive | active | ends-in-upcall
#include "tests/ndapi/windows/program/clients/wsd_side.hpp"

#include <algorithm>

namespace {

constexpr USHORT kPort = 5000;
constexpr ULONG kPart = 4096;

// The buffer's parts: what goes out, what comes in, what the peer writes to, what it reads.
enum Part { kOut, kIn, kWritten, kRead };
char buffer[4 * kPart];

char* start_of(Part part) {
    return buffer + part * kPart;
}
bool holds(Part part, ULONG length, char value) {
    return std::count(start_of(part), start_of(part) + length, value) == static_cast<long>(length);
}

struct Party : Side {
    OVERLAPPED told = {};    // its end comes with an upcall
    OVERLAPPED polled = {};  // its end has to be asked for
    HANDLE network = CreateEvent(NULL, TRUE, FALSE, NULL);
    HANDLE region = NULL;

    Party() {
        start();
        told.hEvent = CreateEvent(NULL, FALSE, FALSE, NULL);
        polled.hEvent = reinterpret_cast<HANDLE>(reinterpret_cast<ULONG_PTR>(told.hEvent) | 1);
    }
    int next(int bit) {
        WSANETWORKEVENTS events = {};
        expect(WaitForSingleObject(network, INFINITE) == WAIT_OBJECT_0, "an event");
        expect_code(wsp.lpWSPEnumNetworkEvents(s, network, &events, &error), 0, "what has happened");
        expect(events.lNetworkEvents == (1 << bit), "what was waited for");
        return events.iErrorCode[bit];
    }
    void register_buffer() {
        ask_for_extensions();
        region = extensions.register_memory(s, buffer, sizeof(buffer), MEM_READWRITE, &error);
        expect(region != NULL, "memory is registered");
    }
    void receive(OVERLAPPED& overlapped) {
        WSABUF whole = {kPart, start_of(kIn)};
        DWORD bytes = kUntouched;
        DWORD flags = 0;
        expect_code(wsp.lpWSPRecv(s, &whole, 1, &bytes, &flags, &overlapped, NULL, NULL, &error), SOCKET_ERROR,
                    "a receive");
        expect_code(error, WSA_IO_PENDING, "a receive");
        expect(bytes == kUntouched, "without a number of bytes");
    }
    // In two buffers, so that their order shows; the array is overwritten at once (W34).
    void send(ULONG length) {
        WSABUF pieces[] = {{1, start_of(kOut)}, {length - 1, start_of(kOut) + 1}};
        DWORD bytes = kUntouched;
        wsp.lpWSPSend(s, pieces, 2, &bytes, 0, &polled, NULL, NULL, &error);
        expect_code(error, WSA_IO_PENDING, "a send");
        memset(pieces, 0xEE, sizeof(pieces));
        expect_code(finish(polled), static_cast<int>(length), "all of it");
    }
    // The number of bytes.
    int finish(OVERLAPPED& overlapped) {
        DWORD bytes = kUntouched;
        DWORD flags = kUntouched;
        while (!wsp.lpWSPGetOverlappedResult(s, &overlapped, &bytes, FALSE, &flags, &error)) {
            expect_code(error, WSA_IO_INCOMPLETE, "an operation succeeds");
            expect(bytes == kUntouched && flags == kUntouched, "until then it has no result");  // W49
        }
        return static_cast<int>(bytes);
    }
    // An upcall, and nothing but it.
    Upcalls::Completion next_completion(std::size_t number) {
        while (upcalls.completed.size() < number) {
            WaitForSingleObject(upcalls.event, INFINITE);
        }
        expect(upcalls.completed.size() == number, "one upcall for each");
        return upcalls.completed.back();
    }
};

struct Asked {
    DWORD thread = 0;
    bool caller_is_known = false;
};
int WSPAPI is_wanted(LPWSABUF caller, LPWSABUF, LPQOS, LPQOS, LPWSABUF, LPWSABUF, GROUP*, DWORD_PTR data) {
    auto& asked = *reinterpret_cast<Asked*>(data);
    asked.thread = GetCurrentThreadId();
    asked.caller_is_known = reinterpret_cast<sockaddr_in*>(caller->buf)->sin_addr.s_addr == htonl(0x0A000002);
    return CF_ACCEPT;
}

void accept(Party& party) {
    party.bind(1, kPort);
    expect_code(party.wsp.lpWSPEventSelect(party.s, party.network, FD_ACCEPT, &party.error), 0, "an event for asking");
    expect_code(party.wsp.lpWSPListen(party.s, 1, &party.error), 0, "it listens");
    expect_code(party.next(FD_ACCEPT_BIT), 0, "somebody asks");
    Asked asked;
    const SOCKET accepted =
        party.wsp.lpWSPAccept(party.s, NULL, NULL, is_wanted, reinterpret_cast<DWORD_PTR>(&asked), &party.error);
    expect(accepted != INVALID_SOCKET, "it is accepted");
    expect(asked.thread == GetCurrentThreadId() && asked.caller_is_known, "after this thread was asked");  // W93
    expect(upcalls.created.size() == 2 && upcalls.created[1] == accepted, "with a handle of its own");     // W89
    party.s = accepted;
    party.register_buffer();
}

void connect(Party& party) {
    Sleep(1);  // until the other side listens
    party.bind(2);
    const sockaddr_in peer = Side::address(1, kPort);
    expect_code(party.wsp.lpWSPEventSelect(party.s, party.network, FD_CONNECT, &party.error), 0, "an event");
    expect_code(party.wsp.lpWSPConnect(party.s, reinterpret_cast<const sockaddr*>(&peer), sizeof(peer), NULL, NULL,
                                       NULL, NULL, &party.error),
                SOCKET_ERROR, "connecting");
    expect_code(party.error, WSAEWOULDBLOCK, "connecting");  // W90
    expect_code(party.next(FD_CONNECT_BIT), 0, "it has connected");
    party.register_buffer();
}

// Opens a part to the peer, and tells it.
std::vector<char> open(Party& party, Part part, DWORD rights) {
    DWORD length = 0;
    party.extensions.register_rdma_memory(party.s, start_of(part), kPart, rights, NULL, &length, &party.error);
    std::vector<char> descriptor(length);
    expect_code(party.extensions.register_rdma_memory(party.s, start_of(part), kPart, rights, descriptor.data(),
                                                      &length, &party.error),
                0, "memory is opened");
    memcpy(start_of(kOut), descriptor.data(), length);
    party.send(length);
    return descriptor;
}

// Hands over, so that its receive ends without a byte; nobody takes over (W65).
void hand_over(Party& party) {
    party.receive(party.told);
    WSAPROTOCOL_INFO info = {};
    expect_code(party.wsp.lpWSPDuplicateSocket(party.s, 1, &info, &party.error), 0, "it can be handed over");
    const Upcalls::Completion end = party.next_completion(2);
    expect(end.overlapped == &party.told && end.error == 0 && end.bytes == 0, "its receive ends with nothing");
    expect(party.wsp.lpWSPSocket(AF_INET, SOCK_STREAM, IPPROTO_TCP, &info, 0, WSA_FLAG_OVERLAPPED, &party.error) ==
               INVALID_SOCKET,
           "no socket takes over");
    expect_code(party.error, WSAEINVAL, "no socket takes over");
}

void be_passive() {
    Party party;
    accept(party);
    party.receive(party.told);
    memset(start_of(kRead), 'r', kPart);
    std::vector<char> written = open(party, kWritten, MEM_WRITE);
    std::vector<char> read = open(party, kRead, MEM_READ);

    const Upcalls::Completion end = party.next_completion(1);  // the peer has written and read
    expect(end.handle == Upcalls::kFirstHandle + 1 && end.overlapped == &party.told, "of this socket");  // W47
    expect(end.error == 0 && end.bytes == 100, "with its result");
    expect(end.thread != GetCurrentThreadId(), "by another thread than this one");  // W44
    expect(party.finish(party.told) == 100 && holds(kIn, 100, 'm'), "the message");
    expect(holds(kWritten, 1000, 'w') && start_of(kWritten)[1000] == 0, "behind what was written");  // W78
    for (std::vector<char>& each : {std::ref(written), std::ref(read)}) {
        expect_code(party.extensions.deregister_rdma_memory(party.s, each.data(), static_cast<DWORD>(each.size()),
                                                            &party.error),
                    0, "memory is closed to the peer");
    }
    hand_over(party);
    expect_code(party.extensions.deregister_memory(party.s, party.region, &party.error), 0, "memory is given back");
    expect_code(party.extensions.cache_callback(buffer, sizeof(buffer), &party.error), 0, "what is kept of it goes");
    party.close(party.s);
    expect_code(party.wsp.lpWSPCleanup(&party.error), 0, "it ends");
}

// A write or a read of so many bytes.
void transfer(Party& party, LPFN_WSPRDMAWRITE function, ULONG length, std::vector<char>& target) {
    WSABUFEX local = {length, start_of(kOut), party.region};
    DWORD bytes = Side::kUntouched;
    function(party.s, &local, 1, target.data(), static_cast<DWORD>(target.size()), 0, &bytes, 0, &party.polled, NULL,
             NULL, &party.error);
    expect_code(party.error, WSA_IO_PENDING, "a transfer");
    expect_code(party.finish(party.polled), static_cast<int>(length), "of so many bytes");
}

std::vector<char> next_descriptor(Party& party, OVERLAPPED& overlapped) {
    const int length = party.finish(overlapped);
    return {start_of(kIn), start_of(kIn) + length};
}

void be_active() {
    Party party;
    connect(party);
    OVERLAPPED receive = party.polled;
    party.receive(receive);
    std::vector<char> written = next_descriptor(party, receive);
    party.receive(receive);
    std::vector<char> read = next_descriptor(party, receive);
    party.receive(receive);

    memset(start_of(kOut), 'w', kPart);
    transfer(party, party.extensions.rdma_write, 1000, written);
    transfer(party, party.extensions.rdma_read, kPart, read);
    expect(holds(kOut, kPart, 'r'), "what the peer has");
    memset(start_of(kOut), 'm', kPart);
    party.send(100);
    expect(upcalls.completed.empty(), "no upcall where the low bit is set");  // W43

    DWORD bytes = 0;
    DWORD flags = 0;
    expect(!party.wsp.lpWSPGetOverlappedResult(party.s, &receive, &bytes, TRUE, &flags, &party.error), "it waits");
    expect_code(party.error, WSAECONNRESET, "until the peer goes");  // W63
    party.close(party.s);
    expect_code(party.wsp.lpWSPCleanup(&party.error), 0, "it ends");
}

// The passive side again; its first completion ends it.
void end_in_upcall() {
    upcalls.ends_with = 7;
    be_passive();
}

}  // namespace

int main(int argc, char** argv) {
    const char* const part = argc > 1 ? argv[1] : "";
    strcmp(part, "active") == 0 ? be_active() : strcmp(part, "passive") == 0 ? be_passive() : end_in_upcall();
    return 0;
}
