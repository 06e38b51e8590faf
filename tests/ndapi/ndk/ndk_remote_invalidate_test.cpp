// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndk/ndk_memory.hpp"
#include "tests/ndapi/ndk/ndk_pair.hpp"

namespace ndsim::test::ndk_remote_invalidate_test {

using namespace std::chrono_literals;

// A sends a message that invalidates a window of B, and then writes by the window's token. `take` is how B takes what
// the message brings, of 32 bytes.
void run_invalidation(const std::function<void(Party& b, UINT32 token)>& take) {
    Place window;
    run_connected_pair(
        {.program =
             [&](Party& a, const Place&) {
                 const NDK_SGE sge = a.piece(32);
                 expect(a.write(32, window) == STATUS_SUCCESS, "a Write");
                 expect(a.next().Status == STATUS_SUCCESS, "the token is good");
                 expect(a.qp->Dispatch->NdkSendAndInvalidate(a.qp, nullptr, &sge, 1, 0, window.token) == STATUS_SUCCESS,
                        "a Send");
                 const NDK_RESULT_EX sent = a.next();
                 expect(sent.Status == STATUS_SUCCESS && sent.Type == NdkOperationTypeSend, "a result of a Send");
                 a.host.sleep(2ms - a.host.clock());
                 expect(a.poll().empty(), "and no other");
                 expect(a.write(32, window) == STATUS_SUCCESS, "another Write");
                 expect(a.next().Status == STATUS_REMOTE_RESOURCES, "the token is dead");
             }},
        {.program = [&](Party& b, const Place&) {
            NDK_MW* mw = nullptr;
            b.make(mw, [&](Call& call, NDK_MW** out) {
                return b.pd->Dispatch->NdkCreateMw(b.pd, Call::created, &call, out);
            });
            expect(b.receive(64) == STATUS_SUCCESS, "a receive");
            expect(b.qp->Dispatch->NdkBind(b.qp, nullptr, b.mr, mw, b.buffer.data() + 512, 64, kPeerWrites) ==
                       STATUS_SUCCESS,
                   "a Bind");
            expect(b.next().Status == STATUS_SUCCESS, "it is bound");
            window = {b.place().address + 512, mw->Dispatch->NdkGetRemoteTokenFromMw(mw)};
            b.host.sleep(1500us - b.host.clock());
            take(b, window.token);
            expect(b.poll().empty(), "there is no other result");
        }});
}

TEST_CASE("send and invalidate: one result at each end, the receiver's has the token", "[X40]") {
    run_invalidation([](Party& b, UINT32 token) {
        const NDK_RESULT_EX received = b.next();
        expect(received.Status == STATUS_SUCCESS && received.BytesTransferred == 32, "the message");
        expect(received.Type == NdkOperationTypeReceiveAndInvalidate, "which has invalidated");
        expect(received.TypeSpecificCompletionOutput == token, "this token");
    });
}

TEST_CASE("send and invalidate: a receiver that polls plainly gets an ordinary result, and the token is dead",
          "[K111]") {
    run_invalidation([](Party& b, UINT32) {
        std::array<NDK_RESULT, 2> results{};
        expect(b.cq->Dispatch->NdkGetCqResults(b.cq, results.data(), 2) == 1, "one result");
        expect(results[0].Status == STATUS_SUCCESS && results[0].BytesTransferred == 32, "of the message");
        expect(results[0].QPContext == &b && results[0].RequestContext == nullptr, "with its contexts");
        expect(results[1].QPContext == nullptr, "and nothing beside it");
    });
}

}  // namespace ndsim::test::ndk_remote_invalidate_test
