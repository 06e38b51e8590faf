// SPDX-License-Identifier: Apache-2.0
// Winsock Direct through the pointers of the provider's table, as far as it takes no peer. The rules are those of
// docs/rules/wsd.md. Ends with 0 if all of it is so.
#include "tests/ndapi/windows/program/clients/wsd_side.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace {

using Places = std::array<void*, sizeof(WSPPROC_TABLE) / sizeof(void*)>;

Places places_of(const WSPPROC_TABLE& table) {
    Places places;
    memcpy(&places, &table, sizeof(table));
    return places;
}

bool are_distinct(std::vector<void*> pointers) {
    std::sort(pointers.begin(), pointers.end());
    return std::adjacent_find(pointers.begin(), pointers.end()) == pointers.end() && pointers.front() != NULL;
}

void refused_starts() {
    WSPUPCALLTABLEEX calls = table_of_upcalls();
    WSPDATA data = {};
    WSPPROC_TABLE table = {};
    expect_code(WSPStartupEx(MAKEWORD(1, 1), &data, NULL, &calls, &table), WSAVERNOTSUPPORTED, "version 1.1");
    expect_code(WSPStartupEx(MAKEWORD(2, 2), NULL, NULL, &calls, &table), WSAEFAULT, "without data");
    expect_code(WSPStartupEx(MAKEWORD(2, 2), &data, NULL, NULL, &table), WSAEFAULT, "without upcalls");
    expect_code(WSPStartupEx(MAKEWORD(2, 2), &data, NULL, &calls, NULL), WSAEFAULT, "without a table");
    expect(places_of(table) == Places{}, "who is refused gets no pointers");  // W29
}

// What a stream over a SAN needs is there, 16 functions; what the switch does by itself is not (W102).
void table(const WSPPROC_TABLE& wsp) {
    std::vector<void*> there;
    for (void* each : places_of(wsp)) {
        if (each != NULL) {
            there.push_back(each);
        }
    }
    expect(there.size() == 16 && are_distinct(there), "16 functions, each of its own");
    expect(wsp.lpWSPAccept && wsp.lpWSPBind && wsp.lpWSPCleanup && wsp.lpWSPCloseSocket, "of them these four");
    expect(wsp.lpWSPConnect && wsp.lpWSPDuplicateSocket && wsp.lpWSPEnumNetworkEvents, "these three");
    expect(wsp.lpWSPEventSelect && wsp.lpWSPGetOverlappedResult && wsp.lpWSPGetSockOpt, "these three");
    expect(wsp.lpWSPIoctl && wsp.lpWSPListen && wsp.lpWSPRecv && wsp.lpWSPSend, "these four");
    expect(wsp.lpWSPSetSockOpt && wsp.lpWSPSocket, "and these two");
    expect(!wsp.lpWSPShutdown && !wsp.lpWSPSendDisconnect && !wsp.lpWSPRecvDisconnect && !wsp.lpWSPCancelBlockingCall,
           "not what never reaches a provider");
}

// Family, type, protocol, flags (W88).
void refused_sockets(Side& side) {
    const auto code = [&](int family, int type, int protocol, DWORD flags) {
        side.error = 0;
        expect(side.wsp.lpWSPSocket(family, type, protocol, NULL, 0, flags, &side.error) == INVALID_SOCKET, "refused");
        return side.error;
    };
    expect_code(code(AF_INET6, SOCK_STREAM, IPPROTO_TCP, WSA_FLAG_OVERLAPPED), WSAEAFNOSUPPORT, "a family");
    expect_code(code(AF_INET, SOCK_DGRAM, IPPROTO_TCP, WSA_FLAG_OVERLAPPED), WSAEPROTOTYPE, "a type");
    expect_code(code(AF_INET, SOCK_STREAM, IPPROTO_UDP, WSA_FLAG_OVERLAPPED), WSAEPROTONOSUPPORT, "a protocol");
    expect_code(code(AF_INET, SOCK_STREAM, IPPROTO_TCP, 0), WSAEINVAL, "flags");
    expect(upcalls.created.empty(), "the switch was not asked for a handle");
}

int code_of_send(Side& side, SOCKET s) {
    char byte = 0;
    WSABUF buffer = {1, &byte};
    OVERLAPPED overlapped = {};
    DWORD bytes = Side::kUntouched;
    expect_code(side.wsp.lpWSPSend(s, &buffer, 1, &bytes, 0, &overlapped, NULL, NULL, &side.error), SOCKET_ERROR,
                "a send");
    expect(bytes == Side::kUntouched && overlapped.Internal == 0, "which has not begun");
    return side.error;
}

void errors(Side& side) {
    expect_code(code_of_send(side, side.s + 1), WSAENOTSOCK, "no socket");  // W3
    expect_code(code_of_send(side, side.s), WSAENOTCONN, "no connection");  // W4
    expect_code(side.wsp.lpWSPEventSelect(side.s, upcalls.event, 1, &side.error), SOCKET_ERROR, "other events");
    expect_code(side.error, WSAEINVAL, "other events");  // W96
    expect_code(side.wsp.lpWSPListen(side.s, 1, &side.error), 0, "it listens");
    expect(side.wsp.lpWSPAccept(side.s, NULL, NULL, NULL, 0, &side.error) == INVALID_SOCKET, "nobody asks");
    expect_code(side.error, WSAEWOULDBLOCK, "nobody asks");  // W95
    DWORD bytes = 0;
    DWORD flags = 0;
    OVERLAPPED unknown = {};
    expect(!side.wsp.lpWSPGetOverlappedResult(side.s, &unknown, &bytes, FALSE, &flags, &side.error), "no operation");
    expect_code(side.error, WSAEINVAL, "no operation");
}

