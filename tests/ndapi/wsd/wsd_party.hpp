// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstring>
#include <deque>
#include <vector>

#include "ndapi/sockets/wsd_upcalls.hpp"
#include "ndapi/windows/abi/byteorder.h"
#include "ndapi/windows/abi/constants.h"
#include "ndapi/wsd/provider.hpp"
#include "tests/ndapi/ndk/ndk_calls.hpp"

// A program that drives a provider of Winsock Direct as a switch does. It runs in a child process; what it finds wrong
// comes back as the reason why the run broke off.
namespace ndsim::test {

inline void expect_code(int code, int wanted, const std::string& what) {
    expect(code == wanted, what + ": " + std::to_string(code) + " instead of " + std::to_string(wanted));
}

// What one host has: a provider, a buffer, and once connected a socket on which that is registered.
class WsdParty {
public:
    static constexpr WORD kVersion = 0x0202;
    static constexpr DWORD kUntouched = 0xABCD'1234;  // where nothing may be written

    WsdParty(HostContext& context, ProgramHost& program_host, const wsd::Options& options = {})
        : host(context),
          os(program_host),
          process(dynamic_cast<os::Process&>(program_host)),
          provider(wsd::open_provider(process, options)),
          upcalls(process.driver()),
          event(os.create_event(true, false)),
          done(os.create_event(false, false)),
          buffer(1U << 18U) {}

    // --- start and end
    void start() { start(upcalls.table()); }
    void start(WSPUPCALLTABLEEX table) {
        WSPDATAW data{};
        expect_code(provider.WSPStartupEx(kVersion, &data, nullptr, &table, nullptr), 0, "the provider starts");
    }
    void end() {
        int code = 0;
        expect_code(provider.WSPCleanup(&code), 0, "the provider ends");
        while (upcalls.open_handles() > 0) {
            os.sleep(0);
        }
    }
    void until(std::uint64_t microseconds) const {
        const std::uint64_t goal = microseconds * 1000;
        const std::uint64_t now = os.nanoseconds();
        if (now + 1'000'000 < goal) {
            os.sleep(static_cast<DWORD>((goal - now) / 1'000'000));
        }
        while (os.nanoseconds() < goal) {
        }
    }

    // --- sockets. What returns int gives the code, 0 for success.
    SOCKET new_socket() {
        int code = 0;
        const SOCKET made =
            provider.WSPSocket(AF_INET, SOCK_STREAM, IPPROTO_TCP, nullptr, 0, WSA_FLAG_OVERLAPPED, &code);
        expect(made != INVALID_SOCKET, "a socket is created");
        return made;
    }
    sockaddr_in address(std::string_view of, USHORT port) const {
        sockaddr_in in = host.address(of);
        in.sin_port = htons(port);
        return in;
    }
    int bind(SOCKET which, USHORT port = 0) {
        const sockaddr_in local = address("", port);
        int code = 0;
        (void)provider.WSPBind(which, reinterpret_cast<const sockaddr*>(&local), sizeof local, &code);
        return code;
    }
    SOCKET bound_socket(USHORT port = 0) {
        const SOCKET made = new_socket();
        expect_code(bind(made, port), 0, "it binds");
        return made;
    }
    int select(SOCKET which, LONG events) {
        int code = 0;
        (void)provider.WSPEventSelect(which, event, events, &code);
        return code;
    }
    // Waits for an event of a socket; how it ended.
    int next_event(SOCKET which, int bit) {
        WSANETWORKEVENTS events{};
        int code = 0;
        while ((events.lNetworkEvents & LONG{1} << bit) == 0) {
            expect(os.wait(&event, 1, false, 15000) == WAIT_OBJECT_0, "an event comes");
            expect_code(provider.WSPEnumNetworkEvents(which, event, &events, &code), 0, "events are told");
        }
        return events.iErrorCode[bit];
    }
    void listen(USHORT port = 5000, int backlog = 4) {
        int code = 0;
        listener = bound_socket(port);
        expect_code(select(listener, FD_ACCEPT), 0, "an event for accepts");
        expect_code(provider.WSPListen(listener, backlog, &code), 0, "it listens");
    }
    int begin_connect(SOCKET which, std::string_view peer, USHORT port) {
        const sockaddr_in to = address(peer, port);
        int code = 0;
        (void)provider.WSPConnect(which, reinterpret_cast<const sockaddr*>(&to), sizeof to, nullptr, nullptr, nullptr,
                                  nullptr, &code);
        return code;
    }
    int connect(SOCKET which, std::string_view peer, USHORT port = 5000) {
        expect_code(select(which, FD_CONNECT), 0, "an event for connects");
        const int code = begin_connect(which, peer, port);
        return code == WSAEWOULDBLOCK ? next_event(which, FD_CONNECT_BIT) : code;
    }
    SOCKET accept(int& code, LPCONDITIONPROC condition = nullptr, DWORD_PTR data = 0) {
        code = 0;
        return provider.WSPAccept(listener, nullptr, nullptr, condition, data, &code);
    }
    void be_passive(USHORT port = 5000) {
        listen(port);
        expect_code(next_event(listener, FD_ACCEPT_BIT), 0, "somebody asks");
        int code = 0;
        s = accept(code);
        expect(s != INVALID_SOCKET, "the connection is accepted");
        register_buffer();
    }
    // The peer listens by then.
    void be_active(std::string_view peer, USHORT port = 5000) {
        os.sleep(1);
        s = bound_socket();
        expect_code(connect(s, peer, port), 0, "it connects");
        register_buffer();
    }
    int close(SOCKET which) {
        int code = 0;
        (void)provider.WSPCloseSocket(which, &code);
        return code;
    }

