// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndspi/nd2_calls.hpp"

namespace ndsim::test::nd2_limits_test {

// Arguments of CreateQueuePair, all of them within the limits.
struct QpSizes {
    ULONG receive_depth = 1;
    ULONG initiator_depth = 1;
    ULONG receive_sges = 1;
    ULONG initiator_sges = 1;
    ULONG inline_bytes = 0;
};

HRESULT create_qp(Nd2Party& party, IUnknown* receive_cq, IUnknown* initiator_cq, const QpSizes& sizes) {
    Ref<IND2QueuePair> qp;
    return party.adapter->CreateQueuePair(IID_IND2QueuePair, receive_cq, initiator_cq, nullptr, sizes.receive_depth,
                                          sizes.initiator_depth, sizes.receive_sges, sizes.initiator_sges,
                                          sizes.inline_bytes, qp.out());
}

HRESULT create_cq(Nd2Party& party, ULONG depth) {
    Ref<IND2CompletionQueue> cq;
    return party.adapter->CreateCompletionQueue(IID_IND2CompletionQueue, party.file, depth, 0, 0, cq.out());
}

TEST_CASE("nd2: the adapter has the limits that programs rely on", "[B1][B2][B6][B7][B8]") {
    ND2_ADAPTER_INFO info{};
    run_nd2([&](Nd2Party& a) { info = info_of(a); }, idle);
    CHECK((info.MaxReceiveQueueDepth % 2 == 1 || info.MaxReceiveQueueDepth > 5300));
    CHECK(info.MaxInitiatorQueueDepth >= info.MaxReceiveQueueDepth);
    CHECK(info.MaxCallerData >= 56);
    CHECK(info.MaxCalleeData >= 196);
    CHECK(info.InlineRequestThreshold <= info.MaxInlineDataSize);
    CHECK((info.AdapterFlags & ND_ADAPTER_FLAG_IN_ORDER_DMA_SUPPORTED) != 0);
    CHECK(info.MaxReadSge <= info.MaxInitiatorSge);  // ndspi.md 2.3
}

// What takes one depth for both queues must be seen to fail.
TEST_CASE("nd2: an adapter may have a smaller send queue than receive queue", "[B2][limit]") {
    ND2_ADAPTER_INFO info{};
    std::vector<HRESULT> statuses;
    run_nd2(
        [&](HostContext& host, ProgramHost& os) {
            Nd2Party a(host, os, ND_MR_FLAG_ALLOW_LOCAL_WRITE, {.initiator_depth = 4});
            info = info_of(a);
            statuses = {create_qp(a, a.cq.get(), a.cq.get(), {.receive_depth = 65, .initiator_depth = 64}),
                        create_qp(a, a.cq.get(), a.cq.get(), {.receive_depth = 65, .initiator_depth = 65})};
        },
        idle, {"adapter.max_initiator_depth=64", "nic.sq.depth=64"});
    CHECK(info.MaxInitiatorQueueDepth == 64);
    CHECK(info.MaxReceiveQueueDepth > 64);
    CHECK(statuses == std::vector<HRESULT>{ND_SUCCESS, ND_INVALID_PARAMETER_6});
}

TEST_CASE("nd2: a query with too little room gives the size and nothing else") {
    HRESULT too_small = ND_PENDING;
    HRESULT unasked = ND_PENDING;
    HRESULT exact = ND_PENDING;
    ULONG needed = sizeof(ND2_ADAPTER_INFO) - 1;
    ULONG needed_by_none = 0;
    bool untouched = false;
    run_nd2(
        [&](Nd2Party& a) {
            ND2_ADAPTER_INFO info{};
            info.InfoVersion = 1;
            info.MaxCallerData = 12345;
            too_small = a.adapter->Query(&info, &needed);
            untouched = info.MaxCallerData == 12345 && info.MaxReceiveSge == 0;
            unasked = a.adapter->Query(nullptr, &needed_by_none);
            ULONG size = sizeof info;
            exact = a.adapter->Query(&info, &size);
        },
        idle);
    CHECK(too_small == ND_BUFFER_OVERFLOW);
    CHECK(needed >= sizeof(ND2_ADAPTER_INFO));
    CHECK(untouched);
    CHECK(unasked == ND_BUFFER_OVERFLOW);
    CHECK(needed_by_none == needed);
    CHECK(exact == ND_SUCCESS);
}

TEST_CASE("nd2: a queue pair may have each limit, and one more is refused by its place", "[R16]") {
    std::vector<HRESULT> at_limit;
    std::vector<HRESULT> beyond;
    run_nd2(
        [&](Nd2Party& a) {
            const ND2_ADAPTER_INFO info = info_of(a);
            const std::array<std::pair<ULONG QpSizes::*, ULONG>, 5> limits{{
                {&QpSizes::receive_depth, info.MaxReceiveQueueDepth},
                {&QpSizes::initiator_depth, info.MaxInitiatorQueueDepth},
                {&QpSizes::receive_sges, info.MaxReceiveSge},
                {&QpSizes::initiator_sges, info.MaxInitiatorSge},
                {&QpSizes::inline_bytes, info.MaxInlineDataSize},
            }};
            for (const auto& [size, limit] : limits) {
                QpSizes sizes;
                sizes.*size = limit;
                at_limit.push_back(create_qp(a, a.cq.get(), a.cq.get(), sizes));
                sizes.*size = limit + 1;
                beyond.push_back(create_qp(a, a.cq.get(), a.cq.get(), sizes));
            }
        },
        idle);
    CHECK(at_limit == std::vector<HRESULT>(5, ND_SUCCESS));
    CHECK(beyond == std::vector<HRESULT>{ND_INVALID_PARAMETER_5, ND_INVALID_PARAMETER_6, ND_INVALID_PARAMETER_7,
                                         ND_INVALID_PARAMETER_8, ND_INVALID_PARAMETER_9});
}

// What is no completion queue of this adapter: nothing, another kind of object, a queue of another adapter object.
TEST_CASE("nd2: a queue pair needs two completion queues of its adapter", "[R16]") {
    std::vector<HRESULT> bad_receive;
    std::vector<HRESULT> bad_initiator;
    run_nd2(
        [&](Nd2Party& a) {
            Nd2Party other(a.host, a.os);
            for (IUnknown* const bad : {static_cast<IUnknown*>(nullptr), static_cast<IUnknown*>(a.region.get()),
                                        static_cast<IUnknown*>(other.cq.get())}) {
                bad_receive.push_back(create_qp(a, bad, a.cq.get(), {}));
                bad_initiator.push_back(create_qp(a, a.cq.get(), bad, {}));
            }
        },
        idle);
    CHECK(bad_receive == std::vector<HRESULT>(3, ND_INVALID_PARAMETER_2));
    CHECK(bad_initiator == std::vector<HRESULT>(3, ND_INVALID_PARAMETER_3));
}

TEST_CASE("nd2: a completion queue may be as deep as the limit, neither deeper nor of no depth", "[R17]") {
    std::vector<HRESULT> statuses;
    run_nd2(
        [&](Nd2Party& a) {
            const ULONG limit = info_of(a).MaxCompletionQueueDepth;
            statuses = {create_cq(a, 0), create_cq(a, 1), create_cq(a, limit), create_cq(a, limit + 1)};
        },
        idle);
    CHECK(statuses == std::vector<HRESULT>{ND_INVALID_PARAMETER_3, ND_SUCCESS, ND_SUCCESS, ND_INVALID_PARAMETER_3});
}

// A unit of 64 bytes holds what controls the request and three pieces, two of a Read or Write, which name remote memory
// as well; so for one piece the queue has units for three and two.
TEST_CASE("nd2: a queue pair created for one piece takes as many as its units hold", "[B3]") {
    std::vector<HRESULT> taken;
    std::vector<HRESULT> refused;
    Endings results;
    Endings at_b;
    bool in_place = false;
    const Nd2Sizes one{.sges = 1};
    run_nd2_pair(
        {.program =
             [&](Nd2Party& a, const Nd2Place& b) {
                 std::memset(a.buffer.data(), 0x5A, 256);
                 const std::array<ND2_SGE, 4> list{a.piece(8), a.piece(8, 64), a.piece(8, 128), a.piece(8, 192)};
                 refused = {a.qp->Send(nullptr, list.data(), 4, 0),
                            a.qp->Write(nullptr, list.data(), 3, b.address, b.token, 0),
                            a.qp->Read(nullptr, list.data(), 3, b.address, b.token, 0)};
                 taken = {a.qp->Send(context(1), list.data(), 3, 0),
                          a.qp->Write(context(2), list.data(), 2, b.address, b.token, 0),
                          a.qp->Read(context(3), list.data(), 2, b.address, b.token, 0)};
                 results = next(a, 3);
             },
         .sizes = one},
        {.rights = kRemoteRights,
         .program =
             [&](Nd2Party& b, const Nd2Place&) {
                 const std::array<ND2_SGE, 2> two{b.piece(8, 4096), b.piece(16, 8192)};
                 expect(b.qp->Receive(context(4), two.data(), 2) == ND_SUCCESS, "two pieces of a Receive");
                 at_b = next(b);
                 in_place = holds(b, 4096, 8, 0x5A) && holds(b, 8192, 16, 0x5A);
             },
         .sizes = one});
    CHECK(taken == std::vector<HRESULT>(3, ND_SUCCESS));
    CHECK(refused == std::vector<HRESULT>(3, ND_DATA_OVERRUN));
    CHECK(results == Endings{{kSend, ND_SUCCESS, 1}, {kWrite, ND_SUCCESS, 2}, {kRead, ND_SUCCESS, 3}});
    CHECK(at_b == Endings{{kReceive, ND_SUCCESS, 4}});
    CHECK(in_place);
}

// Seven were asked for; the eighth result still fits. After an overrun a Notify would end with an error (R75).
TEST_CASE("nd2: a completion queue holds one result more than was asked for", "[B4]") {
    Endings results;
    HRESULT later = ND_SUCCESS;
    run_nd2(
        [&](HostContext& host, ProgramHost& os) {
            Nd2Party a(host, os, ND_MR_FLAG_ALLOW_LOCAL_WRITE, {.cq_depth = 7});
            for (std::uintptr_t i = 1; i <= 8; ++i) {
                expect(a.receive(64, context(i)) == ND_SUCCESS, "a Receive");
            }
            expect(a.qp->Flush() == ND_SUCCESS, "each of them makes a result");
            os.sleep(1);
            results = poll(a);
            Nd2Call call(os);
            expect(a.cq->Notify(ND_CQ_NOTIFY_ANY, &call.overlapped) == ND_PENDING, "a Notify");
            os.sleep(1);
            later = call.now(*a.cq.get());
            expect(a.cq->CancelOverlappedRequests() == ND_SUCCESS, "it is over");
        },
        idle);
    Endings expected;
    for (std::uintptr_t i = 1; i <= 8; ++i) {
        expected.push_back({kReceive, ND_CANCELED, i});
    }
    CHECK(results == expected);
    CHECK(later == ND_PENDING);
}

TEST_CASE("nd2: a completion queue of two serves a queue pair of 64", "[B5]") {
    Endings at_a;
    const Nd2Sizes sizes{.cq_depth = 2, .receive_depth = 64, .initiator_depth = 64};
    run_nd2_pair({.program =
                      [&](Nd2Party& a, const Nd2Place&) {
                          for (std::uintptr_t i = 1; i <= 64; ++i) {
                              expect(a.send(64, 0, context(i)) == ND_SUCCESS, "a Send");
                              at_a.push_back(next(a).front());
                          }
                      },
                  .sizes = sizes},
                 {.program =
                      [&](Nd2Party& b, const Nd2Place&) {
                          for (int i = 0; i < 64; ++i) {
                              expect(b.receive(64) == ND_SUCCESS, "64 Receives are taken");
                          }
                          for (int i = 0; i < 64; ++i) {
                              expect(next(b).front().status == ND_SUCCESS, "a message comes");
                          }
                      },
                  .sizes = sizes});
    REQUIRE(at_a.size() == 64);
    CHECK(std::all_of(at_a.begin(), at_a.end(), [](const Ended& each) { return each.status == ND_SUCCESS; }));
}

}  // namespace ndsim::test::nd2_limits_test
