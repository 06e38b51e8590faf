// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndk/ndk_pair.hpp"
#include "tests/ndapi/ndk/ndk_queue.hpp"

// A core that posts runs ahead of the simulation. A call that is no post acts at its own time nevertheless: what comes
// before it has happened. With 8 us for a WQE, one post takes longer than an interrupt, 1.2 us.

namespace ndsim::test::ndk_ahead_test {

const std::vector<std::string> kSlowPosts{"cpu.wqe_build=8us"};

// A queue pair without a connection, whose receives stay.
NDK_QP* other_qp(Queue& queue) {
    Call call(queue.host);
    expect(call.wait(queue.pd->Dispatch->NdkCreateQp(queue.pd, queue.cq, queue.cq, nullptr, 2, 2, 1, 1, 0,
                                                     Call::created, &call, nullptr)) == STATUS_SUCCESS,
           "another QP");
    return reinterpret_cast<NDK_QP*>(call.object);
}

// The queue's entry is polled, and its callback has not begun yet, when a post begins.
void poll_and_post(Queue& queue, NDK_QP* other) {
    queue.arm();
    queue.place(1);
    while (queue.poll(1) == 0) {
    }
    expect(queue.callbacks.empty(), "the interrupt is under way");
    expect(other->Dispatch->NdkReceive(other, nullptr, nullptr, 0) == STATUS_SUCCESS, "a post");
}

TEST_CASE("cq: an arm behind posts follows the callback that comes during them", "[K67][K70]") {
    run_queue(
        64,
        [](Queue& queue) {
            poll_and_post(queue, other_qp(queue));
            queue.arm();
            expect(queue.callbacks.size() == 1, "the first arm's callback");
            queue.place_and_wait(1);
            expect(queue.callbacks.size() == 2, "the second arm is not lost");
        },
        kSlowPosts);
}

TEST_CASE("cq: a close behind posts follows the callback that comes during them", "[K67][K85]") {
    run_queue(
        64,
        [](Queue& queue) {
            NDK_QP* const other = other_qp(queue);
            poll_and_post(queue, other);
            (void)queue.cq->Dispatch->NdkCloseCq(
                &queue.cq->Header, [](PVOID) {}, nullptr);
            expect(queue.callbacks.size() == 1, "the callback came 7 us before the close");
        },
        kSlowPosts);
}

// A's request is at B a few microseconds after its connect, while B posts.
TEST_CASE("connect: a listener behind posts takes no request that came during them", "[K178]") {
    run_pair(
        [](HostContext& host) {
            Party a(host);
            NDK_CONNECTOR* const connector = a.new_connector();
            host.compute(std::chrono::milliseconds{2} - host.clock());
            expect(a.connect(connector, a.qp, "B", 4000) == STATUS_CONNECTION_REFUSED, "nobody listens yet");
        },
        [](HostContext& host) {
            Party b(host);
            b.listener = b.new_listener();
            host.compute(std::chrono::milliseconds{2} - host.clock());
            for (int i = 0; i < 4; ++i) {
                expect(b.receive(64) == STATUS_SUCCESS, "a post");
            }
            expect(b.listen_at(b.listener, 4000) == STATUS_SUCCESS, "it listens");
            host.sleep(kLong);
            expect(b.offered.empty(), "nobody asks later");
        },
        {"hosts.B.cpu.wqe_build=8us"});
}

}  // namespace ndsim::test::ndk_ahead_test