    // --- memory
    void register_buffer() {
        region = register_memory(buffer.data(), static_cast<DWORD>(buffer.size()));
        expect(region != nullptr, "the buffer is registered");
    }
    HANDLE register_memory(std::byte* data, DWORD length, DWORD rights = MEM_READWRITE) {
        error = 0;
        return provider.WSPRegisterMemory(s, data, length, rights, &error);
    }
    int deregister(HANDLE handle) {
        int code = 0;
        (void)provider.WSPDeregisterMemory(s, handle, &code);
        return code;
    }
    // Opens a part of the buffer to the peer.
    wsd::Descriptor open(DWORD offset, DWORD length, DWORD rights) {
        wsd::Descriptor descriptor;
        DWORD size = sizeof descriptor;
        int code = 0;
        expect_code(
            provider.WSPRegisterRdmaMemory(s, buffer.data() + offset, length, rights, &descriptor, &size, &code), 0,
            "memory is opened to the peer");
        return descriptor;
    }
    int shut(wsd::Descriptor descriptor) {
        int code = 0;
        (void)provider.WSPDeregisterRdmaMemory(s, &descriptor, sizeof descriptor, &code);
        return code;
    }
    void fill(DWORD offset, DWORD length, int value) { std::memset(buffer.data() + offset, value, length); }
    [[nodiscard]] bool holds(DWORD offset, DWORD length, int value) const {
        return std::all_of(buffer.begin() + offset, buffer.begin() + offset + length,
                           [value](std::byte byte) { return byte == static_cast<std::byte>(value); });
    }

    // --- data
    // Fresh structures, which stay as long as the party; whoever is not told polls.
    OVERLAPPED& told() {
        OVERLAPPED& fresh = structures.emplace_back(OVERLAPPED{});
        fresh.hEvent = done;
        return fresh;
    }
    OVERLAPPED& polled() {
        OVERLAPPED& fresh = told();
        fresh.hEvent = reinterpret_cast<HANDLE>(reinterpret_cast<ULONG_PTR>(done) | 1);
        return fresh;
    }
    WSABUF piece(ULONG length, ULONG offset = 0) { return {length, reinterpret_cast<CHAR*>(buffer.data() + offset)}; }
    int send_list(LPWSABUF list, DWORD count, OVERLAPPED& overlapped, DWORD flags = 0) {
        int code = 0;
        bytes = kUntouched;
        (void)provider.WSPSend(s, list, count, &bytes, flags, &overlapped, nullptr, nullptr, &code);
        return code;
    }
    int send(ULONG length, OVERLAPPED& overlapped, ULONG offset = 0) {
        WSABUF list = piece(length, offset);
        return send_list(&list, 1, overlapped);
    }
    int receive_list(LPWSABUF list, DWORD count, OVERLAPPED& overlapped) {
        int code = 0;
        DWORD flags = 0;
        bytes = kUntouched;
        (void)provider.WSPRecv(s, list, count, &bytes, &flags, &overlapped, nullptr, nullptr, &code);
        return code;
    }
    int receive(ULONG length, OVERLAPPED& overlapped, ULONG offset = 0) {
        WSABUF list = piece(length, offset);
        return receive_list(&list, 1, overlapped);
    }
    int write(ULONG length, OVERLAPPED& overlapped, wsd::Descriptor target, DWORD target_offset = 0, ULONG offset = 0) {
        WSABUFEX list{length, reinterpret_cast<CHAR*>(buffer.data() + offset), region};
        int code = 0;
        (void)provider.WSPRdmaWrite(s, &list, 1, &target, sizeof target, target_offset, &bytes, 0, &overlapped, nullptr,
                                    nullptr, &code);
        return code;
    }
    int read(ULONG length, OVERLAPPED& overlapped, wsd::Descriptor from, DWORD from_offset = 0, ULONG offset = 0) {
        WSABUFEX list{length, reinterpret_cast<CHAR*>(buffer.data() + offset), region};
        int code = 0;
        (void)provider.WSPRdmaRead(s, &list, 1, &from, sizeof from, from_offset, &bytes, 0, &overlapped, nullptr,
                                   nullptr, &code);
        return code;
    }
    // The result of an operation; what it wrote is in `bytes` and `result_flags`.
    int result(OVERLAPPED& overlapped, BOOL wait = FALSE) {
        int code = 0;
        bytes = kUntouched;
        result_flags = kUntouched;
        const BOOL good = provider.WSPGetOverlappedResult(s, &overlapped, &bytes, wait, &result_flags, &code);
        expect((good != FALSE) == (code == 0), "a result is good or has a code");
        return code;
    }
    // The same, when there is one, by asking again and again.
    int finish(OVERLAPPED& overlapped) {
        int code = WSA_IO_INCOMPLETE;
        for (int polls = 0; code == WSA_IO_INCOMPLETE; ++polls) {
            code = result(overlapped);
            expect(polls < 100'000, "an operation ends");
        }
        return code;
    }
    // Sends and waits.
    int send_now(ULONG length, ULONG offset = 0) {
        OVERLAPPED& overlapped = polled();
        const int code = send(length, overlapped, offset);
        return code == WSA_IO_PENDING ? finish(overlapped) : code;
    }

    HostContext& host;
    ProgramHost& os;
    os::Process& process;
    wsd::Provider& provider;
    WsdUpcalls upcalls;
    HANDLE event;  // of sockets
    HANDLE done;   // in overlapped structures; nothing sets it
    std::deque<OVERLAPPED> structures;
    std::vector<std::byte> buffer;
    HANDLE region = nullptr;
    SOCKET listener = INVALID_SOCKET;
    SOCKET s = INVALID_SOCKET;
    DWORD bytes = 0;
    DWORD result_flags = 0;
    int error = 0;
};

}  // namespace ndsim::test
