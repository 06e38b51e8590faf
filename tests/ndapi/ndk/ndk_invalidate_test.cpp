// SPDX-License-Identifier: Apache-2.0

#include "tests/ndapi/ndk/ndk_memory.hpp"

namespace ndsim::test::ndk_invalidate_test {

using namespace std::chrono_literals;

NDK_RESULT_EX completion(Objects& objects) {
    NDK_RESULT_EX result{};
    for (int polls = 0; objects.cq->Dispatch->NdkGetCqResultsEx(objects.cq, &result, 1) == 0; ++polls) {
        expect(polls < 10000, "a completion comes");
    }
    return result;
}

TEST_CASE("ndk: a SendAndInvalidate tells the receiver which token is dead, and it is", "[K108][K109][K133]") {
    struct {
        UINT32 token = 0;
        UINT64 address = 0;
    } window;  // what B tells A of; all of that is long done at 1 ms
    Pages theirs;
    run_pair(
        [&](Objects& objects) {
            objects.connect("B");
            objects.host.sleep(1ms - objects.host.clock());
            NDK_QP* const qp = objects.qp;
            std::array<std::byte, 8> data{std::byte{1}};
            NDK_SGE sge{};
            sge.VirtualAddress = data.data();
            sge.Length = 8;
            const auto write = [&] {
                expect(qp->Dispatch->NdkWrite(qp, nullptr, &sge, 1, window.address, window.token, NDK_OP_FLAG_INLINE) ==
                           STATUS_SUCCESS,
                       "a Write is posted");
                return completion(objects).Status;
            };
            expect(write() == STATUS_SUCCESS, "the token is good");
            expect(qp->Dispatch->NdkSendAndInvalidate(qp, nullptr, &sge, 1, NDK_OP_FLAG_INLINE, window.token) ==
                       STATUS_SUCCESS,
                   "it is posted");
            const NDK_RESULT_EX sent = completion(objects);
            expect(sent.Status == STATUS_SUCCESS && sent.Type == NdkOperationTypeSend, "sent, as a Send");
            expect(write() == STATUS_REMOTE_RESOURCES, "the token is dead");
        },
        [&](Objects& objects) {
            NDK_MR* const mr = create_mr(objects, FALSE);
            expect(
                register_mr(objects, mr, theirs.bytes.data(), 4096, NDK_MR_FLAG_ALLOW_REMOTE_WRITE) == STATUS_SUCCESS,
                "a region");
            NDK_MW* const mw = create_mw(objects);
            objects.accept();
            NDK_QP* const qp = objects.qp;
            expect(qp->Dispatch->NdkBind(qp, nullptr, mr, mw, theirs.bytes.data(), 64, kPeerWrites) == STATUS_SUCCESS,
                   "a Bind");
            window.token = mw->Dispatch->NdkGetRemoteTokenFromMw(mw);
            window.address = reinterpret_cast<UINT64>(theirs.bytes.data());
            const NDK_RESULT_EX bound = completion(objects);
            expect(bound.Status == STATUS_SUCCESS && bound.Type == NdkOperationTypeBind, "it is bound");
            NDK_SGE sge{};
            sge.VirtualAddress = theirs.bytes.data() + 1024;
            sge.Length = 8;
            sge.MemoryRegionToken = mr->Dispatch->NdkGetLocalTokenFromMr(mr);
            expect(qp->Dispatch->NdkReceive(qp, nullptr, &sge, 1) == STATUS_SUCCESS, "a receive");
            const NDK_RESULT_EX received = completion(objects);
            expect(received.Status == STATUS_SUCCESS && received.BytesTransferred == 8, "8 bytes are received");
            expect(received.Type == NdkOperationTypeReceiveAndInvalidate, "its type");
            expect(received.TypeSpecificCompletionOutput == window.token, "the token that is dead");
            expect(theirs.bytes[0] == std::byte{1}, "the first Write has come");
            Call call(objects.host);
            expect(call.wait(mr->Dispatch->NdkDeregisterMr(mr, Call::done, &call)) == STATUS_SUCCESS,
                   "nothing is bound to the region any more");
        });
}

}  // namespace ndsim::test::ndk_invalidate_test
