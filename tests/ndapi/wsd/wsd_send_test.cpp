// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "tests/ndapi/wsd/wsd_pair.hpp"

namespace ndsim::test::wsd_send_test {

// A pointer into the half of the address space that programs do not have.
VOID* foreign_memory() {
    return reinterpret_cast<VOID*>(0xFFFF'8000'0000'1000);
}

// A send that is refused does nothing: its structure does not look pending, and no number is written.
void expect_refused(WsdParty& a, LPWSABUF list, DWORD count, int wanted, const std::string& what, DWORD flags = 0) {
    OVERLAPPED& overlapped = a.polled();
    overlapped.Internal = 77;
    expect_code(a.send_list(list, count, overlapped, flags), wanted, what);
    expect(overlapped.Internal == 77, what + ": the structure is as it was");
    expect(a.bytes == WsdParty::kUntouched, what + ": no number of bytes");
}

TEST_CASE("wsd: a send's buffers arrive in the array's order, which may go when the call has returned",
          "[W1][W7][W33][W34]") {
    run_wsd_pair({[](WsdParty& a) {
                     a.fill(0, 100, 1);
                     a.fill(5000, 300, 2);
                     a.fill(9000, 50, 3);
                     OVERLAPPED& overlapped = a.polled();
                     {
                         // The fourth entry is beyond the count; read, it would be refused.
                         std::array<WSABUF, 4> list{a.piece(100), a.piece(300, 5000), a.piece(50, 9000),
                                                    WSABUF{10, static_cast<CHAR*>(foreign_memory())}};
                         expect_code(a.send_list(list.data(), 3, overlapped), WSA_IO_PENDING, "a send");
                         list.fill({1, static_cast<CHAR*>(foreign_memory())});
                     }
                     expect_code(a.finish(overlapped), 0, "it succeeds");
                     expect(a.bytes == 450, "all bytes count");
                 }},
                 {[](WsdParty& b) {
                     OVERLAPPED& overlapped = b.polled();
                     expect_code(b.receive(4096, overlapped), WSA_IO_PENDING, "a receive");
                     expect_code(b.finish(overlapped), 0, "it succeeds");
                     expect(b.bytes == 450 && b.holds(0, 100, 1) && b.holds(100, 300, 2) && b.holds(400, 50, 3),
                            "100, 300 and 50 bytes in this order");
                 }});
}

// Of all that A tries, B's receive gets what follows.
TEST_CASE("wsd: a send that is refused says why, and has no effect", "[W3][W5][W6][W9][W15][W18][W28]") {
    const auto refusals = [](WsdParty& a) {
        std::array<std::byte, 64> stranger{};
        WSABUF good = a.piece(100);
        WSABUF unregistered{64, reinterpret_cast<CHAR*>(stranger.data())};
        WSABUF half_outside = a.piece(100, static_cast<ULONG>(a.buffer.size()) - 50);
        WSABUF foreign{64, static_cast<CHAR*>(foreign_memory())};
        WSABUF null{64, nullptr};
        std::array<WSABUF, 9> many{};
        many.fill(a.piece(1));
        expect_refused(a, &good, 1, WSAEINVAL, "flags", MSG_PARTIAL);
        expect_refused(a, &unregistered, 1, WSAEFAULT, "a buffer that is not registered");
        expect_refused(a, &half_outside, 1, WSAEFAULT, "a buffer partly outside");
        expect_refused(a, &foreign, 1, WSAEFAULT, "a buffer in foreign memory");
        expect_refused(a, &null, 1, WSAEFAULT, "a buffer without memory");
        expect_refused(a, static_cast<LPWSABUF>(foreign_memory()), 1, WSAEFAULT, "an array in foreign memory");
        expect_refused(a, nullptr, 1, WSAEFAULT, "no array");
        expect_refused(a, many.data(), 9, WSAEINVAL, "more than 8 buffers");  // section 6: 8 entries
        const SOCKET mine = std::exchange(a.s, a.s + 2);
        expect_refused(a, &good, 1, WSAENOTSOCK, "no socket");
        a.s = mine;
        int code = 0;
        DWORD bytes = 0;
        expect(a.provider.WSPSend(a.s, &good, 1, &bytes, 0, nullptr, nullptr, nullptr, &code) == SOCKET_ERROR &&
                   code == WSAEINVAL,
               "no structure");
    };
    run_wsd_pair({[&](WsdParty& a) {
                     a.fill(0, 100, 7);
                     refusals(a);
                     expect_code(a.send_now(100), 0, "a send");
                 }},
                 {[](WsdParty& b) {
                     OVERLAPPED& first = b.polled();
                     OVERLAPPED& second = b.polled();
                     expect_code(b.receive(4096, first), WSA_IO_PENDING, "a receive");
                     expect_code(b.receive(4096, second, 4096), WSA_IO_PENDING, "another");
                     expect_code(b.finish(first), 0, "a message comes");
                     expect(b.bytes == 100 && b.holds(0, 100, 7), "it is the one that was not refused");
                     b.until(19'000);
                     expect_code(b.result(second), WSA_IO_INCOMPLETE, "there is no other");
                 }});
}

TEST_CASE("wsd: sends on sockets without a connection, without an address, and without a start", "[W4][W17][W22]") {
    run_wsd({[](WsdParty& a) {
                OVERLAPPED& overlapped = a.polled();
                a.s = 0x100;
                expect_code(a.send(10, overlapped), WSAENETDOWN, "before the start");
                a.start();
                a.s = a.new_socket();
                expect_code(a.send(10, overlapped), WSAEINVAL, "on a socket that is not bound");
                expect_code(a.bind(a.s), 0, "it binds");
                expect_code(a.send(10, overlapped), WSAENOTCONN, "on a socket that is bound");
                a.listen();
                a.s = a.listener;
                expect_code(a.send(10, overlapped), WSAENOTCONN, "on a socket that listens");
                a.host.set_ndk_state(false);
                expect_code(a.send(10, overlapped), WSAENETDOWN, "while the NIC is down");
                a.s += 2;
                expect_code(a.send(10, overlapped), WSAENOTSOCK, "on no socket, whatever the NIC");
                a.host.set_ndk_state(true);
                a.end();
            }},
            {});
}

TEST_CASE("wsd: nobody sends who has not started the provider as a switch does, with upcalls", "[W29]") {
    run_wsd({[](WsdParty& a) {
                const auto refused = [&](const std::string& when) {
                    int code = 0;
                    expect(a.provider.WSPSocket(AF_INET, SOCK_STREAM, IPPROTO_TCP, nullptr, 0, WSA_FLAG_OVERLAPPED,
                                                &code) == INVALID_SOCKET,
                           "no socket " + when);
                    expect_code(code, WSAENETDOWN, "a socket " + when);
                    expect_code(a.send(10, a.polled()), WSAENETDOWN, "a send " + when);
                };
                refused("before the start");
                WSPDATAW data{};
                expect_code(a.provider.WSPStartupEx(WsdParty::kVersion, &data, nullptr, nullptr, nullptr), WSAEFAULT,
                            "a start without upcalls");
                refused("after such a start");
                a.start();
                a.s = a.new_socket();
                a.end();
                refused("after the end");
            }},
            {});
}

TEST_CASE("wsd: states of a socket that no switch can bring about", "[W11][W20][W21]") {
    run_wsd_pair({[](WsdParty& a) {
                     WSABUF list = a.piece(100);
                     a.provider.find(a.s)->transfers().shut_down_sends();
                     expect_refused(a, &list, 1, WSAESHUTDOWN, "after a shutdown of the sends");
                     a.provider.find(a.s)->transfers().become_synchronous();
                     expect_refused(a, &list, 1, WSAEINVAL, "without the overlapped flag");
                     int code = 0;
                     DWORD bytes = 0;
                     auto* const nowhere = static_cast<LPWSAOVERLAPPED>(foreign_memory());
                     (void)a.provider.WSPSend(a.s, &list, 1, &bytes, 0, nowhere, nullptr, nullptr, &code);
                     expect_code(code, WSAEINVAL, "nor is the structure looked at");
                 }},
                 {});
}

TEST_CASE("wsd: a routine is never called, a thread never named, and an error needs a place", "[W12][W13][W14]") {
    const ChildResult run = run_wsd_pair(
        {[](WsdParty& a) {
            static int routine_calls = 0;
            const auto routine = [](DWORD, DWORD, LPWSAOVERLAPPED, DWORD) { ++routine_calls; };
            OVERLAPPED& overlapped = a.told();
            WSABUF list = a.piece(100);
            auto* const nobody = static_cast<LPWSATHREADID>(foreign_memory());
            int code = 0;
            (void)a.provider.WSPSend(a.s, &list, 1, &a.bytes, 0, &overlapped, routine, nobody, &code);
            expect_code(code, WSA_IO_PENDING, "a send");
            expect_code(a.finish(overlapped), 0, "it succeeds");
            expect(
                a.provider.WSPSend(a.s, &list, 1, &a.bytes, 0, &overlapped, nullptr, nullptr, nullptr) == SOCKET_ERROR,
                "a call without a place for the error");
            a.until(19'000);
            expect(routine_calls == 0 && a.upcalls.calls().others == 0, "no routine, no APC");
        }},
        {[](WsdParty& b) { expect_code(b.receive(4096, b.polled()), WSA_IO_PENDING, "a receive"); }});
    CHECK(run.metric("programs.A.consumer_errors") == 2);  // the routine, and the missing place
}

// Inline data is copied into the entry, so the buffer is free when the call returns.
TEST_CASE("wsd: a send that is done at once returns 0 with all bytes, and without an upcall", "[W8][W16]") {
    run_wsd_pair({[](WsdParty& a) {
                      a.fill(0, 60, 9);
                      OVERLAPPED& overlapped = a.told();
                      std::array<WSABUF, 2> list{a.piece(20), a.piece(40, 20)};
                      expect_code(a.send_list(list.data(), 2, overlapped), 0, "a send that is done");
                      expect(a.bytes == 60, "20 and 40 bytes");
                      expect_code(a.result(overlapped), 0, "its result is there");
                      expect(a.bytes == 60, "with the same number");
                      OVERLAPPED& large = a.told();
                      expect_code(a.send(4000, large), WSA_IO_PENDING, "one that does not fit inline");
                      expect(a.bytes == WsdParty::kUntouched, "without a number");
                      a.until(19'000);
                      expect(a.upcalls.calls().completed == 1, "only the other one is told of");
                  },
                  {.immediate_sends = true}},
                 {[](WsdParty& b) {
                     OVERLAPPED& first = b.polled();
                     expect_code(b.receive(4096, first), WSA_IO_PENDING, "a receive");
                     expect_code(b.receive(4096, b.polled(), 4096), WSA_IO_PENDING, "another");
                     expect_code(b.finish(first), 0, "the message is there");
                     expect(b.bytes == 60 && b.holds(0, 60, 9), "whole");
                 }});
}

// 16 slots (section 6). Without a receive at B the sends wait there.
TEST_CASE("wsd: without a slot a send is refused, and taken again after one completion", "[W19]") {
    run_wsd_pair({[](WsdParty& a) {
                     std::vector<OVERLAPPED*> sends;
                     for (int i = 0; i < 16; ++i) {
                         sends.push_back(&a.polled());
                         expect_code(a.send(1000, *sends.back()), WSA_IO_PENDING, "a send that fits");
                     }
                     WSABUF list = a.piece(1000);
                     expect_refused(a, &list, 1, WSAENOBUFS, "one more");
                     expect_code(a.finish(*sends.front()), 0, "the first one is done");
                     expect_code(a.send(1000, a.polled()), WSA_IO_PENDING, "now there is a slot");
                 }},
                 {[](WsdParty& b) {
                     b.until(5000);
                     for (ULONG i = 0; i < 16; ++i) {
                         expect_code(b.receive(4096, b.polled(), i * 4096), WSA_IO_PENDING, "a receive");
                     }
                 }});
}

TEST_CASE("wsd: whatever a send is called with, its codes are the page's", "[W15][W27]") {
    run_wsd_pair({[](WsdParty& a) {
                     const std::set<int> documented{0,          WSA_IO_PENDING, WSAENETDOWN,    WSAEFAULT,
                                                    WSAENOBUFS, WSAENOTCONN,    WSAENOTSOCK,    WSAESHUTDOWN,
                                                    WSAEINVAL,  WSAECONNRESET,  WSAECONNABORTED};
                     Rng chance(1, "sends");
                     for (int i = 0; i < 2000; ++i) {
                         OVERLAPPED& overlapped = chance.between(0, 1) == 0 ? a.polled() : a.told();
                         std::array<WSABUF, 10> list{};
                         for (WSABUF& each : list) {
                             const auto at = static_cast<ULONG>(chance.between(0, a.buffer.size() + 1000));
                             each = a.piece(static_cast<ULONG>(chance.between(0, 5000)), at);
                             each.buf = chance.between(0, 20) == 0 ? static_cast<CHAR*>(foreign_memory()) : each.buf;
                         }
                         const DWORD flags = chance.between(0, 5) == 0 ? static_cast<DWORD>(chance.next()) : 0;
                         const auto count = static_cast<DWORD>(chance.between(0, list.size()));
                         const SOCKET mine = std::exchange(a.s, chance.between(0, 9) == 0 ? a.s + 1 : a.s);
                         const int code = a.send_list(list.data(), count, overlapped, flags);
                         a.s = mine;
                         expect(documented.contains(code), "code " + std::to_string(code) + " is the page's");
                     }
                 }},
                 {[](WsdParty& b) {
                     for (int i = 0; i < 16; ++i) {
                         expect_code(b.receive(60'000, b.polled()), WSA_IO_PENDING, "a receive");
                     }
                 }});
}

}  // namespace ndsim::test::wsd_send_test
