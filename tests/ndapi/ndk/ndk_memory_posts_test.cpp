// SPDX-License-Identifier: Apache-2.0

#include "tests/ndapi/ndk/ndk_memory.hpp"

namespace ndsim::test::ndk_memory_posts_test {

TEST_CASE("ndk: requests for memory need a connection, after their own objects and flags are in order",
          "[K22][K32][K134][K138]") {
    run_on_a([](Objects& objects) {
        Pages pages;
        std::byte* const data = pages.bytes.data();
        NDK_PD* const other = create_pd(objects);
        NDK_MR* const region = create_mr(objects, FALSE);
        NDK_MR* const fast = create_mr(objects, TRUE);
        NDK_MR* const foreign = create_mr(objects, FALSE, other);
        NDK_MR* const foreign_fast = create_mr(objects, TRUE, other);
        NDK_MW* const window = create_mw(objects);
        NDK_MW* const foreign_window = create_mw(objects, other);
        NDK_QP* const qp = objects.qp;
        const auto& call = *qp->Dispatch;

        const auto bind = [&](NDK_MR* mr, NDK_MW* mw, ULONG flags) {
            return call.NdkBind(qp, nullptr, mr, mw, data, 1, flags);
        };
        // The MR is not even registered: that is looked at later.
        expect(bind(region, window, kPeerReads) == STATUS_CONNECTION_INVALID, "bind: not connected");
        expect(bind(foreign, window, kPeerReads) == STATUS_INVALID_PARAMETER, "bind: MR of another PD");
        expect(bind(region, foreign_window, kPeerReads) == STATUS_INVALID_PARAMETER, "bind: MW of another PD");
        expect(bind(fast, window, kPeerReads) == STATUS_INVALID_PARAMETER, "bind: a fast-register MR");
        expect(bind(nullptr, window, kPeerReads) == STATUS_INVALID_PARAMETER, "bind: no MR");
        expect(bind(region, nullptr, kPeerReads) == STATUS_INVALID_PARAMETER, "bind: no MW");
        expect(bind(region, window, 0) == STATUS_INVALID_PARAMETER, "bind: no right at all");
        expect(bind(region, window, NDK_OP_FLAG_ALLOW_LOCAL_WRITE | kPeerReads) == STATUS_INVALID_PARAMETER,
               "bind: local write is none of its flags");
        expect(bind(region, window, 0x20 | kPeerReads) == STATUS_INVALID_PARAMETER, "bind: half a flag");
        expect(bind(region, window, NDK_OP_FLAG_INLINE | kPeerReads) == STATUS_INVALID_PARAMETER, "bind: inline");
        expect(bind(region, window, NDK_OP_FLAG_RDMA_READ_SINK | kPeerReads) == STATUS_INVALID_PARAMETER, "bind: sink");

        const NDK_LOGICAL_ADDRESS page{};
        const auto fast_register = [&](NDK_MR* mr, const NDK_LOGICAL_ADDRESS* list, ULONG flags) {
            return call.NdkFastRegister(qp, nullptr, mr, 1, list, 0, 1, nullptr, flags);
        };
        expect(fast_register(fast, &page, NDK_OP_FLAG_ALLOW_LOCAL_WRITE | NDK_OP_FLAG_RDMA_READ_SINK) ==
                   STATUS_CONNECTION_INVALID,
               "fast register: not connected");
        expect(fast_register(foreign_fast, &page, 0) == STATUS_INVALID_PARAMETER, "fast register: another PD");
        expect(fast_register(region, &page, 0) == STATUS_INVALID_PARAMETER, "fast register: the other kind of MR");
        expect(fast_register(nullptr, &page, 0) == STATUS_INVALID_PARAMETER, "fast register: no MR");
        expect(fast_register(fast, nullptr, 0) == STATUS_INVALID_PARAMETER, "fast register: a count without a list");
        expect(fast_register(fast, &page, 0x20) == STATUS_INVALID_PARAMETER, "fast register: half a flag");
        expect(fast_register(fast, &page, NDK_OP_FLAG_SEND_AND_SOLICIT_EVENT) == STATUS_INVALID_PARAMETER,
               "fast register: a flag of Sends");

        const auto invalidate = [&](NDK_OBJECT_HEADER* object, ULONG flags) {
            return call.NdkInvalidate(qp, nullptr, object, flags);
        };
        expect(invalidate(&window->Header, 0) == STATUS_CONNECTION_INVALID, "invalidate: not connected");
        expect(invalidate(&fast->Header, 0) == STATUS_CONNECTION_INVALID, "invalidate: not connected");
        expect(invalidate(&region->Header, 0) == STATUS_INVALID_PARAMETER, "invalidate: a registered MR");
        expect(invalidate(&qp->Header, 0) == STATUS_INVALID_PARAMETER, "invalidate: neither MR nor MW");
        expect(invalidate(nullptr, 0) == STATUS_INVALID_PARAMETER, "invalidate: nothing");
        expect(invalidate(&foreign_window->Header, 0) == STATUS_INVALID_PARAMETER, "invalidate: MW of another PD");
        expect(invalidate(&foreign_fast->Header, 0) == STATUS_INVALID_PARAMETER, "invalidate: MR of another PD");
        expect(invalidate(&window->Header, kPeerReads) == STATUS_INVALID_PARAMETER, "invalidate: a right");

        std::array<NDK_SGE, 3> sgl{};
        expect(call.NdkRead(qp, nullptr, sgl.data(), 3, 0, 0, 0) == STATUS_CONNECTION_INVALID, "read: not connected");
        expect(call.NdkRead(qp, nullptr, nullptr, 1, 0, 0, 0) == STATUS_INVALID_PARAMETER, "read: no list");
        expect(call.NdkRead(qp, nullptr, nullptr, 0, 0, 0, NDK_OP_FLAG_INLINE) == STATUS_INVALID_PARAMETER,
               "read: inline");
        expect(call.NdkSendAndInvalidate(qp, nullptr, sgl.data(), 3, 0, 1) == STATUS_CONNECTION_INVALID,
               "send and invalidate: not connected");
        expect(call.NdkSendAndInvalidate(qp, nullptr, nullptr, 0, NDK_OP_FLAG_RDMA_READ_LOCAL_INVALIDATE, 1) ==
                   STATUS_INVALID_PARAMETER,
               "send and invalidate: a flag of Reads");
    });
}

TEST_CASE("ndk: what a Bind asks for has to be in its MR", "[K130][K131]") {
    run_connected([](Objects& objects) {
        Pages pages;
        std::byte* const data = pages.bytes.data();
        NDK_MR* const read_only = create_mr(objects, FALSE);
        NDK_MW* const window = create_mw(objects);
        const auto bind = [&](std::byte* at, SIZE_T length, ULONG flags) {
            return objects.qp->Dispatch->NdkBind(objects.qp, nullptr, read_only, window, at, length, flags);
        };
        expect(bind(data, 100, kPeerReads) == STATUS_INVALID_PARAMETER, "the MR is not registered yet");
        expect(register_mr(objects, read_only, data + 100, 4096, 0) == STATUS_SUCCESS, "registered, to be read");
        expect(bind(data + 99, 2, kPeerReads) == STATUS_INVALID_PARAMETER, "before the MR");
        expect(bind(data + 100, 4097, kPeerReads) == STATUS_INVALID_PARAMETER, "longer than the MR");
        expect(bind(data + 4195, 2, kPeerReads) == STATUS_INVALID_PARAMETER, "over its end");
        expect(bind(data + 4196, 1, kPeerReads) == STATUS_INVALID_PARAMETER, "behind it");
        expect(bind(data + 100, 0, kPeerReads) == STATUS_INVALID_PARAMETER, "nothing");
        expect(bind(data + 100, 4097, kPeerWrites) == STATUS_INVALID_PARAMETER, "the range is looked at first");
        expect(bind(data + 100, 4096, kPeerWrites) == STATUS_ACCESS_VIOLATION, "local write is needed");
        expect(bind(data + 4195, 1, kPeerReads | kDeferred) == STATUS_SUCCESS, "its last byte");
        expect(bind(data + 100, 4096, kPeerReads | kDeferred) == STATUS_SUCCESS, "all of it");
    });
}

TEST_CASE("ndk: what a FastRegister asks for has to be in its pages, and in its MR's rights", "[K123][K125]") {
    run_connected([](Objects& objects) {
        NDK_MR* const local = create_mr(objects, TRUE);
        NDK_MR* const remote = create_mr(objects, TRUE);
        std::array<NDK_LOGICAL_ADDRESS, 4> pages{};
        for (LONGLONG i = 0; i < 4; ++i) {
            pages[static_cast<std::size_t>(i)].QuadPart = (i + 5) * 4096;
        }
        const auto fast_register = [&](NDK_MR* mr, ULONG count, ULONG first_byte, SIZE_T length, std::uintptr_t base,
                                       ULONG flags) {
            return objects.qp->Dispatch->NdkFastRegister(objects.qp, nullptr, mr, count, pages.data(), first_byte,
                                                         length, reinterpret_cast<PVOID>(base), flags);
        };
        expect(fast_register(local, 1, 0, 1, 0, 0) == STATUS_INVALID_PARAMETER, "not initialised");
        expect(initialize(objects, local, 3, FALSE) == STATUS_SUCCESS, "initialised for its owner");
        expect(initialize(objects, remote, 3, TRUE) == STATUS_SUCCESS, "initialised for peers");
        expect(fast_register(local, 4, 0, 1, 0, 0) == STATUS_INVALID_PARAMETER, "more pages than initialised");
        expect(fast_register(local, 0, 0, 0, 0, 0) == STATUS_INVALID_PARAMETER, "nothing");
        expect(fast_register(local, 1, 4096, 1, 4096, 0) == STATUS_INVALID_PARAMETER, "the second page's first byte");
        expect(fast_register(local, 1, 100, 1, 0x1'0000, 0) == STATUS_INVALID_PARAMETER, "called at another byte");
        expect(fast_register(local, 1, 0, 1, 0x1'0001, 0) == STATUS_INVALID_PARAMETER, "called at another byte");
        // Two pages from byte 100 on: 8192 - 100 = 8092 bytes.
        expect(fast_register(local, 2, 100, 8093, 0x1'0064, 0) == STATUS_INVALID_PARAMETER, "a byte too long");
        expect(fast_register(local, 2, 100, ~SIZE_T{99}, 0x1'0064, 0) == STATUS_INVALID_PARAMETER, "100 + 2^64 - 100");
        pages[1].QuadPart += 8;
        expect(fast_register(local, 2, 100, 8092, 0x1'0064, 0) == STATUS_INVALID_PARAMETER, "not a page's address");
        pages[1].QuadPart -= 8;
        expect(fast_register(local, 2, 100, 8093, 0x1'0064, kPeerReads) == STATUS_INVALID_PARAMETER, "length first");
        expect(fast_register(local, 2, 100, 8092, 0x1'0064, kPeerReads) == STATUS_ACCESS_VIOLATION, "no peers");
        expect(fast_register(local, 2, 100, 8092, 0x1'0064, kPeerWrites) == STATUS_ACCESS_VIOLATION, "no peers");
        expect(fast_register(remote, 2, 100, 8092, 0x1'0064, kPeerReads | kPeerWrites | kDeferred) == STATUS_SUCCESS,
               "peers, and every byte there is");
        expect(fast_register(local, 3, 0, 1, 0, NDK_OP_FLAG_ALLOW_LOCAL_WRITE | kDeferred) == STATUS_SUCCESS, "local");
    });
}

TEST_CASE("ndk: limits of Reads and of Sends that invalidate", "[K29][K30][K31][K98]") {
    run_connected([](Objects& objects) {
        std::array<NDK_SGE, 3> sgl{};
        NDK_QP* const qp = objects.qp;
        const auto& call = *qp->Dispatch;
        expect(call.NdkRead(qp, nullptr, sgl.data(), 3, 0, 0, 0) == STATUS_DATA_OVERRUN,
               "read: two SGEs are the limit");
        expect(call.NdkSendAndInvalidate(qp, nullptr, sgl.data(), 3, 0, 1) == STATUS_DATA_OVERRUN, "send, likewise");
        sgl[0].Length = (1U << 30U);
        sgl[1].Length = 1;
        expect(call.NdkRead(qp, nullptr, sgl.data(), 2, 0, 0, 0) == STATUS_BUFFER_OVERFLOW, "read: 1 GiB is the limit");
        expect(call.NdkSendAndInvalidate(qp, nullptr, sgl.data(), 2, 0, 1) == STATUS_BUFFER_OVERFLOW, "send, likewise");
        std::array<std::byte, 17> data{};
        sgl[0].VirtualAddress = data.data();
        sgl[0].Length = 17;
        expect(call.NdkSendAndInvalidate(qp, nullptr, sgl.data(), 1, NDK_OP_FLAG_INLINE, 1) == STATUS_BUFFER_OVERFLOW,
               "16 bytes inline");
        sgl[0].Length = 16;
        expect(
            call.NdkSendAndInvalidate(qp, nullptr, sgl.data(), 1, NDK_OP_FLAG_INLINE | kDeferred, 1) == STATUS_SUCCESS,
            "16 bytes inline");
    });
}

TEST_CASE("ndk: a connection without Reads refuses them", "[K173]") {
    run_connected(
        [](Objects& objects) {
            expect(objects.qp->Dispatch->NdkRead(objects.qp, nullptr, nullptr, 0, 0, 0, 0) ==
                       STATUS_INVALID_DEVICE_REQUEST,
                   "no Read may be outstanding");
        },
        0);
}

TEST_CASE("ndk: a full queue refuses requests for memory, and a window that is refused keeps its token", "[K28][K47]") {
    run_connected([](Objects& objects) {
        Pages pages;
        NDK_MR* const region = create_mr(objects, FALSE);
        NDK_MR* const fast = create_mr(objects, TRUE);
        expect(register_mr(objects, region, pages.bytes.data(), 4096, 0) == STATUS_SUCCESS, "registered");
        expect(initialize(objects, fast, 1, FALSE) == STATUS_SUCCESS, "initialised");
        NDK_MW* const window = create_mw(objects);
        const UINT32 token = window->Dispatch->NdkGetRemoteTokenFromMw(window);
        NDK_QP* const qp = objects.qp;
        const auto& call = *qp->Dispatch;
        for (int i = 0; i < 2; ++i) {
            expect(call.NdkWrite(qp, nullptr, nullptr, 0, 0, 0, kDeferred) == STATUS_SUCCESS, "the queue holds two");
        }
        const NDK_LOGICAL_ADDRESS page{};
        expect(call.NdkBind(qp, nullptr, region, window, pages.bytes.data(), 1, kPeerReads) == STATUS_NO_MORE_ENTRIES,
               "bind");
        expect(call.NdkFastRegister(qp, nullptr, fast, 1, &page, 0, 1, nullptr, 0) == STATUS_NO_MORE_ENTRIES,
               "fast register");
        expect(call.NdkInvalidate(qp, nullptr, &fast->Header, 0) == STATUS_NO_MORE_ENTRIES, "invalidate");
        expect(call.NdkRead(qp, nullptr, nullptr, 0, 0, 0, 0) == STATUS_NO_MORE_ENTRIES, "read");
        expect(call.NdkSendAndInvalidate(qp, nullptr, nullptr, 0, 0, 1) == STATUS_NO_MORE_ENTRIES, "send");
        expect(window->Dispatch->NdkGetRemoteTokenFromMw(window) == token, "no Bind, no token");
        Call closing(objects.host);
        expect(region->Dispatch->NdkCloseMr(&region->Header, Call::closed, &closing) == STATUS_PENDING, "closing");
        closing.event.wait("the MR to close, which no window holds");
    });
}

TEST_CASE("ndk: a post that is refused for its flags or objects rings for what was deferred before it", "[K39][K40]") {
    run_connected([](Objects& objects) {
        NDK_QP* const qp = objects.qp;
        const auto& call = *qp->Dispatch;
        NDK_MR* const region = create_mr(objects, FALSE);
        const std::array<std::function<NTSTATUS()>, 3> refused{
            [&] { return call.NdkSend(qp, nullptr, nullptr, 0, kPeerReads | kDeferred); },
            [&] { return call.NdkInvalidate(qp, nullptr, &region->Header, 0); },
            [&] { return call.NdkBind(qp, nullptr, region, nullptr, nullptr, 1, kPeerReads); }};
        for (const auto& post : refused) {
            int context = 0;
            expect(call.NdkWrite(qp, &context, nullptr, 0, 0, 0, kDeferred) == STATUS_SUCCESS, "a deferred Write");
            expect(post() == STATUS_INVALID_PARAMETER, "a post that is refused");
            NDK_RESULT result{};
            for (int polls = 0; objects.cq->Dispatch->NdkGetCqResults(objects.cq, &result, 1) == 0; ++polls) {
                expect(polls < 1000, "the Write completes");
            }
            expect(result.Status == STATUS_SUCCESS && result.RequestContext == &context, "it is the Write");
            expect(objects.cq->Dispatch->NdkGetCqResults(objects.cq, &result, 1) == 0, "and nothing else");
        }
    });
}

}  // namespace ndsim::test::ndk_memory_posts_test
