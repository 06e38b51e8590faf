// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndk/ndk_srq_party.hpp"

namespace ndsim::test::ndk_srq_messages_test {

using namespace std::chrono_literals;

TEST_CASE("ndk srq: receives complete on the queue pair that took them, with their own context", "[K34][K196]") {
    run_pair(srq_sender({1, 0, 1, 1, 0}), [](SrqParty& party) {
        NDK_SRQ* const srq = party.new_srq(5);
        std::array<int, 5> requests{};
        for (int& request : requests) {
            expect(post(srq, &request) == STATUS_SUCCESS, "five fit");
        }
        std::array<NDK_CQ*, 2> cqs{party.new_cq(), party.new_cq()};
        std::array<int, 2> contexts{};
        for (std::size_t i = 0; i < 2; ++i) {
            party.accept(party.new_qp(cqs.at(i), srq, &contexts.at(i)), static_cast<USHORT>(kSrqPort + i));
        }
        party.host.sleep(2ms - party.host.clock());  // all five have come
        // The first queue pair took the receives 1 and 4, the other one 0, 2 and 3.
        for (const auto& [cq, request] : {std::pair{0U, 1U}, {0U, 4U}}) {
            const NDK_RESULT result = party.poll(cqs.at(cq));
            expect(result.QPContext == &contexts.at(cq) && result.RequestContext == &requests.at(request), "contexts");
        }
        // Slots are free again in the order of the ring: two are polled, but the oldest is not.
        expect(post(srq) == STATUS_NO_MORE_ENTRIES, "still full");
        expect(party.poll(cqs[1]).RequestContext == &requests[0], "the oldest");
        expect(post(srq) == STATUS_SUCCESS && post(srq) == STATUS_SUCCESS, "0 and 1 are free");
        expect(post(srq) == STATUS_NO_MORE_ENTRIES, "2 is not");
        expect(party.poll(cqs[1]).RequestContext == &requests[2], "the next");
        expect(party.poll(cqs[1]).RequestContext == &requests[3], "and the last");
        expect(post(srq) == STATUS_SUCCESS && post(srq) == STATUS_SUCCESS && post(srq) == STATUS_SUCCESS, "2, 3, 4");
        expect(post(srq) == STATUS_NO_MORE_ENTRIES, "full again");
    });
}

TEST_CASE("ndk srq: one callback when fewer than the threshold are left", "[K192][K194][K195]") {
    run_pair(srq_sender({0, 1, 0, 1}), [](SrqParty& party) {
        NDK_SRQ* const srq = party.new_srq(8, 3);
        for (int i = 0; i < 5; ++i) {
            expect(post(srq) == STATUS_SUCCESS, "a receive");
        }
        NDK_CQ* const cq = party.new_cq();
        for (std::size_t i = 0; i < 2; ++i) {
            party.accept(party.new_qp(cq, srq), static_cast<USHORT>(kSrqPort + i));
        }
        // Messages at 1.0, 1.1, 1.2 and 1.3 ms leave 4, 3, 2 and 1 receives.
        const auto callbacks_until = [&](Picoseconds when) {
            party.host.sleep(when - party.host.clock());
            return party.notifications.count;
        };
        expect(callbacks_until(1190us) == 0, "as many as the threshold are left");
        expect(callbacks_until(1290us) == 1, "fewer");
        expect(callbacks_until(2ms) == 1, "but it is told once");
    });
}

TEST_CASE("ndk srq: a flushed queue pair, and a closed one, leave receives and slots to the other", "[K197]") {
    run_pair(srq_sender({0, 0, 1, 1}), [](SrqParty& party) {
        NDK_SRQ* const srq = party.new_srq(4);
        std::array<int, 4> requests{};
        for (int& request : requests) {
            expect(post(srq, &request) == STATUS_SUCCESS, "a receive");
        }
        NDK_CQ* const first_cq = party.new_cq();
        NDK_CQ* const second_cq = party.new_cq();
        NDK_QP* const first = party.new_qp(first_cq, srq);
        NDK_CONNECTOR* const connector = party.accept(first, kSrqPort);
        party.accept(party.new_qp(second_cq, srq), kSrqPort + 1);
        party.host.sleep(1150us - party.host.clock());  // the first one has taken two
        expect(party.poll(first_cq).RequestContext == &requests[0], "the first message");
        // The second completion of the first queue pair is polled only when that is closed [K207].
        first->Dispatch->NdkFlush(first);
        party.close(connector->Dispatch->NdkCloseConnector, connector->Header);
        party.close(first->Dispatch->NdkCloseQp, first->Header);
        NDK_RESULT result{};
        expect(party.poll(first_cq).RequestContext == &requests[1], "the message of the closed one");
        expect(first_cq->Dispatch->NdkGetCqResults(first_cq, &result, 1) == 0, "nothing was flushed");
        party.host.sleep(2ms - party.host.clock());
        for (const std::size_t i : {2U, 3U}) {
            result = party.poll(second_cq);
            expect(result.Status == STATUS_SUCCESS && result.RequestContext == &requests.at(i), "the other's messages");
        }
        for (int i = 0; i < 4; ++i) {
            expect(post(srq) == STATUS_SUCCESS, "all four slots are free");
        }
        expect(post(srq) == STATUS_NO_MORE_ENTRIES, "and no more");
    });
}

// The first queue pair has taken two of four receives and polled none when its CQ is closed with it.
TEST_CASE("ndk srq: a closed CQ returns the receives that nobody has polled", "[K197][K207]") {
    run_pair(srq_sender({0, 0, 1, 1}), [](SrqParty& party) {
        NDK_SRQ* const srq = party.new_srq(4);
        for (int i = 0; i < 4; ++i) {
            expect(post(srq) == STATUS_SUCCESS, "a receive");
        }
        NDK_CQ* const first_cq = party.new_cq();
        NDK_CQ* const second_cq = party.new_cq();
        NDK_QP* const first = party.new_qp(first_cq, srq);
        NDK_CONNECTOR* const connector = party.accept(first, kSrqPort);
        party.accept(party.new_qp(second_cq, srq), kSrqPort + 1);
        party.host.sleep(1150us - party.host.clock());  // the first one has taken two
        party.close(connector->Dispatch->NdkCloseConnector, connector->Header);
        party.close(first->Dispatch->NdkCloseQp, first->Header);
        party.close(first_cq->Dispatch->NdkCloseCq, first_cq->Header);
        expect(post(srq) == STATUS_SUCCESS && post(srq) == STATUS_SUCCESS, "its two slots");
        expect(post(srq) == STATUS_NO_MORE_ENTRIES, "and no more");
        party.host.sleep(2ms - party.host.clock());
        for (int i = 0; i < 2; ++i) {
            expect(party.poll(second_cq).Status == STATUS_SUCCESS, "the other's messages");
        }
        expect(post(srq) == STATUS_SUCCESS && post(srq) == STATUS_SUCCESS, "whose slots are free, too");
    });
}

// The queue is needed as long as completions name its receives, but its PD is gone by then.
TEST_CASE("ndk srq: an SRQ and its PD may be closed before the CQ that has their completions", "[K199][K207]") {
    run_pair(srq_sender({0, 0, 1, 1}), [](SrqParty& party) {
        NDK_SRQ* const other = party.new_srq(4);
        expect(post(other) == STATUS_SUCCESS && post(other) == STATUS_SUCCESS, "receives of the other queue pair");
        NDK_PD* const first_pd = party.new_pd();
        NDK_PD* const others_pd = std::exchange(party.pd, first_pd);
        NDK_SRQ* const srq = party.new_srq(4);
        expect(post(srq) == STATUS_SUCCESS && post(srq) == STATUS_SUCCESS, "two receives");
        NDK_CQ* const first_cq = party.new_cq();
        NDK_QP* const first = party.new_qp(first_cq, srq);
        party.pd = others_pd;
        NDK_CONNECTOR* const connector = party.accept(first, kSrqPort);
        party.accept(party.new_qp(party.new_cq(), other), kSrqPort + 1);
        party.host.sleep(1150us - party.host.clock());  // the first one has taken two
        party.close(connector->Dispatch->NdkCloseConnector, connector->Header);
        party.close(first->Dispatch->NdkCloseQp, first->Header);
        party.close(srq->Dispatch->NdkCloseSrq, srq->Header);
        party.close(first_pd->Dispatch->NdkClosePd, first_pd->Header);
        party.close(first_cq->Dispatch->NdkCloseCq, first_cq->Header);
        party.host.sleep(2ms - party.host.clock());
    });
}

TEST_CASE("ndk srq: a change of depth while messages come loses and reorders nothing") {
    std::vector<int> order;
    for (int i = 0; i < 60; ++i) {
        order.push_back(i % 3 == 0 ? 1 : 0);
    }
    run_pair(srq_sender(order), [](SrqParty& party) {
        NDK_SRQ* const srq = party.new_srq(4);
        std::array<int, 64> requests{};
        std::size_t posted = 0;
        const auto fill = [&](std::size_t up_to) {
            while (posted < up_to && post(srq, &requests.at(posted)) == STATUS_SUCCESS) {
                ++posted;
            }
        };
        fill(8);
        NDK_CQ* const cq = party.new_cq();
        for (std::size_t i = 0; i < 2; ++i) {
            party.accept(party.new_qp(cq, srq), static_cast<USHORT>(kSrqPort + i));
        }
        party.host.sleep(1ms - party.host.clock());
        Call change(party.host);
        constexpr std::array<ULONG, 3> kDepths{33, 9, 5};  // eight are outstanding each time
        for (std::size_t i = 0; i < 60; ++i) {
            // Before the i-th message comes, at 1 ms + i x 100 us, a change begins or is done.
            if (i % 20 == 10) {
                const NTSTATUS status = srq->Dispatch->NdkModifySrq(srq, kDepths.at(i / 20), 0, Call::done, &change);
                expect(status == (i == 50 ? STATUS_BUFFER_OVERFLOW : STATUS_PENDING), "a change");
            }
            fill(std::min(i + 8, requests.size()));
            for (int polls = 0;; ++polls) {
                NDK_RESULT result{};
                if (cq->Dispatch->NdkGetCqResults(cq, &result, 1) == 1) {
                    expect(result.Status == STATUS_SUCCESS && result.RequestContext == &requests.at(i), "in order");
                    break;
                }
                expect(polls < 10'000, "a completion comes");
            }
        }
        expect(change.callbacks == 2, "two of the three changes");
    });
}

// With RNR code 12 the sender comes again 0.64 ms after each refusal. A number of 7 or more of them at 1 ms,
// 1.64 ms, ... 5.48 ms is only possible if it may come as often as it likes.
TEST_CASE("ndk srq: an SRQ that is empty when a message arrives holds the sender off until a receive is posted",
          "[X20][X59][R26]") {
    constexpr Picoseconds kPosted = 7ms;
    // What holds for a queue pair's own queue does not matter.
    for (const char* each : {"nic.overflow=terminate", "nic.overflow=rnr", "nic.overflow=credit", "nic.rnr_retry=0",
                             "profile=infiniband"}) {
        run_pair(srq_sender({0}),
                 [&](SrqParty& party) {
                     NDK_SRQ* const srq = party.new_srq(4);
                     NDK_CQ* const cq = party.new_cq();
                     for (std::size_t i = 0; i < 2; ++i) {
                         party.accept(party.new_qp(cq, srq), static_cast<USHORT>(kSrqPort + i));
                     }
                     party.host.sleep(kPosted - party.host.clock());
                     NDK_RESULT result{};
                     expect(cq->Dispatch->NdkGetCqResults(cq, &result, 1) == 0, "nothing has failed");
                     int request = 0;
                     expect(post(srq, &request) == STATUS_SUCCESS, "a receive");
                     result = party.poll(cq);
                     expect(result.Status == STATUS_SUCCESS && result.RequestContext == &request, "the message");
                     // The next try, and 50 us for the way and the poll.
                     expect(party.host.clock() < kPosted + 690us, "at the sender's next try");
                 },
                 {each});
    }
}

}  // namespace ndsim::test::ndk_srq_messages_test
