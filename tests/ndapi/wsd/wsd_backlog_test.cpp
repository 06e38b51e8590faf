// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/wsd/wsd_pair.hpp"

// How many connects a listener lets wait, and what it hears of them.
namespace ndsim::test::wsd_backlog_test {

// Of three who ask, a backlog of two refuses the third at once.
TEST_CASE("wsd: a connect beyond the backlog is refused, and the listener hears nothing of it", "[W91][W92]") {
    run_wsd(living([](WsdParty& a) {
                a.os.sleep(1);
                std::array<SOCKET, 2> waiting{a.bound_socket(), a.bound_socket()};
                for (const SOCKET each : waiting) {
                    expect_code(a.begin_connect(each, "B", 5000), WSAEWOULDBLOCK, "one that waits");
                }
                a.until(3000);
                expect_code(a.connect(a.bound_socket(), "B"), WSAECONNREFUSED, "one too many");
            }),
            living([](WsdParty& b) {
                b.listen(5000, 2);
                expect_code(b.next_event(b.listener, FD_ACCEPT_BIT), 0, "somebody asks");
                b.until(2000);
                WSANETWORKEVENTS events{};
                int code = 0;
                (void)b.provider.WSPEnumNetworkEvents(b.listener, b.event, &events, &code);
                b.until(5000);
                expect(!is_signalled(b), "no event for the third");
                expect_code(b.provider.WSPListen(b.listener, 1, &code), 0, "a shorter backlog");
                expect(b.accept(code) != INVALID_SOCKET, "the first one is accepted");
                expect(b.accept(code) == INVALID_SOCKET, "the second one is gone");
                expect_code(code, WSAEWOULDBLOCK, "so there is nobody");
            }));
}

void give_up_and_ask_again(WsdParty& a) {
    a.os.sleep(1);
    const SOCKET first = a.bound_socket();
    expect_code(a.begin_connect(first, "B", 5000), WSAEWOULDBLOCK, "one that waits");
    a.until(3000);
    expect_code(a.close(first), 0, "it is given up");
    a.until(5000);
    expect_code(a.connect(a.bound_socket(), "B"), 0, "the next one");
}

// B lets one wait. The first one that asks is gone when the second one comes.
TEST_CASE("wsd: a connect that was given up makes room in the backlog", "[W91][W92]") {
    run_wsd(living(give_up_and_ask_again), living([](WsdParty& b) {
                b.listen(5000, 1);
                b.until(8000);
                int code = 0;
                expect(b.accept(code) != INVALID_SOCKET, "it is accepted");
                expect(b.accept(code) == INVALID_SOCKET, "there is no other");
                expect_code(code, WSAEWOULDBLOCK, "there is nobody");
            }));
}

// The listener puts the first one off, which is then given up, and hears of the second one.
TEST_CASE("wsd: a connect for which one that was given up makes room sets the event", "[W92][W93]") {
    run_wsd(living(give_up_and_ask_again), living([](WsdParty& b) {
                b.listen(5000, 1);
                expect_code(b.next_event(b.listener, FD_ACCEPT_BIT), 0, "somebody asks");
                int code = 0;
                (void)b.accept(code,
                               [](LPWSABUF, LPWSABUF, LPQOS, LPQOS, LPWSABUF, LPWSABUF, GROUP*, DWORD_PTR) -> int {
                                   return CF_DEFER;
                               });
                expect_code(code, WSATRY_AGAIN, "not now");
                expect_code(b.next_event(b.listener, FD_ACCEPT_BIT), 0, "somebody else asks");
                expect(b.os.nanoseconds() > 5'000'000, "the second one");
                expect(b.accept(code) != INVALID_SOCKET, "it is accepted");
            }));
}

}  // namespace ndsim::test::wsd_backlog_test