// W85, W86
void options(Side& side) {
    const auto code = [&](int level, int name, int room) {
        DWORD value = 0;
        side.error = 0;
        side.wsp.lpWSPGetSockOpt(side.s, level, name, reinterpret_cast<CHAR*>(&value), &room, &side.error);
        return side.error;
    };
    for (const int name : {SO_MAX_MSG_SIZE, SO_MAX_RDMA_SIZE, SO_RDMA_THRESHOLD_SIZE}) {
        expect_code(code(SOL_SOCKET, name, 4), 0, "4 bytes of room");
        expect_code(code(SOL_SOCKET, name, 3), WSAEFAULT, "3 bytes of room");
    }
    expect_code(code(SOL_SOCKET, 0x1234, 4), WSAENOPROTOOPT, "an option");
    expect_code(code(IPPROTO_TCP, SO_MAX_MSG_SIZE, 4), WSAEINVAL, "a level");
    DWORD wanted = 1;
    DWORD found = 0;
    int room = sizeof(found);
    expect_code(side.wsp.lpWSPSetSockOpt(side.s, SOL_SOCKET, SO_DEBUG, reinterpret_cast<CHAR*>(&wanted), sizeof(wanted),
                                         &side.error),
                0, "an option is set");
    side.wsp.lpWSPGetSockOpt(side.s, SOL_SOCKET, SO_DEBUG, reinterpret_cast<CHAR*>(&found), &room, &side.error);
    expect(found == 1, "and read");
}

// Each by its GUID; what the provider does not know, or has no room for, it refuses and writes nothing.
void extensions(Side& side) {
    side.ask_for_extensions();
    std::array<void*, sizeof(Extensions) / sizeof(void*)> pointers;
    memcpy(&pointers, &side.extensions, sizeof(pointers));
    expect(are_distinct({pointers.begin(), pointers.end()}), "seven functions, each of its own");

    GUID unknown = WSAID_REGISTERMEMORY;
    unknown.Data1 = 0xC0B422F4;  // one before the first
    void* const nothing = &side;
    void* place = nothing;
    expect_code(side.ask_for(unknown, place), WSAEOPNOTSUPP, "an unknown function");
    expect_code(side.ask_for(WSAID_RDMAREAD, place, 7), WSAEFAULT, "7 bytes of room");
    expect_code(side.wsp.lpWSPIoctl(side.s, SIO_ADDRESS_LIST_CHANGE, NULL, 0, &place, sizeof(place), NULL, NULL, NULL,
                                    NULL, &side.error),
                SOCKET_ERROR, "another request");
    expect_code(side.error, WSAEOPNOTSUPP, "another request");
    expect(place == nothing, "nothing was written");
}

// The pointers are those of the functions that they stand for: each refuses what only it would.
void refusals_of_extensions(Side& side) {
    const Extensions& call = side.extensions;
    char byte = 0;
    int code = 0;
    expect(call.register_memory(side.s, &byte, 1, MEM_READ, &code) == NULL, "no connection");
    expect_code(code, WSAENOTCONN, "no connection");  // W67
    expect_code(call.deregister_memory(side.s, NULL, &code), SOCKET_ERROR, "a handle");
    expect_code(code, WSAEINVAL, "a handle");  // W69
    DWORD length = 0;
    expect_code(call.register_rdma_memory(side.s, &byte, 1, MEM_READ, NULL, &length, &code), SOCKET_ERROR, "a length");
    expect(code == WSAEFAULT && length > 0, "how long a descriptor is");  // W70
    std::vector<char> descriptor(length + 1);
    expect_code(call.deregister_rdma_memory(side.s, descriptor.data(), length, &code), SOCKET_ERROR, "a descriptor");
    expect_code(code, WSAEINVAL, "a descriptor");
    WSABUFEX buffer = {1, &byte, NULL};
    OVERLAPPED overlapped = {};
    DWORD bytes = 0;
    for (const LPFN_WSPRDMAWRITE transfer : {call.rdma_write, call.rdma_read}) {
        expect_code(
            transfer(side.s, &buffer, 1, descriptor.data(), length + 1, 0, &bytes, 0, &overlapped, NULL, NULL, &code),
            SOCKET_ERROR, "a longer descriptor");
        expect_code(code, WSAEINVAL, "a longer descriptor");  // W83
    }
    expect_code(call.cache_callback(&byte, 1, &code), SOCKET_ERROR, "what was never cached");
    expect_code(code, WSAEINVAL, "what was never cached");  // W76
}

}  // namespace

int main() {
    refused_starts();
    Side side;
    side.start();
    table(side.wsp);
    refused_sockets(side);
    side.bind(1);
    expect(upcalls.created == std::vector<DWORD_PTR>{side.s}, "one handle, for the provider's descriptor");  // W89
    extensions(side);
    options(side);
    errors(side);
    refusals_of_extensions(side);
    side.close(side.s);
    expect(upcalls.closed == std::vector<SOCKET>{Upcalls::kFirstHandle}, "the handle goes, once");
    expect_code(side.wsp.lpWSPCloseSocket(side.s, &side.error), SOCKET_ERROR, "a second close");
    expect_code(side.error, WSAENOTSOCK, "a second close");  // W99
    expect_code(side.wsp.lpWSPCleanup(&side.error), 0, "it ends");
    expect_code(side.wsp.lpWSPCleanup(&side.error), SOCKET_ERROR, "a second end");
    expect_code(side.error, WSANOTINITIALISED, "a second end");  // W101
    return 0;
}
