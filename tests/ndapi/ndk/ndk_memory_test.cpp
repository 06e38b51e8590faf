// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "tests/ndapi/ndk/ndk_memory.hpp"

namespace ndsim::test::ndk_memory_test {

TEST_CASE("ndk: an MR is registered, or initialised for fast registration, but not both", "[K137][K124][K127]") {
    run_on_a([](Objects& objects) {
        Pages pages;
        NDK_MR* const region = create_mr(objects, FALSE);
        NDK_MR* const fast = create_mr(objects, TRUE);
        expect(initialize(objects, region, 1, FALSE) == STATUS_INVALID_DEVICE_REQUEST, "a region is not initialised");
        expect(register_mr(objects, fast, pages.bytes.data(), 4096, 0) == STATUS_INVALID_DEVICE_REQUEST,
               "a fast-register MR is not registered");
        expect(fast->Dispatch->NdkDeregisterMr(fast, nullptr, nullptr) == STATUS_INVALID_DEVICE_REQUEST,
               "nor deregistered");
        NDK_ADAPTER_INFO info{};
        ULONG size = sizeof info;
        expect(objects.adapter->Dispatch->NdkQueryAdapterInfo(objects.adapter, &info, &size) == STATUS_SUCCESS, "info");
        expect(initialize(objects, fast, info.FRMRPageCount + 1, TRUE) == STATUS_IMPLEMENTATION_LIMIT,
               "too many pages");
        expect(initialize(objects, fast, 0, TRUE) == STATUS_INVALID_PARAMETER, "no pages");
        expect(initialize(objects, fast, 16, TRUE) == STATUS_SUCCESS, "16 are always accepted");
        const UINT32 token = fast->Dispatch->NdkGetRemoteTokenFromMr(fast);
        expect(token != 0, "there is a token");
        expect(initialize(objects, fast, info.FRMRPageCount, FALSE) == STATUS_SUCCESS, "again");
        expect(fast->Dispatch->NdkGetRemoteTokenFromMr(fast) == token, "the token stays");
        expect(fast->Dispatch->NdkGetLocalTokenFromMr(fast) != 0, "and there is a local one");
    });
}

TEST_CASE("ndk: a region has a new token when it is registered again, and so have windows and fast-register MRs",
          "[K129]") {
    run_on_a([](Objects& objects) {
        Pages pages;
        std::set<UINT32> tokens{0};
        UINT32 privileged = 0;
        objects.pd->Dispatch->NdkGetPrivilegedMemoryRegionToken(objects.pd, &privileged);
        expect(tokens.insert(privileged).second, "the privileged token");
        NDK_MR* const region = create_mr(objects, FALSE);
        expect(register_mr(objects, region, pages.bytes.data(), 4096, 0) == STATUS_SUCCESS, "registered");
        expect(tokens.insert(region->Dispatch->NdkGetRemoteTokenFromMr(region)).second, "the region's");
        Call call(objects.host);
        expect(call.wait(region->Dispatch->NdkDeregisterMr(region, Call::done, &call)) == STATUS_SUCCESS,
               "deregistered");
        expect(register_mr(objects, region, pages.bytes.data(), 4096, 0) == STATUS_SUCCESS, "registered again");
        expect(tokens.insert(region->Dispatch->NdkGetRemoteTokenFromMr(region)).second, "the region's second");
        NDK_MR* const fast = create_mr(objects, TRUE);
        expect(initialize(objects, fast, 1, FALSE) == STATUS_SUCCESS, "initialised");
        expect(tokens.insert(fast->Dispatch->NdkGetRemoteTokenFromMr(fast)).second, "the fast-register MR's");
    });
}

// No document says what a second registration is to bring; here it is refused as that of a registered MR is.
TEST_CASE("ndk: a region is not registered once more while its registration or deregistration is under way", "[K16]") {
    run_on_a([](Objects& objects) {
        Pages pages;
        MDL mdl;
        mdl.VirtualAddress = pages.bytes.data();
        mdl.ByteCount = 4096;
        NDK_MR* const region = create_mr(objects, FALSE);
        const auto& call = *region->Dispatch;
        const auto begin = [&](Call& as) { return call.NdkRegisterMr(region, &mdl, 4096, 0, Call::done, &as); };
        Call first(objects.host);
        Call second(objects.host);
        Call end(objects.host);
        expect(begin(first) == STATUS_PENDING, "a registration");
        const UINT32 token = call.NdkGetLocalTokenFromMr(region);
        expect(begin(second) == STATUS_INVALID_PARAMETER, "another one while it is under way");
        expect(first.wait(STATUS_PENDING) == STATUS_SUCCESS, "the first succeeds");
        expect(call.NdkGetLocalTokenFromMr(region) == token, "with its token");
        expect(begin(second) == STATUS_INVALID_PARAMETER, "another one behind it");
        expect(call.NdkDeregisterMr(region, Call::done, &end) == STATUS_PENDING, "a deregistration");
        expect(begin(second) == STATUS_INVALID_PARAMETER, "a registration while that is under way");
        expect(end.wait(STATUS_PENDING) == STATUS_SUCCESS, "it succeeds");
        expect(second.callbacks == 0, "what is refused calls nobody back");
        expect(second.wait(begin(second)) == STATUS_SUCCESS, "and behind it there is room for one");
        expect(first.callbacks == 1 && end.callbacks == 1 && second.callbacks == 1, "each once");
    });
}

TEST_CASE("ndk: a LAM lists the pages of a buffer, which do not follow each other", "[K135][K136]") {
    run_on_a([](Objects& objects) {
        Pages pages;
        NDK_ADAPTER* const adapter = objects.adapter;
        // 8000 bytes from byte 300 on touch the pages 0, 1 and 2 (300 + 8000 = 8300 = 2 x 4096 + 108).
        MDL mdl;
        mdl.VirtualAddress = pages.bytes.data() + 300;
        mdl.ByteCount = 8000;
        ULONG size = 0;
        ULONG first_byte = 0;
        const auto build = [&](NDK_LOGICAL_ADDRESS_MAPPING* lam, SIZE_T length) {
            return adapter->Dispatch->NdkBuildLAM(adapter, &mdl, length, nullptr, nullptr, lam, &size, &first_byte);
        };
        expect(build(nullptr, 8000) == STATUS_BUFFER_TOO_SMALL, "no buffer");
        expect(size == 16 + 3 * 8, "three pages need 40 bytes (ndkpi.md 1.1)");
        std::vector<NDK_LOGICAL_ADDRESS_MAPPING> room(2);  // 48 bytes
        size = 39;
        expect(build(room.data(), 8000) == STATUS_BUFFER_TOO_SMALL && size == 40, "a byte short");
        expect(build(room.data(), 8001) == STATUS_INVALID_PARAMETER, "longer than the MDL");
        expect(build(room.data(), 0) == STATUS_INVALID_PARAMETER, "nothing");
        size = 48;
        expect(build(room.data(), 8000) == STATUS_SUCCESS, "it fits");
        expect(size == 40, "this many bytes are used");
        expect(first_byte == 300, "the offset in page 0");
        NDK_LOGICAL_ADDRESS_MAPPING& lam = room.front();
        expect(lam.AdapterPageCount == 3, "three pages");
        for (ULONG i = 0; i < 3; ++i) {
            expect(lam.AdapterPageArray[i].QuadPart % 4096 == 0, "page addresses");
            expect(i == 0 || lam.AdapterPageArray[i].QuadPart - lam.AdapterPageArray[i - 1].QuadPart != 4096,
                   "not the next page");
        }
        MDL gap;
        gap.VirtualAddress = pages.bytes.data() + 300 + 8001;
        gap.ByteCount = 100;
        mdl.Next = &gap;
        expect(build(room.data(), 8100) == STATUS_INVALID_PARAMETER, "a chain with a gap");
        adapter->Dispatch->NdkReleaseLAM(adapter, &lam);
        objects.close(objects.qp->Dispatch->NdkCloseQp, objects.qp);
        objects.close(objects.cq->Dispatch->NdkCloseCq, objects.cq);
        objects.close(objects.pd->Dispatch->NdkClosePd, objects.pd);
        objects.host.close_adapter(adapter);  // ends, as no mapping is left
    });
}

TEST_CASE("ndk: a window has a new token when a Bind returns, and its region waits for it", "[K129][K200][X45]") {
    run_connected([](Objects& objects) {
        Pages pages;
        NDK_MR* const region = create_mr(objects, FALSE);
        expect(register_mr(objects, region, pages.bytes.data(), 4096, NDK_MR_FLAG_ALLOW_LOCAL_WRITE) == STATUS_SUCCESS,
               "registered");
        NDK_MW* const window = create_mw(objects);
        std::set<UINT32> tokens{0, window->Dispatch->NdkGetRemoteTokenFromMw(window)};
        for (int i = 0; i < 2; ++i) {
            expect(objects.qp->Dispatch->NdkBind(objects.qp, nullptr, region, window, pages.bytes.data(), 10,
                                                 kPeerWrites | kDeferred) == STATUS_SUCCESS,
                   "a Bind");
            expect(tokens.insert(window->Dispatch->NdkGetRemoteTokenFromMw(window)).second, "has a token of its own");
        }
        Call deregistration(objects.host);
        expect(region->Dispatch->NdkDeregisterMr(region, Call::done, &deregistration) == STATUS_DEVICE_BUSY,
               "a window may be bound");
        Call closing(objects.host);
        expect(region->Dispatch->NdkCloseMr(&region->Header, Call::closed, &closing) == STATUS_PENDING, "closing");
        objects.host.sleep(std::chrono::microseconds{100});
        expect(closing.callbacks == 0, "the region waits for the window");
        objects.close(window->Dispatch->NdkCloseMw, window);
        closing.event.wait("the MR to close");
        expect(closing.callbacks == 1 && deregistration.callbacks == 0, "once");
    });
}

TEST_CASE("ndk: MRs that are closed without waiting are gone before their PD", "[K206]") {
    run_on_a([](Objects& objects) {
        Pages pages;
        NDK_MR* const region = create_mr(objects, FALSE);
        NDK_MR* const fast = create_mr(objects, TRUE);
        expect(register_mr(objects, region, pages.bytes.data(), 4096, 0) == STATUS_SUCCESS, "registered");
        expect(initialize(objects, fast, 16, TRUE) == STATUS_SUCCESS, "initialised");
        objects.close(objects.qp->Dispatch->NdkCloseQp, objects.qp);
        Call region_call(objects.host);
        Call fast_call(objects.host);
        Call pd_call(objects.host);
        expect(region->Dispatch->NdkCloseMr(&region->Header, Call::closed, &region_call) == STATUS_PENDING, "region");
        expect(fast->Dispatch->NdkCloseMr(&fast->Header, Call::closed, &fast_call) == STATUS_PENDING, "fast");
        expect(objects.pd->Dispatch->NdkClosePd(&objects.pd->Header, Call::closed, &pd_call) == STATUS_PENDING, "PD");
        pd_call.event.wait("the PD to close");
        expect(region_call.callbacks == 1 && fast_call.callbacks == 1, "both MRs were closed before");
        objects.close(objects.cq->Dispatch->NdkCloseCq, objects.cq);
        objects.host.close_adapter(objects.adapter);
    });
}

TEST_CASE("ndk: the flag for sinks of Reads does no harm where it is not needed", "[K121]") {
    run_connected([](Objects& objects) {
        Pages pages;
        NDK_ADAPTER_INFO info{};
        ULONG size = sizeof info;
        expect(objects.adapter->Dispatch->NdkQueryAdapterInfo(objects.adapter, &info, &size) == STATUS_SUCCESS, "info");
        expect((info.AdapterFlags & NDK_ADAPTER_FLAG_RDMA_READ_SINK_NOT_REQUIRED) != 0, "not needed");
        NDK_MR* const region = create_mr(objects, FALSE);
        expect(register_mr(objects, region, pages.bytes.data(), 4096, NDK_MR_FLAG_RDMA_READ_SINK) == STATUS_SUCCESS,
               "a registration");
        NDK_MR* const all = create_mr(objects, FALSE);
        expect(register_mr(objects, all, pages.bytes.data(), 4096, 0xF) == STATUS_SUCCESS, "with every flag");
        NDK_MR* const fast = create_mr(objects, TRUE);
        expect(initialize(objects, fast, 1, FALSE) == STATUS_SUCCESS, "initialised");
        const NDK_LOGICAL_ADDRESS page{};
        expect(objects.qp->Dispatch->NdkFastRegister(objects.qp, nullptr, fast, 1, &page, 0, 1, nullptr,
                                                     NDK_OP_FLAG_RDMA_READ_SINK | kDeferred) == STATUS_SUCCESS,
               "a FastRegister");
    });
}

TEST_CASE("ndk: the adapter says whether Reads may invalidate", "[K141]") {
    RunOptions options;
    const auto flags = [](bool expected) {
        return [expected](HostContext& host) {
            Objects objects(host);
            NDK_ADAPTER_INFO info{};
            ULONG size = sizeof info;
            expect(objects.adapter->Dispatch->NdkQueryAdapterInfo(objects.adapter, &info, &size) == STATUS_SUCCESS,
                   "info");
            const bool may = (info.AdapterFlags & NDK_ADAPTER_FLAG_RDMA_READ_LOCAL_INVALIDATE_SUPPORTED) != 0;
            expect(may == expected, "flag 0x10");
        };
    };
    options.programs = {{"A", flags(true)}, {"B", flags(false)}};
    const ChildResult run =
        run_text(R"({"hosts": {"A": {}, "B": {"nic": {"read_local_invalidate": false}}}})", {}, options);
    INFO(run.why);
    CHECK(run.outcome == RunOutcome::finished);
    CHECK(run.ended);
}

}  // namespace ndsim::test::ndk_memory_test
