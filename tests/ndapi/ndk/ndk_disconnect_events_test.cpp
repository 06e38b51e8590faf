// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndk/ndk_pair.hpp"

namespace ndsim::test::ndk_disconnect_events_test {

using namespace std::chrono_literals;

TEST_CASE("disconnect: without a callback there is no event, and no harm", "[K162]") {
    run_pair(connect_and_disconnect, [](Party& b) {
        b.listen();
        b.connector = b.next_offered();
        Call call(b.host);
        expect(call.wait(b.connector->Dispatch->NdkAccept(b.connector, b.qp, 1, 1, nullptr, 0, nullptr, nullptr,
                                                          Call::done, &call)) == STATUS_SUCCESS,
               "accepted without a callback");
        b.host.sleep(1ms);  // A's notification has come
        expect(b.disconnects == 0, "none");
        b.leave();
    });
}

TEST_CASE("disconnect: the event of 2.1 brings a reason, of which there is none", "[K159]") {
    struct Reason {
        HostEvent event;
        ULONG value = 99;
        static void came(PVOID context, ULONG reason) {
            static_cast<Reason*>(context)->value = reason;
            static_cast<Reason*>(context)->event.signal();
        }
    };
    run_pair(
        [](Party& a) {
            a.host.sleep(100us);
            a.connector = a.new_connector();
            expect(a.connect(a.connector, a.qp, "B", 4000) == STATUS_SUCCESS, "accepted");
            Reason reason{HostEvent(a.host)};
            Call call(a.host);
            expect(call.wait(a.connector->Dispatch->NdkCompleteConnectEx(a.connector, &Reason::came, &reason,
                                                                         Call::done, &call)) == STATUS_SUCCESS,
                   "completed");
            reason.event.wait("B to disconnect");
            expect(reason.value == 0, "no reason");
            a.leave();
        },
        [](Party& b) {
            b.listen();
            b.connector = b.next_offered();
            Reason reason{HostEvent(b.host)};
            Call call(b.host);
            expect(call.wait(b.connector->Dispatch->NdkAcceptEx(b.connector, b.qp, 1, 1, nullptr, 0, &Reason::came,
                                                                &reason, Call::done, &call)) == STATUS_SUCCESS,
                   "accepted");
            expect(b.disconnect() == STATUS_SUCCESS, "done");
            expect(reason.value == 99, "no event for who disconnects first");
            b.close_all();
        });
}

TEST_CASE("disconnect: refused while a connect is being completed, it leaves that side its event", "[K156]") {
    run_pair(
        [](Party& a) {
            a.host.sleep(100us);
            a.connector = a.new_connector();
            expect(a.connect(a.connector, a.qp, "B", 4000) == STATUS_SUCCESS, "accepted");
            Call call(a.host);
            expect(a.connector->Dispatch->NdkCompleteConnect(a.connector, &Party::peer_left, &a, Call::done, &call) ==
                       STATUS_PENDING,
                   "completing");
            expect(a.disconnect() == STATUS_CONNECTION_INVALID, "there is no connection yet");
            expect(call.wait(STATUS_PENDING) == STATUS_SUCCESS, "there is one");
            a.left.wait("B to disconnect");
            expect(a.disconnects == 1, "one event");
            a.leave();
        },
        [](Party& b) {
            b.be_passive();
            b.leave();
        });
}

TEST_CASE("disconnect: refused while an accept waits for the peer, it leaves that side its event", "[K156]") {
    run_pair(connect_and_disconnect, [](Party& b) {
        b.listen();
        b.connector = b.next_offered();
        Call call(b.host);
        expect(b.connector->Dispatch->NdkAccept(b.connector, b.qp, 4, 4, nullptr, 0, &Party::peer_left, &b, Call::done,
                                                &call) == STATUS_PENDING,
               "accepting");
        expect(b.disconnect() == STATUS_CONNECTION_INVALID, "there is no connection yet");
        expect(call.wait(STATUS_PENDING) == STATUS_SUCCESS, "there is one");
        b.left.wait("A to disconnect");
        expect(b.disconnects == 1, "one event");
        b.leave();
    });
}

// Eight cancelled receives for four places. A flush alone ends no connection; an overrun does (ndkpi.md 5.12).
TEST_CASE("disconnect: a flush that overruns the completion queue ends the connection, and both sides hear of it",
          "[K156][K163]") {
    run_pair(
        [](Party& a) {
            a.close(a.qp->Dispatch->NdkCloseQp, a.qp);
            a.close(a.cq->Dispatch->NdkCloseCq, a.cq);
            a.make(a.cq, [&](Call& call, NDK_CQ** out) {
                return a.adapter->Dispatch->NdkCreateCq(a.adapter, 4, nullptr, nullptr, nullptr, Call::created, &call,
                                                        out);
            });
            a.qp = a.new_qp();
            a.be_active("B");
            for (int i = 0; i < 8; ++i) {
                expect(a.receive(64) == STATUS_SUCCESS, "a receive");
            }
            a.qp->Dispatch->NdkFlush(a.qp);
            a.left.wait("the end of the connection");
            expect(a.send(64) == STATUS_CONNECTION_INVALID, "the queue pair is unusable");
            expect(a.disconnect() == STATUS_CONNECTION_ABORTED, "the connection has died");
            expect(a.disconnects == 1, "one event");
            a.close_all();
        },
        [](Party& b) {
            b.be_passive();
            b.left.wait("the end of the connection");
            expect(b.disconnect() == STATUS_CONNECTION_ABORTED, "the connection has died");
            expect(b.disconnects == 1, "one event");
            b.close_all();
        });
}

}  // namespace ndsim::test::ndk_disconnect_events_test
