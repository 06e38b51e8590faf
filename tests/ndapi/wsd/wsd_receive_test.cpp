// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/wsd/wsd_pair.hpp"

namespace ndsim::test::wsd_receive_test {

TEST_CASE("wsd: each message takes one receive, in the order of the posts", "[W56][W58]") {
    run_wsd_pair({[](WsdParty& a) {
                     for (const ULONG length : {10U, 2000U, 300U}) {
                         a.fill(0, length, static_cast<int>(length % 251));
                         expect_code(a.send_now(length), 0, "a send");
                     }
                 }},
                 {[](WsdParty& b) {
                     std::array<OVERLAPPED*, 4> receives{&b.polled(), &b.polled(), &b.polled(), &b.polled()};
                     for (std::size_t i = 0; i < 4; ++i) {
                         expect_code(b.receive(4096, *receives[i], static_cast<ULONG>(i) * 4096), WSA_IO_PENDING,
                                     "a receive");
                     }
                     ULONG at = 0;
                     for (const ULONG length : {10U, 2000U, 300U}) {
                         expect_code(b.finish(*receives[at]), 0, "a message");
                         expect(b.bytes == length, "with its own length");
                         expect(b.holds(at * 4096, length, static_cast<int>(length % 251)), "and its own bytes");
                         ++at;
                     }
                     expect_code(b.result(*receives[3]), WSA_IO_INCOMPLETE, "the fourth is left");
                 }});
}

// 250 bytes into buffers of 100, 0, 120 and 100: the third is full, and the last has 30.
TEST_CASE("wsd: the buffers of a receive fill one after the other", "[W57]") {
    run_wsd_pair(
        {[](WsdParty& a) {
            a.fill(0, 250, 4);
            expect_code(a.send_now(250), 0, "a send");
        }},
        {[](WsdParty& b) {
             OVERLAPPED& overlapped = b.polled();
             std::array<WSABUF, 4> list{b.piece(100, 1000), b.piece(0), b.piece(120, 3000), b.piece(100, 2000)};
             expect_code(b.receive_list(list.data(), 4, overlapped), WSA_IO_PENDING, "a receive");
             expect_code(b.finish(overlapped), 0, "a message");
             expect(b.bytes == 250, "all of it");
             expect(b.holds(1000, 100, 4) && b.holds(3000, 120, 4) && b.holds(2000, 30, 4), "in the order");
             expect(b.holds(2030, 70, 0), "and no more");
         },
         {.receive_sges = 4}});
}

// Twelve buffers of 10 bytes, each of them in front of the one before it.
TEST_CASE("wsd: all buffers of a receive fill, also if they are more than a send has", "[W7][W57]") {
    run_wsd_pair({[](WsdParty& a) {
                     for (ULONG i = 0; i < 12; ++i) {
                         a.fill(i * 10, 10, static_cast<int>(i + 1));
                     }
                     expect_code(a.send_now(120), 0, "a send");
                 }},
                 {[](WsdParty& b) {
                      std::vector<WSABUF> list;
                      for (ULONG i = 0; i < 13; ++i) {
                          list.push_back(b.piece(10, 4096 - i * 100));
                      }
                      OVERLAPPED& overlapped = b.polled();
                      expect_code(b.receive_list(list.data(), 13, overlapped), WSAEINVAL, "one buffer too many");
                      expect_code(b.receive_list(list.data(), 12, overlapped), WSA_IO_PENDING, "a receive");
                      expect_code(b.finish(overlapped), 0, "a message");
                      expect(b.bytes == 120, "all of it");
                      for (ULONG i = 0; i < 12; ++i) {
                          expect(b.holds(4096 - i * 100, 10, static_cast<int>(i + 1)), "in the order");
                      }
                      expect(b.holds(4096 - 1200, 10, 0), "the thirteenth was not asked for");
                  },
                  {.receive_sges = 12}});
}

TEST_CASE("wsd: a receive has no more buffers than the adapter takes", "[W7][W57]") {
    run_wsd_pair({[](WsdParty& a) {
                     a.fill(0, 5, 7);
                     expect_code(a.send_now(5), 0, "a send");
                 }},
                 {[](WsdParty& b) {
                      std::array<WSABUF, 6> list{};
                      for (ULONG i = 0; i < 6; ++i) {
                          list.at(i) = b.piece(1, i * 10);
                      }
                      OVERLAPPED& overlapped = b.polled();
                      expect_code(b.receive_list(list.data(), 6, overlapped), WSAEINVAL, "one more than nic.max_sge");
                      expect_code(b.receive_list(list.data(), 5, overlapped), WSA_IO_PENDING, "a receive");
                      expect_code(b.finish(overlapped), 0, "a message");
                      expect(b.bytes == 5 && b.holds(40, 1, 7), "to the last buffer");
                  },
                  {.receive_sges = 100}},
                 {"nic.max_sge=5"});
}

TEST_CASE("wsd: a receive has one buffer unless the provider offers more, and 16 wait at most", "[W57]") {
    run_wsd_pair({[](WsdParty& a) {
                     std::array<WSABUF, 2> list{a.piece(100), a.piece(100, 200)};
                     expect_code(a.receive_list(list.data(), 2, a.polled()), WSAEINVAL, "two buffers");
                     for (int i = 0; i < 16; ++i) {
                         expect_code(a.receive(100, a.polled()), WSA_IO_PENDING, "a receive");
                     }
                     OVERLAPPED& overlapped = a.polled();
                     expect_code(a.receive(100, overlapped), WSAENOBUFS, "one more");
                     expect(overlapped.Internal == 0, "it is not begun");
                 }},
                 {});
}

// A session message comes first, while the accepting side has nothing posted. The send waits 0.64 ms at a time (RNR
// timer 12), so B's receive of 6 ms has it before 6.7 ms; also where the adapter ends connections in such a case.
TEST_CASE("wsd: a message that finds no receive waits for one, however long", "[W59][W61]") {
    for (const std::string overflow : {"terminate", "rnr", "credit"}) {
        run_wsd_pair({[](WsdParty& a) {
                         a.fill(0, 256, 3);
                         OVERLAPPED& overlapped = a.polled();
                         expect_code(a.send(256, overlapped), WSA_IO_PENDING, "a session message");
                         a.until(5900);
                         expect_code(a.result(overlapped), WSA_IO_INCOMPLETE, "it waits");
                         expect_code(a.finish(overlapped), 0, "it succeeds");
                         expect(a.os.nanoseconds() < 6'800'000, "one RNR time behind the receive at most");
                     }},
                     {[](WsdParty& b) {
                         b.until(6000);
                         OVERLAPPED& overlapped = b.polled();
                         expect_code(b.receive(4096, overlapped), WSA_IO_PENDING, "a receive");
                         expect_code(b.finish(overlapped), 0, "the message");
                         expect(b.bytes == 256 && b.holds(0, 256, 3), "whole");
                     }},
                     {"nic.overflow=" + overflow, "nic.rnr_retry=2"});
    }
}

TEST_CASE("wsd: a receive that is too small ends the connection", "[W23][W62]") {
    for (const std::string profile : {"documented", "infiniband"}) {
        run_wsd_pair({[](WsdParty& a) {
                         expect_code(a.send_now(1000), WSAECONNABORTED, "a send larger than the receive");
                         expect_code(a.send_now(10), WSAECONNABORTED, "and from then on");
                     }},
                     {[](WsdParty& b) {
                         OVERLAPPED& small = b.polled();
                         OVERLAPPED& next = b.polled();
                         expect_code(b.receive(999, small), WSA_IO_PENDING, "a receive");
                         expect_code(b.receive(4096, next), WSA_IO_PENDING, "another");
                         expect_code(b.finish(small), WSAEMSGSIZE, "the message is larger");
                         expect_code(b.finish(next), WSAECONNABORTED, "the other is ended");
                         expect_code(b.receive(4096, b.polled()), WSAECONNABORTED, "and none is taken");
                     }},
                     {"profile=" + profile});
    }
}

TEST_CASE("wsd: the peer's close resets a connection, once and for all", "[W24][W63][W100][W103]") {
    run_wsd_pair({[](WsdParty& a) {
                     OVERLAPPED& receive = a.polled();
                     OVERLAPPED& send = a.told();
                     expect_code(a.receive(4096, receive), WSA_IO_PENDING, "a receive");
                     expect_code(a.send(1000, send), WSA_IO_PENDING, "a send for which B has no receive");
                     expect_code(a.finish(send), WSAECONNRESET, "B closes");
                     expect_code(a.finish(receive), WSAECONNRESET, "nor will anything come");
                     expect_code(a.send(1000, a.polled()), WSAECONNRESET, "a send afterwards");
                     expect_code(a.receive(1000, a.polled()), WSAECONNRESET, "a receive afterwards");
                     a.until(15'000);
                     expect_code(a.send(1000, a.polled()), WSAECONNRESET, "the socket stays");
                     expect(a.upcalls.open_handles() == 1, "with its handle");
                     expect_code(a.close(a.s), 0, "until it is closed");
                     expect_code(a.send(1000, a.polled()), WSAENOTSOCK, "then there is none");
                 }},
                 {[](WsdParty& b) {
                     b.until(6000);
                     expect_code(b.close(b.s), 0, "B closes");
                 }});
}

TEST_CASE("wsd: an own close ends what is pending, and the socket", "[W26][W64][W89][W99]") {
    run_wsd_pair({[](WsdParty& a) {
                     std::vector<WsdUpcalls::Completion> told;
                     a.upcalls.on_complete([&](const WsdUpcalls::Completion& each) { told.push_back(each); });
                     OVERLAPPED& receive = a.told();
                     OVERLAPPED& polled = a.polled();
                     OVERLAPPED& send = a.told();
                     expect_code(a.receive(4096, receive), WSA_IO_PENDING, "a receive");
                     expect_code(a.receive(4096, polled), WSA_IO_PENDING, "one without an upcall");
                     expect_code(a.send(1000, send), WSA_IO_PENDING, "a send for which B has no receive");
                     expect_code(a.close(a.s), 0, "the socket is closed");
                     expect_code(a.close(a.s), WSAENOTSOCK, "which can be done once");
                     expect_code(a.result(receive), WSAENOTSOCK, "there is no result to ask for");
                     expect_code(a.send(10, a.polled()), WSAENOTSOCK, "nor anything to send on");
                     expect_code(a.select(a.s, FD_CONNECT), WSAENOTSOCK, "nor to wait for");
                     expect(a.register_memory(a.buffer.data(), 100) == nullptr && a.error == WSAENOTSOCK, "nor memory");
                     a.until(10'000);
                     expect(told.size() == 2, "two upcalls");
                     for (const WsdUpcalls::Completion& each : told) {
                         expect_code(static_cast<int>(each.error), WSA_OPERATION_ABORTED, "cancelled");
                     }
                     expect(polled.Internal == 0 && polled.OffsetHigh == WSA_OPERATION_ABORTED, "and the third");
                     expect(a.upcalls.calls().created == 1 && a.upcalls.calls().closed == 1, "one handle, given back");
                 }},
                 {[](WsdParty& b) { b.until(10'000); }});
}

// The handle goes with the last upcall, which is 1 ms late: until then a completion is not refused.
TEST_CASE("wsd: the switch's handle is closed behind the last upcall", "[W89]") {
    run_wsd_pair({[](WsdParty& a) {
                      for (int i = 0; i < 4; ++i) {
                          expect_code(a.receive(4096, a.told()), WSA_IO_PENDING, "a receive");
                      }
                      expect_code(a.close(a.s), 0, "the socket is closed");
                      a.until(15'000);
                      expect(a.upcalls.calls().completed == 4 && a.upcalls.calls().refused == 0, "four upcalls");
                      expect(a.upcalls.open_handles() == 0, "and no handle");
                  },
                  {.upcall_delay = std::chrono::milliseconds{1}, .upcall_jitter = std::chrono::milliseconds{1}}},
                 {});
}

// Four messages of 256 KiB, 21 us each on the lane, come one behind the other. A closes when it has the first, so the
// second is being written. Once the last receive has ended, nothing more is.
TEST_CASE("wsd: the memory of an operation is free when its end is told", "[W98]") {
    constexpr DWORD kWhole = 1U << 18U;
    run_wsd_pair({[](WsdParty& a) {
                     std::array<OVERLAPPED*, 4> receives{&a.polled(), &a.polled(), &a.polled(), &a.polled()};
                     for (OVERLAPPED* const each : receives) {
                         expect_code(a.receive(kWhole, *each), WSA_IO_PENDING, "a receive");
                     }
                     expect_code(a.finish(*receives.front()), 0, "the first message");
                     expect_code(a.close(a.s), 0, "the socket is closed");
                     expect(receives.back()->Internal == 0x103, "the last receive is still to end");
                     while (receives.back()->Internal == 0x103) {
                         a.os.sleep(0);
                     }
                     expect(receives.back()->OffsetHigh == WSA_OPERATION_ABORTED, "it is cancelled");
                     a.fill(0, kWhole, 0x11);
                     a.until(19'000);
                     expect(a.holds(0, kWhole, 0x11), "nobody has written");
                 }},
                 {[](WsdParty& b) {
                     b.until(5000);
                     for (int i = 0; i < 4; ++i) {
                         expect_code(b.send(kWhole, b.polled()), WSA_IO_PENDING, "a send");
                     }
                 }});
}

// A loses its cable for good at 4 ms. Its send is tried again until the retries are used up,
// some milliseconds later with timeout code 7 (0.5 ms).
TEST_CASE("wsd: a connection that breaks aborts what is pending and what follows", "[W23][W103]") {
    run_wsd_pair({[](WsdParty& a) {
                     OVERLAPPED& receive = a.polled();
                     expect_code(a.receive(4096, receive), WSA_IO_PENDING, "a receive");
                     a.until(5000);
                     OVERLAPPED& send = a.told();
                     expect_code(a.send(1000, send), WSA_IO_PENDING, "a send into the void");
                     expect_code(a.result(send, TRUE), WSAECONNABORTED, "it times out");
                     expect_code(a.finish(receive), WSAECONNABORTED, "so does the receive");
                     expect_code(a.send(1000, a.polled()), WSAECONNABORTED, "a send afterwards");
                     a.os.sleep(1000);
                     expect_code(a.send(1000, a.polled()), WSAECONNABORTED, "the first error stays");
                 }},
                 {[](WsdParty& b) { expect_code(b.receive(4096, b.polled()), WSA_IO_PENDING, "a receive"); }},
                 {"nic.timeout_code=7"},
                 R"({"hosts": {"A": {}, "B": {}}, "faults": [{"down": "l0", "from": "4 ms", "until": "9 s"}]})");
}

TEST_CASE("wsd: WSPDuplicateSocket ends this side's receives with no bytes, and leaves the peer's", "[W65]") {
    run_wsd_pair({[](WsdParty& a) {
                     std::array<OVERLAPPED*, 2> receives{&a.polled(), &a.told()};
                     for (OVERLAPPED* const each : receives) {
                         expect_code(a.receive(4096, *each), WSA_IO_PENDING, "a receive");
                     }
                     WSAPROTOCOL_INFOW info{};
                     int code = 0;
                     expect_code(a.provider.WSPDuplicateSocket(a.s, 4711, &info, &code), 0, "it is handed over");
                     expect(info.dwProviderReserved != 0, "under a name");
                     for (OVERLAPPED* const each : receives) {
                         expect_code(a.finish(*each), 0, "a receive ends well");
                         expect(a.bytes == 0, "without a message");
                     }
                     a.until(10'000);
                 }},
                 {[](WsdParty& b) {
                     OVERLAPPED& overlapped = b.polled();
                     expect_code(b.receive(4096, overlapped), WSA_IO_PENDING, "a receive");
                     b.until(9000);
                     expect_code(b.result(overlapped), WSA_IO_INCOMPLETE, "it is pending");
                 }});
}

}  // namespace ndsim::test::wsd_receive_test
