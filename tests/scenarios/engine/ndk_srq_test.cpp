// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <memory>
#include <vector>

#include "tests/scenarios/engine/child.hpp"
#include "tests/scenarios/engine/ndk_calls.hpp"

using namespace ndsim;
using namespace ndsim::test;
using namespace std::chrono_literals;

namespace {

constexpr USHORT kPort = 4000;

// Counts the callbacks of an SRQ.
struct Notifications {
    static void notify(PVOID context, NTSTATUS status) {
        auto& self = *static_cast<Notifications*>(context);
        expect(status == STATUS_SUCCESS, "nothing is broken");
        ++self.count;
    }
    int count = 0;
};

// A host's objects: an adapter, a PD, and what the tests make of them. Messages have no bytes.
struct Party {
    explicit Party(HostContext& context) : host(context) {
        expect(host.open_adapter({2, 1}, &adapter) == STATUS_SUCCESS, "the adapter opens");
        pd = new_pd();
    }
    NDK_PD* new_pd() const {
        NDK_PD* made = nullptr;
        expect(adapter->Dispatch->NdkCreatePd(adapter, nullptr, nullptr, &made) == STATUS_SUCCESS, "a PD");
        return made;
    }
    NDK_ADAPTER_INFO info() const {
        NDK_ADAPTER_INFO result{};
        ULONG size = sizeof result;
        expect(adapter->Dispatch->NdkQueryAdapterInfo(adapter, &result, &size) == STATUS_SUCCESS, "info");
        return result;
    }
    NDK_CQ* new_cq() const {
        Call call(host);
        expect(call.wait(adapter->Dispatch->NdkCreateCq(adapter, 64, nullptr, nullptr, nullptr, Call::created, &call,
                                                        nullptr)) == STATUS_SUCCESS,
               "a CQ");
        return reinterpret_cast<NDK_CQ*>(call.object);
    }
    NDK_SRQ* new_srq(ULONG depth, ULONG threshold = 0) {
        Call call(host);
        expect(call.wait(pd->Dispatch->NdkCreateSrq(pd, depth, 1, threshold, Notifications::notify, &notifications,
                                                    nullptr, Call::created, &call, nullptr)) == STATUS_SUCCESS,
               "an SRQ");
        return reinterpret_cast<NDK_SRQ*>(call.object);
    }
    // With queues of its own if `srq` is null.
    NDK_QP* new_qp(NDK_CQ* cq, NDK_SRQ* srq, PVOID context = nullptr) const {
        Call call(host);
        const NTSTATUS status =
            srq == nullptr
                ? pd->Dispatch->NdkCreateQp(pd, cq, cq, context, 0, 64, 0, 0, 0, Call::created, &call, nullptr)
                : pd->Dispatch->NdkCreateQpWithSrq(pd, cq, cq, srq, context, 64, 0, 0, Call::created, &call, nullptr);
        expect(call.wait(status) == STATUS_SUCCESS, "a QP");
        return reinterpret_cast<NDK_QP*>(call.object);
    }
    NTSTATUS modify(NDK_SRQ* srq, ULONG depth, ULONG threshold) const {
        Call call(host);
        return call.wait(srq->Dispatch->NdkModifySrq(srq, depth, threshold, Call::done, &call));
    }
    void connect(NDK_QP* qp, USHORT port) const {
        NDK_CONNECTOR* connector = nullptr;
        expect(adapter->Dispatch->NdkCreateConnector(adapter, nullptr, nullptr, &connector) == STATUS_SUCCESS,
               "a connector");
        sockaddr_in from = host.address("");
        sockaddr_in to = host.address("B");
        to.sin_port = htons(port);
        NTSTATUS status = STATUS_CONNECTION_REFUSED;
        while (status == STATUS_CONNECTION_REFUSED) {
            Call call(host);
            status = call.wait(connector->Dispatch->NdkConnect(connector, qp, reinterpret_cast<PSOCKADDR>(&from),
                                                               sizeof from, reinterpret_cast<PSOCKADDR>(&to), sizeof to,
                                                               0, 0, nullptr, 0, Call::done, &call));
            host.sleep(10us);
        }
        expect(status == STATUS_SUCCESS, "a connection");
        Call call(host);
        expect(call.wait(connector->Dispatch->NdkCompleteConnect(connector, nullptr, nullptr, Call::done, &call)) ==
                   STATUS_SUCCESS,
               "the connection is complete");
    }
    NDK_CONNECTOR* accept(NDK_QP* qp, USHORT port) const {
        struct Incoming {
            HostEvent event;
            NDK_CONNECTOR* connector = nullptr;
        } incoming{HostEvent(host)};
        const auto arrived = [](PVOID context, NDK_CONNECTOR* connector) {
            static_cast<Incoming*>(context)->connector = connector;
            static_cast<Incoming*>(context)->event.signal();
        };
        NDK_LISTENER* listener = nullptr;
        expect(adapter->Dispatch->NdkCreateListener(adapter, arrived, &incoming, nullptr, nullptr, &listener) ==
                   STATUS_SUCCESS,
               "a listener");
        sockaddr_in local = host.address("");
        local.sin_port = htons(port);
        Call listening(host);
        expect(listening.wait(listener->Dispatch->NdkListen(listener, reinterpret_cast<PSOCKADDR>(&local), sizeof local,
                                                            Call::done, &listening)) == STATUS_SUCCESS,
               "it listens");
        incoming.event.wait("A to connect");
        Call call(host);
        NDK_CONNECTOR* const connector = incoming.connector;
        expect(call.wait(connector->Dispatch->NdkAccept(connector, qp, 0, 0, nullptr, 0, nullptr, nullptr, Call::done,
                                                        &call)) == STATUS_SUCCESS,
               "a connection");
        return connector;
    }
    NDK_RESULT poll(NDK_CQ* cq) const {
        NDK_RESULT result{};
        for (int polls = 0; cq->Dispatch->NdkGetCqResults(cq, &result, 1) == 0; ++polls) {
            expect(polls < 10'000, "a completion comes");
        }
        return result;
    }

    HostContext& host;
    NDK_ADAPTER* adapter = nullptr;
    NDK_PD* pd = nullptr;
    Notifications notifications;
};

NTSTATUS post(NDK_SRQ* srq, PVOID context = nullptr) {
    return srq->Dispatch->NdkSrqReceive(srq, context, nullptr, 0);
}

void run(HostProgram a, HostProgram b, const std::vector<std::string>& overrides = {}) {
    RunOptions options;
    options.programs = {{"A", std::move(a)}, {"B", std::move(b)}};
    const ChildResult run = run_text(R"({"hosts": {"A": {}, "B": {}}})", overrides, options);
    INFO(run.why);
    CHECK(run.ended);
    CHECK(run.outcome == RunOutcome::finished);
}
void run_on_a(const HostProgram& program, const std::vector<std::string>& overrides = {}) {
    run(
        program, [](HostContext&) {}, overrides);
}

// A sends messages of no bytes on two queue pairs, those of `order` (0 or 1), the n-th of them at 1 ms + n x 100 us.
HostProgram sender(std::vector<int> order) {
    return [order = std::move(order)](HostContext& host) {
        const Party party(host);
        NDK_CQ* const cq = party.new_cq();
        std::array<NDK_QP*, 2> qps{};
        for (std::size_t i = 0; i < qps.size(); ++i) {
            qps.at(i) = party.new_qp(cq, nullptr);
            party.connect(qps.at(i), static_cast<USHORT>(kPort + i));
        }
        Picoseconds when = 1ms;
        for (const int each : order) {
            host.sleep(when - host.clock());
            NDK_QP* const qp = qps.at(static_cast<std::size_t>(each));
            expect(qp->Dispatch->NdkSend(qp, nullptr, nullptr, 0, 0) == STATUS_SUCCESS, "a Send");
            when += 100us;
        }
        for (std::size_t i = 0; i < order.size(); ++i) {
            expect(party.poll(cq).Status == STATUS_SUCCESS, "each Send succeeds");
        }
    };
}

}  // namespace

TEST_CASE("ndk srq: limits of creation", "[K21]") {
    run_on_a(
        [](HostContext& host) {
            Party party(host);
            const NDK_ADAPTER_INFO info = party.info();
            expect(info.MaxSrqDepth == 100, "as the parameter says");
            const auto create = [&](ULONG depth, ULONG sges) {
                Call call(host);
                return call.wait(party.pd->Dispatch->NdkCreateSrq(party.pd, depth, sges, 0, nullptr, nullptr, nullptr,
                                                                  Call::created, &call, nullptr));
            };
            expect(create(100, info.MaxReceiveRequestSge) == STATUS_SUCCESS, "both at their limits");
            expect(create(101, 1) == STATUS_INVALID_PARAMETER, "depth");
            expect(create(1, info.MaxReceiveRequestSge + 1) == STATUS_INVALID_PARAMETER, "SGEs");
            expect(create(0, 1) == STATUS_INVALID_PARAMETER, "a depth of 0");
            NDK_SRQ* const srq = party.new_srq(4);
            expect(srq->Header.ObjectType == NdkObjectTypeSrq && srq->Header.Version.Major == 2, "K8");
            NDK_CQ* const cq = party.new_cq();
            const auto create_qp = [&](NDK_PD* pd, ULONG depth, ULONG initiator_sges, ULONG inlined) {
                Call call(host);
                return call.wait(pd->Dispatch->NdkCreateQpWithSrq(pd, cq, cq, srq, nullptr, depth, initiator_sges,
                                                                  inlined, Call::created, &call, nullptr));
            };
            expect(create_qp(party.pd, info.MaxInitiatorQueueDepth + 1, 1, 0) == STATUS_INVALID_PARAMETER, "QP depth");
            expect(create_qp(party.pd, 0, 1, 0) == STATUS_INVALID_PARAMETER, "a QP depth of 0");
            expect(create_qp(party.pd, 1, info.MaxInitiatorRequestSge + 1, 0) == STATUS_INVALID_PARAMETER, "QP's SGEs");
            expect(create_qp(party.pd, 1, 1, info.MaxInlineDataSize + 1) == STATUS_INVALID_PARAMETER, "inline data");
            expect(create_qp(party.new_pd(), 1, 1, 0) == STATUS_INVALID_PARAMETER, "an SRQ of another PD");
            expect(create_qp(party.pd, info.MaxInitiatorQueueDepth, info.MaxInitiatorRequestSge,
                             info.MaxInlineDataSize) == STATUS_SUCCESS,
                   "all three at their limits");
        },
        {"nic.srq.max_depth=100"});
}

TEST_CASE("ndk srq: an adapter without shared receive queues creates none", "[K21]") {
    run_on_a(
        [](HostContext& host) {
            const Party party(host);
            expect(party.info().MaxSrqDepth == 0, "none");
            expect(party.pd->Dispatch->NdkCreateSrq(party.pd, 1, 1, 0, nullptr, nullptr, nullptr, Call::created,
                                                    nullptr, nullptr) == STATUS_NOT_SUPPORTED,
                   "not supported");
        },
        {"nic.srq.max_depth=0"});
}

TEST_CASE("ndk srq: posts", "[K28][K29][K33][K198]") {
    run_on_a([](HostContext& host) {
        Party party(host);
        NDK_SRQ* const srq = party.new_srq(3);
        NDK_QP* const qp = party.new_qp(party.new_cq(), srq);
        expect(qp->Dispatch->NdkReceive(qp, nullptr, nullptr, 0) == STATUS_INVALID_DEVICE_REQUEST,
               "the QP has no receive queue");
        const std::array<NDK_SGE, 2> sgl{};
        expect(srq->Dispatch->NdkSrqReceive(srq, nullptr, sgl.data(), 2) == STATUS_DATA_OVERRUN,
               "one SGE is the limit");
        expect(srq->Dispatch->NdkSrqReceive(srq, nullptr, nullptr, 1) == STATUS_INVALID_PARAMETER, "no list");
        expect(srq->Dispatch->NdkSrqReceive(srq, nullptr, sgl.data(), 1) == STATUS_SUCCESS, "one SGE");
        expect(post(srq) == STATUS_SUCCESS && post(srq) == STATUS_SUCCESS, "three are the limit, not a power of two");
        expect(post(srq) == STATUS_NO_MORE_ENTRIES, "the SRQ is full");
    });
}

TEST_CASE("ndk srq: modified to another depth", "[K28][K193]") {
    run_on_a([](HostContext& host) {
        Party party(host);
        NDK_SRQ* const srq = party.new_srq(4);
        for (int i = 0; i < 4; ++i) {
            expect(post(srq) == STATUS_SUCCESS, "four fit");
        }
        expect(party.modify(srq, party.info().MaxSrqDepth + 1, 0) == STATUS_INVALID_PARAMETER, "over the limit");
        expect(party.modify(srq, 3, 0) == STATUS_BUFFER_OVERFLOW, "fewer than are queued");
        expect(post(srq) == STATUS_NO_MORE_ENTRIES, "the depth is still four");
        expect(party.modify(srq, 0, 0) == STATUS_SUCCESS, "nothing changes");
        expect(post(srq) == STATUS_NO_MORE_ENTRIES, "nothing has changed");
        expect(party.modify(srq, 6, 0) == STATUS_SUCCESS, "six");
        expect(post(srq) == STATUS_SUCCESS && post(srq) == STATUS_SUCCESS, "two more fit");
        expect(post(srq) == STATUS_NO_MORE_ENTRIES, "seven do not");
        expect(party.modify(srq, 0, 1) == STATUS_SUCCESS, "a threshold alone");
        expect(post(srq) == STATUS_NO_MORE_ENTRIES, "keeps the depth");
        // While a smaller depth is on its way, as while a larger one is, the smaller of both holds.
        Call call(host);
        expect(srq->Dispatch->NdkModifySrq(srq, 20, 0, Call::done, &call) == STATUS_PENDING, "twenty");
        expect(post(srq) == STATUS_NO_MORE_ENTRIES, "not yet");
        call.event.wait("the change");
        expect(call.callbacks == 1 && call.status == STATUS_SUCCESS, "K16");
        expect(post(srq) == STATUS_SUCCESS, "now");
    });
}

TEST_CASE("ndk srq: a threshold that more than are queued arms calls back at once, each time", "[K191][K192][K195]") {
    run_on_a([](HostContext& host) {
        Party party(host);
        NDK_SRQ* const srq = party.new_srq(8, 2);
        const auto callbacks = [&] {
            host.sleep(100us);
            return std::exchange(party.notifications.count, 0);
        };
        expect(callbacks() == 0, "it is new and empty");
        expect(post(srq) == STATUS_SUCCESS && party.modify(srq, 0, 2) == STATUS_SUCCESS, "two, and one is queued");
        expect(callbacks() == 1, "fewer than the threshold");
        expect(party.modify(srq, 0, 2) == STATUS_SUCCESS && callbacks() == 1, "once more");
        // The post's doorbell and the command go different ways; the post comes first all the same.
        expect(post(srq) == STATUS_SUCCESS && party.modify(srq, 0, 2) == STATUS_SUCCESS, "two are queued");
        expect(callbacks() == 0, "as many as the threshold");
        expect(party.modify(srq, 0, 0) == STATUS_SUCCESS && callbacks() == 0, "0 changes nothing (K193)");
    });
}

TEST_CASE("ndk srq: an SRQ without a callback is armed to no effect", "[K191]") {
    run_on_a([](HostContext& host) {
        const Party party(host);
        Call call(host);
        expect(call.wait(party.pd->Dispatch->NdkCreateSrq(party.pd, 4, 1, 4, nullptr, nullptr, nullptr, Call::created,
                                                          &call, nullptr)) == STATUS_SUCCESS,
               "an SRQ");
        expect(party.modify(reinterpret_cast<NDK_SRQ*>(call.object), 0, 4) == STATUS_SUCCESS, "armed");
        host.sleep(100us);
    });
}

TEST_CASE("ndk srq: closed before its QP it waits for that, and the PD for both", "[K17][K200]") {
    run_on_a([](HostContext& host) {
        Party party(host);
        NDK_SRQ* const srq = party.new_srq(4);
        NDK_CQ* const cq = party.new_cq();
        NDK_QP* const qp = party.new_qp(cq, srq);
        expect(post(srq) == STATUS_SUCCESS, "a receive that nobody takes");
        Call pd_call(host);
        Call srq_call(host);
        Call qp_call(host);
        expect(party.pd->Dispatch->NdkClosePd(&party.pd->Header, Call::closed, &pd_call) == STATUS_PENDING, "PD");
        expect(srq->Dispatch->NdkCloseSrq(&srq->Header, Call::closed, &srq_call) == STATUS_PENDING, "SRQ");
        host.sleep(100us);
        expect(srq_call.callbacks == 0 && pd_call.callbacks == 0, "both wait for the QP");
        qp_call.wait(qp->Dispatch->NdkCloseQp(&qp->Header, Call::closed, &qp_call));
        srq_call.event.wait("the SRQ to close");
        pd_call.event.wait("the PD to close");
        expect(srq_call.callbacks == 1 && pd_call.callbacks == 1, "both are closed, once");
        Call cq_call(host);
        cq_call.wait(cq->Dispatch->NdkCloseCq(&cq->Header, Call::closed, &cq_call));
        host.close_adapter(party.adapter);
    });
}

TEST_CASE("ndk srq: a close waits for a change that is under way", "[K202]") {
    run_on_a([](HostContext& host) {
        Party party(host);
        NDK_SRQ* const srq = party.new_srq(4);
        Call change(host);
        Call close(host);
        expect(srq->Dispatch->NdkModifySrq(srq, 8, 0, Call::done, &change) == STATUS_PENDING, "a change");
        expect(srq->Dispatch->NdkCloseSrq(&srq->Header, Call::closed, &close) == STATUS_PENDING, "the close pends");
        close.event.wait("the SRQ to close");
        expect(change.callbacks == 1 && close.callbacks == 1, "the change was told first");
        // Alone, it is closed at once.
        NDK_SRQ* const other = party.new_srq(4);
        expect(other->Dispatch->NdkCloseSrq(&other->Header, Call::closed, &close) == STATUS_SUCCESS, "no callback");
        expect(close.callbacks == 1, "none");
    });
}

TEST_CASE("ndk srq: receives complete on the queue pair that took them, with their own context", "[K34][K196]") {
    run(sender({1, 0, 1, 1, 0}), [](HostContext& host) {
        Party party(host);
        NDK_SRQ* const srq = party.new_srq(5);
        std::array<int, 5> requests{};
        for (int& request : requests) {
            expect(post(srq, &request) == STATUS_SUCCESS, "five fit");
        }
        std::array<NDK_CQ*, 2> cqs{party.new_cq(), party.new_cq()};
        std::array<int, 2> contexts{};
        for (std::size_t i = 0; i < 2; ++i) {
            party.accept(party.new_qp(cqs.at(i), srq, &contexts.at(i)), static_cast<USHORT>(kPort + i));
        }
        host.sleep(2ms - host.clock());  // all five have come
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
    run(sender({0, 1, 0, 1}), [](HostContext& host) {
        Party party(host);
        NDK_SRQ* const srq = party.new_srq(8, 3);
        for (int i = 0; i < 5; ++i) {
            expect(post(srq) == STATUS_SUCCESS, "a receive");
        }
        NDK_CQ* const cq = party.new_cq();
        for (std::size_t i = 0; i < 2; ++i) {
            party.accept(party.new_qp(cq, srq), static_cast<USHORT>(kPort + i));
        }
        // Messages at 1.0, 1.1, 1.2 and 1.3 ms leave 4, 3, 2 and 1 receives.
        const auto callbacks_until = [&](Picoseconds when) {
            host.sleep(when - host.clock());
            return party.notifications.count;
        };
        expect(callbacks_until(1190us) == 0, "as many as the threshold are left");
        expect(callbacks_until(1290us) == 1, "fewer");
        expect(callbacks_until(2ms) == 1, "but it is told once");
    });
}

TEST_CASE("ndk srq: a flushed queue pair, and a closed one, leave receives and slots to the other", "[K197]") {
    run(sender({0, 0, 1, 1}), [](HostContext& host) {
        Party party(host);
        NDK_SRQ* const srq = party.new_srq(4);
        std::array<int, 4> requests{};
        for (int& request : requests) {
            expect(post(srq, &request) == STATUS_SUCCESS, "a receive");
        }
        NDK_CQ* const first_cq = party.new_cq();
        NDK_CQ* const second_cq = party.new_cq();
        NDK_QP* const first = party.new_qp(first_cq, srq);
        NDK_CONNECTOR* const connector = party.accept(first, kPort);
        party.accept(party.new_qp(second_cq, srq), kPort + 1);
        host.sleep(1150us - host.clock());  // the first one has taken two
        expect(party.poll(first_cq).RequestContext == &requests[0], "the first message");
        // The second completion of the first queue pair is polled only when that is closed [K207].
        first->Dispatch->NdkFlush(first);
        Call connector_call(host);
        connector_call.wait(connector->Dispatch->NdkCloseConnector(&connector->Header, Call::closed, &connector_call));
        Call qp_call(host);
        qp_call.wait(first->Dispatch->NdkCloseQp(&first->Header, Call::closed, &qp_call));
        NDK_RESULT result{};
        expect(party.poll(first_cq).RequestContext == &requests[1], "the message of the closed one");
        expect(first_cq->Dispatch->NdkGetCqResults(first_cq, &result, 1) == 0, "nothing was flushed");
        host.sleep(2ms - host.clock());
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

TEST_CASE("ndk srq: a change of depth while messages come loses and reorders nothing") {
    std::vector<int> order;
    for (int i = 0; i < 60; ++i) {
        order.push_back(i % 3 == 0 ? 1 : 0);
    }
    run(sender(order), [](HostContext& host) {
        Party party(host);
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
            party.accept(party.new_qp(cq, srq), static_cast<USHORT>(kPort + i));
        }
        host.sleep(1ms - host.clock());
        Call change(host);
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
          "[X20][X59]") {
    struct Case {
        std::vector<std::string> overrides;
        Picoseconds posted;
    };
    // The documented profile ends the connection if it is a queue pair's own queue that is empty.
    const std::vector<Case> cases{
        {{"nic.overflow=terminate"}, 7ms}, {{"nic.overflow=rnr"}, 1500us}, {{"nic.overflow=credit"}, 1500us}};
    for (const Case& each : cases) {
        run(
            sender({0}),
            [&](HostContext& host) {
                Party party(host);
                NDK_SRQ* const srq = party.new_srq(4);
                NDK_CQ* const cq = party.new_cq();
                for (std::size_t i = 0; i < 2; ++i) {
                    party.accept(party.new_qp(cq, srq), static_cast<USHORT>(kPort + i));
                }
                host.sleep(each.posted - host.clock());
                NDK_RESULT result{};
                expect(cq->Dispatch->NdkGetCqResults(cq, &result, 1) == 0, "nothing has failed");
                int request = 0;
                expect(post(srq, &request) == STATUS_SUCCESS, "a receive");
                result = party.poll(cq);
                expect(result.Status == STATUS_SUCCESS && result.RequestContext == &request, "the message");
                // The next try, and 50 us for the way and the poll.
                expect(host.clock() < each.posted + 690us, "at the sender's next try");
            },
            each.overrides);
    }
}
