// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndspi/nd2_calls.hpp"

namespace ndsim::test::nd2_cq_test {

// Makes results in a party's CQ: of Receives of a queue pair of their own, which is flushed.
void make_results(Nd2Party& party, Nd2Link& link, std::uintptr_t first, std::uintptr_t count) {
    for (std::uintptr_t i = first; i < first + count; ++i) {
        expect(link.receive(64, i) == ND_SUCCESS, "a Receive");
    }
    expect(link.qp->Flush() == ND_SUCCESS, "a Flush");
    party.os.sleep(1);
}

Endings cancelled(std::uintptr_t first, std::uintptr_t count) {
    Endings all;
    for (std::uintptr_t i = first; i < first + count; ++i) {
        all.push_back({kReceive, ND_CANCELED, i});
    }
    return all;
}

TEST_CASE("nd2: GetResults gives as many results as asked for, and fewer only when no more are there", "[R71]") {
    std::vector<ULONG> counts;
    Endings results;
    bool kept_out = false;
    run_nd2(
        [&](Nd2Party& a) {
            Nd2Link link(a);
            make_results(a, link, 1, 7);
            for (int i = 0; i < 4; ++i) {
                std::array<ND2_RESULT, 4> some{};
                some[3].Status = ND_PENDING;
                const ULONG count = a.cq->GetResults(some.data(), 3);
                counts.push_back(count);
                for (std::size_t k = 0; k < count; ++k) {
                    results.push_back(ended(some.at(k)));
                }
                kept_out = some[3].Status == ND_PENDING;
            }
        },
        idle);
    CHECK(counts == std::vector<ULONG>{3, 3, 1, 0});
    CHECK(results == cancelled(1, 7));
    CHECK(kept_out);
}

TEST_CASE("nd2: one GetResults gives as many results as the queue holds", "[R71]") {
    constexpr std::uintptr_t kResults = 200;
    Endings results;
    run_nd2(
        [&](HostContext& host, ProgramHost& os) {
            Nd2Party a(host, os, ND_MR_FLAG_ALLOW_LOCAL_WRITE, {.cq_depth = 256, .receive_depth = 256});
            for (std::uintptr_t i = 1; i <= kResults; ++i) {
                expect(a.receive(64, context(i)) == ND_SUCCESS, "a Receive");
            }
            expect(a.qp->Flush() == ND_SUCCESS, "a Flush");
            os.sleep(1);
            std::array<ND2_RESULT, 256> all{};
            const ULONG count = a.cq->GetResults(all.data(), 256);
            for (std::size_t i = 0; i < count; ++i) {
                results.push_back(ended(all.at(i)));
            }
        },
        idle);
    CHECK(results == cancelled(1, kResults));
}

// A sends on two connections by turns; B has one CQ for both.
TEST_CASE("nd2: results of queue pairs that share a CQ come in each one's order", "[R59][R90]") {
    Endings at_b;
    run_nd2_pair({.program =
                      [](Nd2Party& a, const Nd2Place&) {
                          Nd2Link link(a);
                          link.be_active("B");
                          for (int i = 0; i < 4; ++i) {
                              expect(a.send(64) == ND_SUCCESS && link.send(64) == ND_SUCCESS, "a Send on each");
                          }
                          next(a, 8);
                          until_ms(a.os, 12);
                      }},
                 {.program = [&](Nd2Party& b, const Nd2Place&) {
                     Nd2Link link(b);
                     for (std::uintptr_t i = 1; i <= 4; ++i) {
                         expect(b.receive(64, context(i)) == ND_SUCCESS, "a Receive of the one");
                         expect(link.receive(64, 10 + i) == ND_SUCCESS, "a Receive of the other");
                     }
                     link.be_passive();
                     at_b = next(b, 8);
                     until_ms(b.os, 12);
                 }});
    Endings first;
    Endings second;
    for (const Ended& each : at_b) {
        (each.request < 10 ? first : second).push_back(each);
    }
    CHECK(first == Endings{{kReceive, ND_SUCCESS, 1},
                           {kReceive, ND_SUCCESS, 2},
                           {kReceive, ND_SUCCESS, 3},
                           {kReceive, ND_SUCCESS, 4}});
    CHECK(second == Endings{{kReceive, ND_SUCCESS, 11},
                            {kReceive, ND_SUCCESS, 12},
                            {kReceive, ND_SUCCESS, 13},
                            {kReceive, ND_SUCCESS, 14}});
}

// Both messages have come by the time that B releases the queue pair, at 7 ms or a little later.
TEST_CASE("nd2: results can be retrieved after their queue pair was released", "[R91]") {
    Endings at_b;
    run_nd2_pair({.program =
                      [](Nd2Party& a, const Nd2Place&) {
                          expect(a.send(64) == ND_SUCCESS && a.send(64) == ND_SUCCESS, "two Sends");
                          next(a, 2);
                      }},
                 {.program = [&](Nd2Party& b, const Nd2Place&) {
                     expect(b.receive(64, context(1)) == ND_SUCCESS && b.receive(64, context(2)) == ND_SUCCESS,
                            "two Receives");
                     until_ms(b.os, 7);
                     b.qp.reset();
                     b.connector.reset();
                     b.os.sleep(1);
                     at_b = poll(b);
                 }});
    CHECK(at_b == Endings{{kReceive, ND_SUCCESS, 1}, {kReceive, ND_SUCCESS, 2}});
}

TEST_CASE("nd2: resizing a completion queue keeps its results", "[R89]") {
    std::vector<HRESULT> statuses;
    Endings results;
    bool offers = false;
    run_nd2(
        [&](HostContext& host, ProgramHost& os) {
            Nd2Party a(host, os, ND_MR_FLAG_ALLOW_LOCAL_WRITE, {.cq_depth = 8});
            const ND2_ADAPTER_INFO info = info_of(a);
            offers = (info.AdapterFlags & ND_ADAPTER_FLAG_CQ_RESIZE_SUPPORTED) != 0;
            Nd2Link link(a);
            make_results(a, link, 1, 6);
            statuses = {a.cq->Resize(2), a.cq->Resize(info.MaxCompletionQueueDepth + 1), a.cq->Resize(32)};
            // With the six that are there these are 30, more than the old queue held.
            for (std::uintptr_t i = 0; i < 3; ++i) {
                Nd2Link more(a);
                make_results(a, more, 7 + 8 * i, 8);
            }
            results = poll(a);
            statuses.push_back(a.cq->Resize(2));
        },
        idle, {"adapter.rounding=exact"});
    CHECK(offers);
    CHECK(statuses == std::vector<HRESULT>{ND_BUFFER_OVERFLOW, ND_INVALID_PARAMETER, ND_SUCCESS, ND_SUCCESS});
    CHECK(results == cancelled(1, 30));
}

// A program that asks for 8 gets a ring of 16, of which one entry stays free.
TEST_CASE("nd2: a depth is rounded up by Resize as at the creation", "[R89][B4]") {
    HRESULT resized = ND_PENDING;
    Endings results;
    run_nd2(
        [&](HostContext& host, ProgramHost& os) {
            Nd2Party a(host, os, ND_MR_FLAG_ALLOW_LOCAL_WRITE, {.cq_depth = 8});
            resized = a.cq->Resize(8);
            Nd2Link link(a);
            make_results(a, link, 1, 8);
            Nd2Link more(a);
            make_results(a, more, 9, 7);
            results = poll(a);
        },
        idle);
    CHECK(resized == ND_SUCCESS);
    CHECK(results == cancelled(1, 15));
}

// B makes its queue larger and smaller while messages come.
TEST_CASE("nd2: resizing under traffic loses and reorders nothing", "[R89]") {
    constexpr std::uintptr_t kMessages = 200;
    Endings at_b;
    std::vector<HRESULT> statuses;
    run_nd2_pair({.program =
                      [](Nd2Party& a, const Nd2Place&) {
                          for (std::uintptr_t i = 0; i < kMessages; ++i) {
                              expect(a.send(64) == ND_SUCCESS && a.next().Status == ND_SUCCESS, "a Send");
                          }
                      }},
                 {.program =
                      [&](Nd2Party& b, const Nd2Place&) {
                          for (std::uintptr_t i = 1; i <= kMessages; ++i) {
                              expect(b.receive(64, context(i)) == ND_SUCCESS, "a Receive");
                          }
                          while (at_b.size() < kMessages) {
                              at_b.push_back(next(b).front());
                              if (at_b.size() % 20 == 0) {
                                  statuses.push_back(b.cq->Resize(at_b.size() % 40 == 0 ? 64 : 128));
                              }
                          }
                      },
                  .sizes = {.receive_depth = 256}});
    CHECK(statuses == std::vector<HRESULT>(10, ND_SUCCESS));
    Endings expected;
    for (std::uintptr_t i = 1; i <= kMessages; ++i) {
        expected.push_back({kReceive, ND_SUCCESS, i});
    }
    CHECK(at_b == expected);
}

TEST_CASE("nd2: an adapter that cannot resize says so", "[R89]") {
    HRESULT status = ND_PENDING;
    bool offers = true;
    run_nd2(
        [&](Nd2Party& a) {
            offers = (info_of(a).AdapterFlags & ND_ADAPTER_FLAG_CQ_RESIZE_SUPPORTED) != 0;
            status = a.cq->Resize(128);
        },
        idle, {"nic.cq.can_resize=false"});
    CHECK_FALSE(offers);
    CHECK(status == ND_NOT_SUPPORTED);
}

// B gives the queue away while its queue pair is connected; nobody can see the results any more.
TEST_CASE("nd2: a queue pair keeps its completion queue, whatever is released first", "[B23]") {
    HRESULT received = ND_PENDING;
    Endings sent;
    HRESULT told = ND_PENDING;
    run_nd2_pair({.program =
                      [&](Nd2Party& a, const Nd2Place&) {
                          Nd2Call ends(a.os);
                          expect(a.connector->NotifyDisconnect(&ends.overlapped) == ND_PENDING, "it is connected");
                          expect(a.send(64, 0, context(1)) == ND_SUCCESS, "a Send");
                          sent = next(a);
                          expect(ends.now(*a.connector.get()) == ND_PENDING, "the connection is up");
                          told = ends.end(*a.connector.get());
                      }},
                 {.program = [&](Nd2Party& b, const Nd2Place&) {
                     b.cq.reset();
                     received = b.receive(64);
                     until_ms(b.os, 8);
                     b.qp.reset();
                     b.os.sleep(1);
                     b.connector.reset();
                 }});
    CHECK(received == ND_SUCCESS);
    CHECK(sent == Endings{{kSend, ND_SUCCESS, 1}});
    CHECK(told == ND_SUCCESS);
}

}  // namespace ndsim::test::nd2_cq_test
