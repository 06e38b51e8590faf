// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndspi/nd2_calls.hpp"

namespace ndsim::test::nd2_posting_test {

TEST_CASE("nd2: a message goes from a program to another", "[R21][R32]") {
    std::vector<ND2_RESULT> sent;
    std::vector<ND2_RESULT> received;
    bool same = false;
    bool knows_its_qp = false;
    run_nd2_pair({.program =
                      [&](Nd2Party& a, const Nd2Place&) {
                          std::memset(a.buffer.data(), 0x5A, 100);
                          expect(a.send(100, 0, context(7)) == ND_SUCCESS, "a Send is posted");
                          sent.push_back(a.next());
                          expect(a.send(60, 0, context(8)) == ND_SUCCESS, "another");
                          sent.push_back(a.next());
                      }},
                 {.program = [&](Nd2Party& b, const Nd2Place&) {
                     expect(b.receive(100, context(9), 4096) == ND_SUCCESS, "it holds exactly the message");
                     expect(b.receive(100, context(10), 8192) == ND_SUCCESS, "this one could hold more");
                     received.push_back(b.next());
                     received.push_back(b.next());
                     same = holds(b, 4096, 100, 0x5A) && holds(b, 8192, 60, 0x5A) && holds(b, 8192 + 60, 40, 0);
                     knows_its_qp = received.front().QueuePairContext == &b;
                 }});
    REQUIRE(sent.size() == 2);
    CHECK(ended(sent[0]) == Ended{kSend, ND_SUCCESS, 7});
    CHECK(ended(sent[1]) == Ended{kSend, ND_SUCCESS, 8});
    REQUIRE(received.size() == 2);
    CHECK(ended(received[0]) == Ended{kReceive, ND_SUCCESS, 9});
    CHECK(received[0].BytesTransferred == 100);
    CHECK(ended(received[1]) == Ended{kReceive, ND_SUCCESS, 10});
    CHECK(received[1].BytesTransferred == 60);
    CHECK(same);
    CHECK(knows_its_qp);
}

TEST_CASE("nd2: without a connection Receives are taken and nothing else is", "[R1][R2][R3][R11]") {
    std::vector<HRESULT> refused;
    HRESULT receive = ND_PENDING;
    Endings results;
    run_nd2(
        [&](Nd2Party& a) {
            Ref<IND2MemoryWindow> window;
            make_window(a, window);
            refused = {a.send(64), a.write(64, a.place()), a.read(64, a.place()),
                       a.qp->Bind(nullptr, a.region.get(), window.get(), a.buffer.data(), 4096, ND_OP_FLAG_ALLOW_READ),
                       a.qp->Invalidate(nullptr, window.get(), 0)};
            receive = a.receive(64);
            a.os.sleep(1);
            results = poll(a);
        },
        idle);
    CHECK(refused == std::vector<HRESULT>(5, ND_CONNECTION_INVALID));
    CHECK(receive == ND_SUCCESS);
    CHECK(results.empty());  // no request was queued but the Receive, for which nothing came
}

// Eight requests of all five kinds fill a queue of depth 8; a slot comes back when its result is retrieved.
TEST_CASE("nd2: requests of all kinds share the initiator queue, which refuses the ninth", "[R4][R10][R11][R58]") {
    std::vector<HRESULT> taken;
    std::vector<HRESULT> refused;
    Endings results;
    run_nd2_pair({.program =
                      [&](Nd2Party& a, const Nd2Place& b) {
                          Ref<IND2MemoryWindow> window;
                          Ref<IND2MemoryWindow> other;
                          make_window(a, window);
                          make_window(a, other);
                          const auto bind = [&](std::uintptr_t request, Ref<IND2MemoryWindow>& which) {
                              return a.qp->Bind(context(request), a.region.get(), which.get(), a.buffer.data(), 4096,
                                                ND_OP_FLAG_ALLOW_READ);
                          };
                          taken = {a.write(64, b, 0, context(1)),
                                   a.send(64, 0, context(2)),
                                   a.read(64, b, 0, context(3)),
                                   bind(4, window),
                                   a.qp->Invalidate(context(5), window.get(), 0),
                                   a.send(64, 0, context(6)),
                                   a.read(64, b, 0, context(7)),
                                   a.write(64, b, 0, context(8))};
                          refused = {a.send(64), a.write(64, b), a.read(64, b), bind(0, other),
                                     a.qp->Invalidate(nullptr, other.get(), 0)};
                          results = next(a, 8);
                          taken.push_back(a.send(64, 0, context(9)));
                          results.push_back(next(a).front());
                          a.os.sleep(1);
                          expect(poll(a).empty(), "there are no results of what was refused");
                      }},
                 {.rights = kRemoteRights, .program = [](Nd2Party& b, const Nd2Place&) {
                      for (int i = 0; i < 3; ++i) {
                          expect(b.receive(64) == ND_SUCCESS, "a Receive for each Send");
                      }
                  }});
    CHECK(taken == std::vector<HRESULT>(9, ND_SUCCESS));
    CHECK(refused == std::vector<HRESULT>(5, ND_NO_MORE_ENTRIES));
    CHECK(results == Endings{{kWrite, ND_SUCCESS, 1},
                             {kSend, ND_SUCCESS, 2},
                             {kRead, ND_SUCCESS, 3},
                             {kBind, ND_SUCCESS, 4},
                             {kInvalidate, ND_SUCCESS, 5},
                             {kSend, ND_SUCCESS, 6},
                             {kRead, ND_SUCCESS, 7},
                             {kWrite, ND_SUCCESS, 8},
                             {kSend, ND_SUCCESS, 9}});
}

// A refused post takes as long as an empty poll, 10 ns, so that another thread can make room meanwhile.
TEST_CASE("nd2: a thread that posts until there is room takes time", "[R4][R10]") {
    int refusals = 0;
    ULONGLONG spent = 0;
    run_nd2_pair({.program =
                      [&](Nd2Party& a, const Nd2Place&) {
                          for (int i = 0; i < 8; ++i) {
                              expect(a.send(64) == ND_SUCCESS, "a Send");
                          }
                          const ULONGLONG begun = a.os.nanoseconds();
                          while (refusals < 100 && a.send(64) == ND_NO_MORE_ENTRIES) {
                              ++refusals;
                          }
                          spent = a.os.nanoseconds() - begun;
                          next(a, 8);
                      }},
                 {.program = [](Nd2Party& b, const Nd2Place&) {
                     for (int i = 0; i < 8; ++i) {
                         expect(b.receive(64) == ND_SUCCESS, "a Receive for each Send");
                     }
                 }});
    CHECK(refusals == 100);
    CHECK(spent >= 100 * 10);
}

TEST_CASE("nd2: the receive queue refuses the ninth Receive, and takes it when one is back", "[R5][R10][R11][R59]") {
    std::vector<HRESULT> posted;
    HRESULT refused = ND_PENDING;
    HRESULT refused_again = ND_PENDING;
    Endings results;
    run_nd2_pair({.program =
                      [](Nd2Party& a, const Nd2Place&) {
                          a.os.sleep(1);
                          for (int i = 0; i < 9; ++i) {
                              expect(a.send(64) == ND_SUCCESS && a.next().Status == ND_SUCCESS, "a Send succeeds");
                          }
                      }},
                 {.program = [&](Nd2Party& b, const Nd2Place&) {
                     for (std::uintptr_t i = 1; i <= 8; ++i) {
                         posted.push_back(b.receive(64, context(i)));
                     }
                     refused = b.receive(64, context(99));
                     results = next(b);  // which frees a slot
                     posted.push_back(b.receive(64, context(9)));
                     refused_again = b.receive(64, context(99));
                     const Endings rest = next(b, 8);
                     results.insert(results.end(), rest.begin(), rest.end());
                     b.os.sleep(1);
                     expect(poll(b).empty(), "there are no results of what was refused");
                 }});
    CHECK(posted == std::vector<HRESULT>(9, ND_SUCCESS));
    CHECK(refused == ND_NO_MORE_ENTRIES);
    CHECK(refused_again == ND_NO_MORE_ENTRIES);
    Endings expected;
    for (std::uintptr_t i = 1; i <= 9; ++i) {
        expected.push_back({kReceive, ND_SUCCESS, i});
    }
    CHECK(results == expected);
}

// Created for two, without rounding: a third is too many, and then a list of two goes.
TEST_CASE("nd2: a list of more pieces than the queue pair was created for is refused", "[R6][R7][R10][R11]") {
    std::vector<HRESULT> refused;
    HRESULT receive_refused = ND_PENDING;
    Endings results;
    Endings at_b;
    run_nd2_pair({.program =
                      [&](Nd2Party& a, const Nd2Place& b) {
                          const std::array<ND2_SGE, 3> three{a.piece(8), a.piece(8, 64), a.piece(8, 128)};
                          refused = {a.qp->Send(nullptr, three.data(), 3, 0),
                                     a.qp->Write(nullptr, three.data(), 3, b.address, b.token, 0),
                                     a.qp->Read(nullptr, three.data(), 3, b.address, b.token, 0)};
                          expect(a.qp->Send(context(1), three.data(), 2, 0) == ND_SUCCESS, "two may be sent");
                          expect(a.qp->Write(context(2), three.data(), 2, b.address, b.token, 0) == ND_SUCCESS &&
                                     a.qp->Read(context(3), three.data(), 2, b.address, b.token, 0) == ND_SUCCESS,
                                 "two may be written and read");
                          results = next(a, 3);
                          a.os.sleep(1);
                          expect(poll(a).empty(), "there are no results of what was refused");
                      }},
                 {.rights = kRemoteRights,
                  .program =
                      [&](Nd2Party& b, const Nd2Place&) {
                          const std::array<ND2_SGE, 3> three{b.piece(8), b.piece(8, 64), b.piece(8, 128)};
                          receive_refused = b.qp->Receive(nullptr, three.data(), 3);
                          expect(b.qp->Receive(context(4), three.data(), 2) == ND_SUCCESS, "two may be received");
                          at_b = next(b);
                      }},
                 {"adapter.rounding=exact"});
    CHECK(refused == std::vector<HRESULT>(3, ND_DATA_OVERRUN));
    CHECK(receive_refused == ND_DATA_OVERRUN);
    CHECK(results == Endings{{kSend, ND_SUCCESS, 1}, {kWrite, ND_SUCCESS, 2}, {kRead, ND_SUCCESS, 3}});
    CHECK(at_b == Endings{{kReceive, ND_SUCCESS, 4}});
}

// Two pieces of half the maximum and a byte each are more than it, for a maximum that is odd or even.
TEST_CASE("nd2: more bytes than MaxTransferLength are refused", "[R8][R9][R10][R11]") {
    std::vector<HRESULT> refused;
    HRESULT receive_refused = ND_PENDING;
    HRESULT receive_of_maximum = ND_PENDING;
    Endings results;
    const auto too_much = [](Nd2Party& party) {
        const ULONG half = info_of(party).MaxTransferLength / 2 + 1;
        return std::array<ND2_SGE, 2>{party.piece(half), party.piece(half)};
    };
    run_nd2_pair({.program =
                      [&](Nd2Party& a, const Nd2Place& b) {
                          const std::array<ND2_SGE, 2> list = too_much(a);
                          refused = {a.qp->Send(nullptr, list.data(), 2, 0),
                                     a.qp->Write(nullptr, list.data(), 2, b.address, b.token, 0),
                                     a.qp->Read(nullptr, list.data(), 2, b.address, b.token, 0)};
                          expect(a.send(64, 0, context(1)) == ND_SUCCESS, "a short one goes");
                          results = next(a);
                          a.os.sleep(1);
                          expect(poll(a).empty(), "there are no results of what was refused");
                      }},
                 {.rights = kRemoteRights, .program = [&](Nd2Party& b, const Nd2Place&) {
                      const std::array<ND2_SGE, 2> list = too_much(b);
                      receive_refused = b.qp->Receive(nullptr, list.data(), 2);
                      expect(b.receive(64) == ND_SUCCESS, "a short one goes");
                      // Pieces of a Receive are not looked at before it is used (R31), so this one may be too long.
                      receive_of_maximum = b.receive(info_of(b).MaxTransferLength);
                  }});
    CHECK(refused == std::vector<HRESULT>(3, ND_BUFFER_OVERFLOW));
    CHECK(receive_refused == ND_BUFFER_OVERFLOW);
    CHECK(receive_of_maximum == ND_SUCCESS);
    CHECK(results == Endings{{kSend, ND_SUCCESS, 1}});
}

// No flag has the values 0x40 and 0x80000000.
TEST_CASE("nd2: Send and Write refuse flags that do not exist", "[R14][R10][R11]") {
    std::vector<HRESULT> sends;
    std::vector<HRESULT> writes;
    Endings results;
    run_nd2_pair({.program =
                      [&](Nd2Party& a, const Nd2Place& b) {
                          for (const ULONG flag : {0x40U, 0x80000000U}) {
                              sends.push_back(a.send(64, flag));
                              sends.push_back(a.send(64, flag | ND_OP_FLAG_READ_FENCE));
                              writes.push_back(a.write(64, b, flag));
                          }
                          expect(a.write(64, b, ND_OP_FLAG_READ_FENCE, context(1)) == ND_SUCCESS, "a flag that exists");
                          results = next(a);
                          a.os.sleep(1);
                          expect(poll(a).empty(), "there are no results of what was refused");
                      }},
                 {.rights = kRemoteRights});
    CHECK(sends == std::vector<HRESULT>(4, ND_INVALID_PARAMETER_4));
    CHECK(writes == std::vector<HRESULT>(2, ND_INVALID_PARAMETER_6));
    CHECK(results == Endings{{kWrite, ND_SUCCESS, 1}});
}

}  // namespace ndsim::test::nd2_posting_test
