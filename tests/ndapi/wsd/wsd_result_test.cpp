// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/wsd/wsd_pair.hpp"

namespace ndsim::test::wsd_result_test {

TEST_CASE("wsd: the result of an operation that is pending", "[W49]") {
    run_wsd_pair({[](WsdParty& a) {
                     OVERLAPPED& overlapped = a.polled();
                     expect_code(a.receive(4096, overlapped), WSA_IO_PENDING, "a receive to which nobody sends");
                     expect_code(a.result(overlapped), WSA_IO_INCOMPLETE, "it is pending");
                     expect(a.bytes == WsdParty::kUntouched && a.result_flags == WsdParty::kUntouched,
                            "nothing is written");
                     expect(overlapped.Internal == 0x103, "nor does it look done");
                 }},
                 {});
}

TEST_CASE("wsd: a result can be asked for again, until the structure is used anew", "[W50]") {
    run_wsd_pair({[](WsdParty& a) {
                     OVERLAPPED& overlapped = a.polled();
                     expect_code(a.send(1000, overlapped), WSA_IO_PENDING, "a send");
                     expect_code(a.finish(overlapped), 0, "it succeeds");
                     for (int i = 0; i < 3; ++i) {
                         expect_code(a.result(overlapped), 0, "asked again");
                         expect(a.bytes == 1000 && a.result_flags == 0, "the same");
                     }
                     expect_code(a.send(500, overlapped), WSA_IO_PENDING, "used anew");
                     expect_code(a.finish(overlapped), 0, "it succeeds");
                     expect(a.bytes == 500, "with the new number");
                 }},
                 {[](WsdParty& b) {
                     expect_code(b.receive(4096, b.polled()), WSA_IO_PENDING, "a receive");
                     expect_code(b.receive(4096, b.polled()), WSA_IO_PENDING, "another");
                 }});
}

// B's receive is too small, which aborts the connection (W62).
TEST_CASE("wsd: a result with an error says which, and no number", "[W51]") {
    run_wsd_pair({[](WsdParty& a) {
                     OVERLAPPED& overlapped = a.polled();
                     expect_code(a.send(1000, overlapped), WSA_IO_PENDING, "a send");
                     for (int i = 0; i < 3; ++i) {
                         expect_code(a.finish(overlapped), WSAECONNABORTED, "it fails");
                         expect(a.bytes == WsdParty::kUntouched && a.result_flags == WsdParty::kUntouched,
                                "nothing is written");
                     }
                 }},
                 {[](WsdParty& b) { expect_code(b.receive(100, b.polled()), WSA_IO_PENDING, "a receive"); }});
}

// B sends at 6 ms, and the message is there within some microseconds.
TEST_CASE("wsd: waiting for a result takes until it is there", "[W52]") {
    for (const bool polls : {true, false}) {
        run_wsd_pair({[polls](WsdParty& a) {
                         OVERLAPPED& overlapped = polls ? a.polled() : a.told();
                         expect_code(a.receive(4096, overlapped), WSA_IO_PENDING, "a receive");
                         expect_code(a.result(overlapped, TRUE), 0, "it has succeeded when the call returns");
                         const std::uint64_t now = a.os.nanoseconds();
                         expect(now > 6'000'000 && now < 6'200'000, "when B has sent");
                         expect(a.bytes == 1000, "with all bytes");
                     }},
                     {[](WsdParty& b) {
                         b.until(6000);
                         expect_code(b.send_now(1000), 0, "a send");
                     }});
    }
}

TEST_CASE("wsd: a thread can wait only with an event, and nobody for an operation that there is not", "[W32]") {
    run_wsd_pair({[](WsdParty& a) {
                     OVERLAPPED& overlapped = a.polled();
                     overlapped.hEvent = reinterpret_cast<HANDLE>(0xFFF1);
                     expect_code(a.receive(4096, overlapped), WSA_IO_PENDING, "a receive");
                     expect_code(a.result(overlapped, TRUE), WSA_INVALID_HANDLE, "without a good event");
                     expect_code(a.result(a.polled()), WSAEINVAL, "a structure of no operation");
                     int code = 0;
                     DWORD flags = 0;
                     const auto ask = [&](LPWSAOVERLAPPED which, LPDWORD bytes, LPDWORD where) {
                         expect(a.provider.WSPGetOverlappedResult(a.s, which, bytes, FALSE, where, &code) == FALSE,
                                "it fails");
                         return code;
                     };
                     expect_code(ask(nullptr, &a.bytes, &flags), WSAEINVAL, "no structure");
                     expect_code(ask(&overlapped, nullptr, &flags), WSAEFAULT, "no place for the bytes");
                     expect_code(ask(&overlapped, &a.bytes, nullptr), WSAEFAULT, "no place for the flags");
                     a.s += 2;
                     expect_code(a.result(overlapped), WSAENOTSOCK, "no socket");
                     a.s -= 2;
                 }},
                 {});
}

// Nothing but questions is asked on either side: every operation ends.
TEST_CASE("wsd: a switch that only asks gets every completion", "[W53]") {
    const ChildResult run =
        run_wsd_pair({[](WsdParty& a) {
                         for (int round = 0; round < 20; ++round) {
                             expect_code(a.send_now(1000), 0, "a send");
                             OVERLAPPED& overlapped = a.polled();
                             expect_code(a.receive(4096, overlapped, 8192), WSA_IO_PENDING, "a receive");
                             expect_code(a.finish(overlapped), 0, "the answer");
                         }
                         expect(a.upcalls.calls().completed == 0, "without upcalls");
                     }},
                     {[](WsdParty& b) {
                         for (int round = 0; round < 20; ++round) {
                             OVERLAPPED& overlapped = b.polled();
                             expect_code(b.receive(4096, overlapped), WSA_IO_PENDING, "a receive");
                             expect_code(b.finish(overlapped), 0, "the question");
                             expect_code(b.send_now(1000), 0, "an answer");
                         }
                     }});
    CHECK(run.metric("A.nic.cq.interrupts") == 0);  // nobody was woken for it
}

TEST_CASE("wsd: a completion for a handle that the switch has not given is refused", "[W54]") {
    run_wsd({[](WsdParty& a) {
                a.start();
                const WSPUPCALLTABLEEX table = a.upcalls.table();
                OVERLAPPED& overlapped = a.told();
                overlapped.Internal = 0x103;
                int code = 0;
                expect(table.lpWPUCompleteOverlappedRequest(0x1234, &overlapped, 0, 10, &code) == SOCKET_ERROR,
                       "it is refused");
                expect_code(code, WSAEINVAL, "why");
                expect(overlapped.Internal == 0x103, "and nothing is done");
                a.end();
            }},
            {});
}

}  // namespace ndsim::test::wsd_result_test
