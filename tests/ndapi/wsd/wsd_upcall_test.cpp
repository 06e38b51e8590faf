// SPDX-License-Identifier: Apache-2.0

#include "tests/ndapi/wsd/wsd_pair.hpp"

namespace ndsim::test::wsd_upcall_test {

using namespace std::chrono_literals;

using Completion = WsdUpcalls::Completion;

// B posts so many receives of 4 KiB, each with a place of its own.
WsdSide receiver(ULONG receives) {
    return {[receives](WsdParty& b) {
        for (ULONG i = 0; i < receives; ++i) {
            expect_code(b.receive(4096, b.polled(), i * 4096), WSA_IO_PENDING, "a receive");
        }
    }};
}

// What an upcall finds when it begins.
struct AtUpcall {
    ULONG_PTR internal = 0;
    ULONG_PTR bytes = 0;
    DWORD error = 0;
};
AtUpcall& at_upcall() {
    static AtUpcall seen;  // of the child process: upcalls have no context
    return seen;
}

TEST_CASE("wsd: with the low bit clear each operation is told once, with the switch's handle",
          "[W25][W39][W42][W44][W47]") {
    run_wsd_pair({[](WsdParty& a) {
                     std::vector<Completion> told;
                     bool by_a_thread_of_its_own = true;
                     a.upcalls.on_complete([&](const Completion& completion) {
                         told.push_back(completion);
                         by_a_thread_of_its_own = by_a_thread_of_its_own && a.process.driver().callbacks().is_calling();
                     });
                     std::vector<OVERLAPPED*> sends;
                     for (ULONG i = 0; i < 5; ++i) {
                         sends.push_back(&a.told());
                         expect_code(a.send(1000 + i, *sends.back()), WSA_IO_PENDING, "a send");
                     }
                     a.until(19'000);
                     expect(told.size() == 5, "five upcalls");
                     for (ULONG i = 0; i < 5; ++i) {
                         const auto count = std::count_if(told.begin(), told.end(), [&](const Completion& each) {
                             return each.overlapped == sends[i] && each.bytes == 1000 + i && each.error == 0 &&
                                    a.upcalls.descriptor_of(each.handle) == a.s;
                         });
                         expect(count == 1, "one of each, with its bytes");
                     }
                     expect(by_a_thread_of_its_own, "not in the thread that sent");
                 }},
                 receiver(5));
}

// hEvent is an event that is never set; the structure is the switch's from the upcall on.
TEST_CASE("wsd: after its upcall a structure is left alone, and the event in it always", "[W41][W55]") {
    run_wsd_pair({[](WsdParty& a) {
                     a.upcalls.on_complete([](const Completion& completion) {
                         std::memset(completion.overlapped, 0xDD, sizeof(OVERLAPPED));
                     });
                     std::array<OVERLAPPED*, 4> sends{&a.told(), &a.told(), &a.told(), &a.polled()};
                     for (OVERLAPPED* const each : sends) {
                         expect_code(a.send(1000, *each), WSA_IO_PENDING, "a send");
                     }
                     expect_code(a.finish(*sends[3]), 0, "the polled one ends");
                     a.until(19'000);
                     for (std::size_t i = 0; i < 3; ++i) {
                         std::array<std::byte, sizeof(OVERLAPPED)> bytes{};
                         std::memcpy(bytes.data(), sends[i], sizeof(OVERLAPPED));
                         expect(std::ranges::all_of(bytes, [](std::byte byte) { return byte == std::byte{0xDD}; }),
                                "nothing was written");
                     }
                     expect(a.os.wait(&a.done, 1, false, 0) == WAIT_TIMEOUT, "nobody has set the event");
                 }},
                 receiver(4));
}

TEST_CASE("wsd: with the low bit set there is no upcall, and asking finds the result", "[W10][W32][W38][W43]") {
    run_wsd_pair({[](WsdParty& a) {
                     OVERLAPPED& first = a.polled();
                     OVERLAPPED& second = a.polled();
                     expect_code(a.send(300, first), WSA_IO_PENDING, "a send");
                     expect(a.bytes == WsdParty::kUntouched, "which has no number yet");
                     expect_code(a.send(5000, second), WSA_IO_PENDING, "one that B's receive is too small for");
                     expect_code(a.finish(first), 0, "the first one succeeds");
                     expect(a.bytes == 300 && a.result_flags == 0, "with its bytes");
                     expect_code(a.finish(second), WSAECONNABORTED, "the second one fails");
                     a.until(19'000);
                     expect(a.upcalls.calls().completed == 0, "no upcall");
                 }},
                 receiver(2));
}

TEST_CASE("wsd: a structure looks pending from the post until its end, which the byte count precedes", "[W48]") {
    const auto complete = [](SOCKET, LPWSAOVERLAPPED overlapped, DWORD error, DWORD bytes, LPINT) {
        at_upcall() = {overlapped->Internal, overlapped->InternalHigh, overlapped->OffsetHigh};
        overlapped->InternalHigh = bytes;
        overlapped->Internal = error;
        return 0;
    };
    run_wsd({[&](WsdParty& a) {
                WSPUPCALLTABLEEX table = a.upcalls.table();
                table.lpWPUCompleteOverlappedRequest = complete;
                a.start(table);
                a.be_active("B");
                OVERLAPPED& overlapped = a.told();
                expect_code(a.send(700, overlapped), WSA_IO_PENDING, "a send");
                expect(overlapped.Internal == 0x103, "it is pending");
                expect_code(a.finish(overlapped), 0, "it ends");
                expect(at_upcall().internal == 0x103, "until the switch itself says otherwise");
                expect(at_upcall().bytes == 700 && at_upcall().error == 0, "the result was there before");
                a.end();
            }},
            {[](WsdParty& b) {
                b.start();
                b.be_passive();
                expect_code(b.receive(4096, b.polled()), WSA_IO_PENDING, "a receive");
                b.until(10'000);
                b.end();
            }});
}

// Upcalls are up to 50 us late by chance. The sends take about 0.1 us each on the wire, so an order that is not that
// of the sends is as good as certain: 1 in 10! otherwise.
TEST_CASE("wsd: upcalls in any order leave the order of the data as it is", "[W45][W46]") {
    run_wsd_pair({[](WsdParty& a) {
                      std::vector<OVERLAPPED*> sends;
                      std::vector<OVERLAPPED*> told;
                      a.upcalls.on_complete([&](const Completion& each) { told.push_back(each.overlapped); });
                      for (ULONG i = 0; i < 10; ++i) {
                          a.fill(i * 1000, 1000, static_cast<int>(i));
                          sends.push_back(&a.told());
                          expect_code(a.send(1000, *sends.back(), i * 1000), WSA_IO_PENDING, "a send");
                      }
                      a.until(19'000);
                      expect(told != sends, "they are told in another order");
                      expect(std::ranges::is_permutation(told, sends), "all of them");
                      for (OVERLAPPED* const each : sends) {
                          expect_code(a.result(*each), 0, "with the right result");
                      }
                  },
                  {.upcall_jitter = 50us, .seed = 1}},
                 {[](WsdParty& b) {
                     for (ULONG i = 0; i < 10; ++i) {
                         expect_code(b.receive(4096, b.polled(), i * 4096), WSA_IO_PENDING, "a receive");
                     }
                     b.until(19'000);
                     for (ULONG i = 0; i < 10; ++i) {
                         expect(b.holds(i * 4096, 1000, static_cast<int>(i)),
                                "receives fill in the order of the calls");
                     }
                 }});
}

TEST_CASE("wsd: upcalls come after the delay that was asked for", "[W44]") {
    Picoseconds late{};
    run_wsd_pair({[&](WsdParty& a) {
                      core::Driver& driver = a.process.driver();
                      a.upcalls.on_complete([&](const Completion&) { late = driver.core().clock(); });
                      const Picoseconds begun = driver.core().clock();
                      expect_code(a.send(1000, a.told()), WSA_IO_PENDING, "a send");
                      a.until(19'000);
                      expect(late >= begun + 200us && late < begun + 300us, "200 us behind a send of a few");
                  },
                  {.upcall_delay = 200us}},
                 receiver(1));
}

// A does nothing for a millisecond. The message of 1000 bytes is at B within a few microseconds.
TEST_CASE("wsd: a pending send goes on without a further call", "[W31]") {
    run_wsd_pair({[](WsdParty& a) {
                     a.fill(0, 1000, 5);
                     expect_code(a.send(1000, a.polled()), WSA_IO_PENDING, "a send");
                     a.until(10'000);
                 }},
                 {[](WsdParty& b) {
                     OVERLAPPED& overlapped = b.polled();
                     expect_code(b.receive(4096, overlapped), WSA_IO_PENDING, "a receive");
                     b.until(4000);
                     expect_code(b.result(overlapped), 0, "it has come");
                     expect(b.holds(0, 1000, 5), "whole");
                 }});
}

TEST_CASE("wsd: a send may complete before the peer looks", "[W37]") {
    std::uint64_t sent = 0;
    run_wsd_pair({[&](WsdParty& a) {
                     expect_code(a.send_now(1000), 0, "a send");
                     sent = a.os.nanoseconds();
                 }},
                 {[&](WsdParty& b) {
                     OVERLAPPED& overlapped = b.polled();
                     expect_code(b.receive(4096, overlapped), WSA_IO_PENDING, "a receive");
                     b.until(10'000);
                     expect(sent > 0 && sent < 4'000'000, "the sender was told long ago");
                     expect_code(b.result(overlapped), 0, "and now the receiver");
                 }});
}

TEST_CASE("wsd: a structure that is pending is refused for another operation", "[W40]") {
    const ChildResult run =
        run_wsd_pair({[](WsdParty& a) {
                         OVERLAPPED& overlapped = a.polled();
                         expect_code(a.send(1000, overlapped), WSA_IO_PENDING, "a send");
                         expect_code(a.send(1000, overlapped), WSAEINVAL, "another one with the same structure");
                         expect_code(a.finish(overlapped), 0, "the first one is as it was");
                         expect_code(a.send(1000, overlapped), WSA_IO_PENDING, "now it is free");
                         expect_code(a.finish(overlapped), 0, "and good");
                     }},
                     receiver(2));
    CHECK(run.metric("programs.A.consumer_errors") == 1);
}

// A's first socket has a receive to which nobody sends.
TEST_CASE("wsd: a structure that is pending on one socket is refused on another", "[W10][W40]") {
    const ChildResult run = run_wsd({[](WsdParty& a) {
                                        a.start();
                                        a.be_active("B");
                                        const SOCKET first = a.s;
                                        OVERLAPPED& overlapped = a.polled();
                                        expect_code(a.receive(100, overlapped), WSA_IO_PENDING, "a receive");
                                        a.be_active("B");
                                        expect_code(a.send(10, overlapped, 200), WSAEINVAL, "a send elsewhere");
                                        expect_code(a.result(overlapped), WSAEINVAL, "there is none");
                                        expect_code(a.send_now(10, 200), 0, "with another structure there is");
                                        a.s = first;
                                        expect_code(a.result(overlapped), WSA_IO_INCOMPLETE, "the receive is pending");
                                        a.until(20'000);
                                        a.end();
                                    }},
                                    {[](WsdParty& b) {
                                        b.start();
                                        b.be_passive();
                                        expect_code(b.next_event(b.listener, FD_ACCEPT_BIT), 0, "a second one asks");
                                        int code = 0;
                                        b.s = b.accept(code);
                                        b.register_buffer();
                                        expect_code(b.receive(100, b.polled()), WSA_IO_PENDING, "a receive");
                                        b.until(20'000);
                                        b.end();
                                    }});
    CHECK(run.metric("programs.A.consumer_errors") == 1);
}

// The NIC reads the buffer after the call. Inline data went with the call.
TEST_CASE("wsd: data that changes after the call goes out changed, unless it is inline", "[W35]") {
    run_wsd_pair({[](WsdParty& a) {
                     a.fill(0, 4000, 1);
                     a.fill(8192, 100, 1);
                     expect_code(a.send(4000, a.polled()), WSA_IO_PENDING, "a send");
                     a.fill(0, 4000, 2);
                     expect_code(a.send(100, a.polled(), 8192), WSA_IO_PENDING, "one that goes inline");
                     a.fill(8192, 100, 2);
                     a.until(10'000);
                 }},
                 {[](WsdParty& b) {
                     expect_code(b.receive(4096, b.polled()), WSA_IO_PENDING, "a receive");
                     expect_code(b.receive(4096, b.polled(), 4096), WSA_IO_PENDING, "another");
                     b.until(10'000);
                     expect(b.holds(0, 4000, 2) && b.holds(4096, 100, 1), "what it was when it was read");
                 }});
}

TEST_CASE("wsd: buffers that were registered once serve many sends, up to the largest", "[W30][W36]") {
    constexpr ULONG kWhole = 1U << 18U;  // the party's buffer
    const ChildResult run =
        run_wsd_pair({[](WsdParty& a) {
                          for (ULONG i = 0; i < 40; ++i) {
                              expect_code(a.send_now(1 + i * 100, i), 0, "a send");
                          }
                          expect_code(a.send_now(kWhole), 0, "one of just SO_MAX_MSG_SIZE");
                          std::array<WSABUF, 2> list{a.piece(kWhole), a.piece(1)};
                          expect_code(a.send_list(list.data(), 2, a.polled()), WSAEINVAL, "one byte more");
                      },
                      {.max_message = kWhole}},
                     {[](WsdParty& b) {
                         for (int i = 0; i < 41; ++i) {
                             OVERLAPPED& overlapped = b.polled();
                             expect_code(b.receive(kWhole, overlapped), WSA_IO_PENDING, "a receive");
                             expect_code(b.finish(overlapped), 0, "a message");
                         }
                         expect(b.bytes == kWhole, "the last one is the largest");
                     }});
    CHECK(run.metric("programs.A.consumer_errors") == 1);
}

}  // namespace ndsim::test::wsd_upcall_test
