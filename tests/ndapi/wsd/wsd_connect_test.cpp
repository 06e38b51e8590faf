// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/wsd/wsd_pair.hpp"

namespace ndsim::test::wsd_connect_test {

// What a condition function is asked, and what it answers.
struct Condition {
    int answer = CF_ACCEPT;
    int calls = 0;
    sockaddr_in caller{};
    const void* core = nullptr;
    core::Driver* driver = nullptr;

    static int ask(LPWSABUF caller_id, LPWSABUF, LPQOS, LPQOS, LPWSABUF, LPWSABUF, GROUP*, DWORD_PTR data) {
        auto& condition = *reinterpret_cast<Condition*>(data);
        ++condition.calls;
        std::memcpy(&condition.caller, caller_id->buf, sizeof condition.caller);
        condition.core = &condition.driver->core();
        return condition.answer;
    }
};

TEST_CASE("wsd: a socket is a stream of TCP over IPv4, overlapped", "[W88][W89]") {
    run_wsd(living([](WsdParty& a) {
                const auto code_of = [&a](int family, int type, int protocol, DWORD flags) {
                    int code = 0;
                    const SOCKET made = a.provider.WSPSocket(family, type, protocol, nullptr, 0, flags, &code);
                    expect((made == INVALID_SOCKET) == (code != 0), "a socket or a code");
                    return code;
                };
                expect_code(code_of(AF_INET6, SOCK_STREAM, IPPROTO_TCP, WSA_FLAG_OVERLAPPED), WSAEAFNOSUPPORT,
                            "family");
                expect_code(code_of(AF_INET, SOCK_DGRAM, IPPROTO_TCP, WSA_FLAG_OVERLAPPED), WSAEPROTOTYPE, "type");
                expect_code(code_of(AF_INET, SOCK_STREAM, IPPROTO_UDP, WSA_FLAG_OVERLAPPED), WSAEPROTONOSUPPORT,
                            "protocol");
                expect_code(code_of(AF_INET, SOCK_STREAM, IPPROTO_TCP, 0), WSAEINVAL, "flags");
                expect(a.upcalls.calls().created == 0, "no handle for any of these");
                a.upcalls.refuse_handles(true);
                expect_code(code_of(AF_INET, SOCK_STREAM, IPPROTO_TCP, WSA_FLAG_OVERLAPPED), WSAENOBUFS,
                            "no handle, and why");
                a.upcalls.refuse_handles(false);
                expect_code(code_of(AF_INET, SOCK_STREAM, IPPROTO_TCP, WSA_FLAG_OVERLAPPED), 0, "a good one");
                expect(a.upcalls.calls().created == 1, "with a handle");
            }),
            {});
}

TEST_CASE("wsd: addresses that are bound", "[W22]") {
    run_wsd(living([](WsdParty& a) {
                const SOCKET one = a.new_socket();
                const SOCKET other = a.new_socket();
                expect_code(a.begin_connect(one, "B", 5000), WSAEINVAL, "connecting without an address");
                expect_code(a.bind(one, 6000), 0, "an address");
                expect_code(a.bind(one, 6001), WSAEINVAL, "it has one");
                expect_code(a.bind(other, 6000), WSAEADDRINUSE, "that is taken");
                sockaddr_in foreign = a.address("B", 6002);
                int code = 0;
                const auto* const name = reinterpret_cast<const sockaddr*>(&foreign);
                (void)a.provider.WSPBind(other, name, sizeof foreign, &code);
                expect_code(code, WSAEADDRNOTAVAIL, "the address of another host");
                (void)a.provider.WSPBind(other, name, 8, &code);
                expect_code(code, WSAEFAULT, "too short");
                expect_code(a.begin_connect(one, "A", 6000), WSAEADDRNOTAVAIL, "connecting to oneself");
            }),
            {});
}

TEST_CASE("wsd: a connect does not block, sets its event, and tells how it ended", "[W90]") {
    run_wsd(living([](WsdParty& a) {
                a.os.sleep(1);
                a.s = a.bound_socket();
                expect_code(a.select(a.s, FD_CONNECT), 0, "an event");
                const std::uint64_t before = a.os.nanoseconds();
                expect_code(a.begin_connect(a.s, "B", 5000), WSAEWOULDBLOCK, "it is under way");
                expect(a.os.nanoseconds() - before < 1000, "the call took no time");
                expect_code(a.begin_connect(a.s, "B", 5000), WSAEALREADY, "which it is");
                expect(!is_signalled(a), "not over yet");
                expect_code(a.next_event(a.s, FD_CONNECT_BIT), 0, "connected");
                expect(!is_signalled(a), "asking has reset the event");
                expect_code(a.begin_connect(a.s, "B", 5000), WSAEISCONN, "it is connected");
            }),
            living([](WsdParty& b) { b.be_passive(); }));
}

// The address of a host that there is not: 10.0.0.77.
TEST_CASE("wsd: how a connect fails", "[W91]") {
    run_wsd(living([](WsdParty& a) {
                a.os.sleep(1);
                const auto fails_with = [&a](int wanted, USHORT port, const std::string& what) {
                    const SOCKET socket = a.bound_socket();
                    expect_code(a.connect(socket, "B", port), wanted, what);
                    expect_code(a.close(socket), 0, "it is closed");
                };
                fails_with(WSAECONNRESET, 5999, "nobody listens");
                fails_with(WSAECONNREFUSED, 5000, "B's condition says no");
                fails_with(WSAETIMEDOUT, 5001, "B listens and does not accept");
                const SOCKET socket = a.bound_socket();
                sockaddr_in nowhere = a.address("B", 5000);
                nowhere.sin_addr.s_addr = htonl(0x0A00'004D);
                int code = 0;
                expect_code(a.select(socket, FD_CONNECT), 0, "an event");
                (void)a.provider.WSPConnect(socket, reinterpret_cast<const sockaddr*>(&nowhere), sizeof nowhere,
                                            nullptr, nullptr, nullptr, nullptr, &code);
                expect_code(code, WSAEWOULDBLOCK, "under way");
                expect_code(a.next_event(socket, FD_CONNECT_BIT), WSAEHOSTUNREACH, "there is no such host");
            }),
            living([](WsdParty& b) {
                b.listen(5001);
                b.listen(5000);
                Condition condition{.answer = CF_REJECT, .driver = &b.process.driver()};
                expect_code(b.next_event(b.listener, FD_ACCEPT_BIT), 0, "somebody asks");
                int code = 0;
                expect(b.accept(code, Condition::ask, reinterpret_cast<DWORD_PTR>(&condition)) == INVALID_SOCKET, "no");
                expect_code(code, WSAECONNREFUSED, "which the listener hears, too");
            }),
            {"nic.connect_timeout=2 ms"});
}

TEST_CASE("wsd: the condition is asked in the thread that accepts, which may put it off", "[W93][W94][W95]") {
    run_wsd(living([](WsdParty& a) { a.be_active("B"); }), living([](WsdParty& b) {
                b.listen();
                int code = 0;
                expect(b.accept(code) == INVALID_SOCKET, "nobody asks yet");
                expect_code(code, WSAEWOULDBLOCK, "which is said");
                expect(b.os.wait(&b.event, 1, false, 15000) == WAIT_OBJECT_0, "somebody asks");
                Condition condition{.answer = CF_DEFER, .driver = &b.process.driver()};
                const auto data = reinterpret_cast<DWORD_PTR>(&condition);
                expect(b.accept(code, Condition::ask, data) == INVALID_SOCKET, "not now");
                expect_code(code, WSATRY_AGAIN, "but again");
                condition.answer = CF_ACCEPT;
                b.s = b.accept(code, Condition::ask, data);
                expect(b.s != INVALID_SOCKET && condition.calls == 2, "asked again, and accepted");
                expect(condition.core == &b.process.driver().core(), "by this thread");
                expect(condition.caller.sin_addr.s_addr == b.address("A", 0).sin_addr.s_addr, "it was told who asks");
                expect(!is_signalled(b), "the event is reset");
                b.register_buffer();
            }));
}

// The switch's condition closes the listener that asks it.
struct ClosingCondition {
    WsdParty& party;

    static int ask(LPWSABUF, LPWSABUF, LPQOS, LPQOS, LPWSABUF, LPWSABUF, GROUP*, DWORD_PTR data) {
        WsdParty& party = reinterpret_cast<ClosingCondition*>(data)->party;
        expect_code(party.close(party.listener), 0, "it is closed");
        return CF_ACCEPT;
    }
};

TEST_CASE("wsd: a listener may be closed while its condition is asked, and the request is refused", "[W93][W99]") {
    run_wsd(living([](WsdParty& a) {
                a.os.sleep(1);
                expect_code(a.connect(a.bound_socket(), "B"), WSAECONNREFUSED, "nobody accepts");
            }),
            living([](WsdParty& b) {
                b.listen();
                expect_code(b.next_event(b.listener, FD_ACCEPT_BIT), 0, "somebody asks");
                int code = 0;
                ClosingCondition condition{b};
                expect(b.accept(code, ClosingCondition::ask, reinterpret_cast<DWORD_PTR>(&condition)) == INVALID_SOCKET,
                       "no socket");
                expect_code(code, WSAENOTSOCK, "there is no listener");
            }));
}

TEST_CASE("wsd: events are those of accepts and connects", "[W96]") {
    run_wsd(living([](WsdParty& a) {
                const SOCKET socket = a.new_socket();
                expect_code(a.select(socket, 0x01), WSAEINVAL, "reads");
                expect_code(a.select(socket, FD_ACCEPT | FD_CLOSE), WSAEINVAL, "accepts and closes");
                expect_code(a.select(socket, FD_ACCEPT | FD_CONNECT), 0, "accepts and connects");
                expect_code(a.select(socket, 0), 0, "none");
                expect_code(a.select(socket + 2, FD_ACCEPT), WSAENOTSOCK, "of no socket");
            }),
            {});
}

// B listens and never accepts; the connect would last 4 s.
TEST_CASE("wsd: a close ends a connect that is under way", "[W97]") {
    run_wsd(living([](WsdParty& a) {
                a.os.sleep(1);
                const SOCKET socket = a.bound_socket(7000);
                expect_code(a.select(socket, FD_CONNECT), 0, "an event");
                expect_code(a.begin_connect(socket, "B", 5000), WSAEWOULDBLOCK, "it is under way");
                a.until(2000);
                expect_code(a.close(socket), 0, "it is given up");
                a.until(2200);
                expect(a.upcalls.open_handles() == 0, "the socket is gone");
                expect_code(a.bind(a.new_socket(), 7000), 0, "its address is free");
                a.until(10'000);
                expect(!is_signalled(a), "nothing is told");
            }),
            living([](WsdParty& b) { b.listen(); }));
}

// A connect that is closed at any moment of its beginning leaves nothing behind.
TEST_CASE("wsd: a close that meets a connect in its first steps", "[W97]") {
    run_wsd(living([](WsdParty& a) {
                a.os.sleep(1);
                for (int late = 0; late < 40; ++late) {
                    const SOCKET socket = a.bound_socket();
                    expect_code(a.begin_connect(socket, "B", 5000), WSAEWOULDBLOCK, "it is under way");
                    const std::uint64_t goal = a.os.nanoseconds() + static_cast<std::uint64_t>(late) * 400;
                    while (a.os.nanoseconds() < goal) {
                    }
                    expect_code(a.close(socket), 0, "it is given up");
                }
                a.until(10'000);
                expect(a.upcalls.open_handles() == 0, "all are gone");
            }),
            living([](WsdParty& b) { b.listen(5000, 100); }));
}

TEST_CASE("wsd: the last cleanup cancels everything, and there is none without a start", "[W101]") {
    run_wsd({[](WsdParty& a) {
                int code = 0;
                expect(a.provider.WSPCleanup(&code) == SOCKET_ERROR, "before the start");
                expect_code(code, WSANOTINITIALISED, "why");
                WSPDATAW data{};
                WSPUPCALLTABLEEX table = a.upcalls.table();
                expect_code(a.provider.WSPStartupEx(0x0101, &data, nullptr, &table, nullptr), WSAVERNOTSUPPORTED,
                            "an old version");
                a.start();
                a.start();
                a.be_active("B");
                OVERLAPPED& receive = a.told();
                OVERLAPPED& polled = a.polled();
                expect_code(a.receive(4096, receive), WSA_IO_PENDING, "a receive");
                expect_code(a.receive(4096, polled), WSA_IO_PENDING, "another");
                expect_code(a.provider.WSPCleanup(&code), 0, "one of two starts is taken back");
                expect_code(a.result(receive), WSA_IO_INCOMPLETE, "all goes on");
                a.end();
                expect(receive.OffsetHigh == WSA_OPERATION_ABORTED && polled.OffsetHigh == WSA_OPERATION_ABORTED,
                       "cancelled");
                expect(a.upcalls.calls().completed == 1, "the one is told");
                expect(a.provider.WSPCleanup(&code) == SOCKET_ERROR && code == WSANOTINITIALISED, "one too many");
            }},
            living([](WsdParty& b) { b.be_passive(); }));
}

}  // namespace ndsim::test::wsd_connect_test
