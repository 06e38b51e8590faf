// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <catch2/catch.hpp>
#include <set>
#include <vector>

#include "tests/scenarios/engine/ndk_program.hpp"

using namespace ndsim;
using namespace ndsim::test;

namespace {

constexpr ULONG kPeerReads = NDK_OP_FLAG_ALLOW_REMOTE_READ;
constexpr ULONG kPeerWrites = NDK_OP_FLAG_ALLOW_REMOTE_WRITE;
// A post that succeeds in these tests is deferred: they are about what the call itself does.
constexpr ULONG kDeferred = NDK_OP_FLAG_DEFER;

struct alignas(4096) Pages {
    std::array<std::byte, 4 * 4096> bytes{};
};

NDK_MR* create_mr(Objects& objects, BOOLEAN fast_register, NDK_PD* pd = nullptr) {
    NDK_PD* const parent = pd == nullptr ? objects.pd : pd;
    NDK_MR* mr = nullptr;
    expect(parent->Dispatch->NdkCreateMr(parent, fast_register, nullptr, nullptr, &mr) == STATUS_SUCCESS, "an MR");
    return mr;
}

NTSTATUS register_mr(Objects& objects, NDK_MR* mr, std::byte* data, ULONG length, ULONG flags) {
    MDL mdl;
    mdl.VirtualAddress = data;
    mdl.ByteCount = length;
    Call call(objects.host);
    return call.wait(mr->Dispatch->NdkRegisterMr(mr, &mdl, length, flags, Call::done, &call));
}

NTSTATUS initialize(Objects& objects, NDK_MR* mr, ULONG pages, BOOLEAN remote) {
    Call call(objects.host);
    return call.wait(mr->Dispatch->NdkInitializeFastRegisterMr(mr, pages, remote, Call::done, &call));
}

NDK_MW* create_mw(Objects& objects, NDK_PD* pd = nullptr) {
    NDK_PD* const parent = pd == nullptr ? objects.pd : pd;
    Call call(objects.host);
    expect(call.wait(parent->Dispatch->NdkCreateMw(parent, Call::created, &call, nullptr)) == STATUS_SUCCESS, "an MW");
    return reinterpret_cast<NDK_MW*>(call.object);
}

NDK_PD* create_pd(Objects& objects) {
    NDK_PD* pd = nullptr;
    expect(objects.adapter->Dispatch->NdkCreatePd(objects.adapter, nullptr, nullptr, &pd) == STATUS_SUCCESS, "a PD");
    return pd;
}

// Runs `program` on a host whose queue pair is connected.
void run_connected(const std::function<void(Objects&)>& program, ULONG reads = 1) {
    run_programs(
        [=](HostContext& host) {
            Objects objects(host);
            objects.connect("B", reads);
            program(objects);
        },
        [=](HostContext& host) {
            Objects objects(host);
            objects.accept(reads);
        });
}

}  // namespace

TEST_CASE("ndk: an MR is registered, or initialised for fast registration, but not both", "[K137][K124][K127]") {
    run_on_a([](HostContext& host) {
        Objects objects(host);
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
    run_on_a([](HostContext& host) {
        Objects objects(host);
        Pages pages;
        std::set<UINT32> tokens{0};
        UINT32 privileged = 0;
        objects.pd->Dispatch->NdkGetPrivilegedMemoryRegionToken(objects.pd, &privileged);
        expect(tokens.insert(privileged).second, "the privileged token");
        NDK_MR* const region = create_mr(objects, FALSE);
        expect(register_mr(objects, region, pages.bytes.data(), 4096, 0) == STATUS_SUCCESS, "registered");
        expect(tokens.insert(region->Dispatch->NdkGetRemoteTokenFromMr(region)).second, "the region's");
        Call call(host);
        expect(call.wait(region->Dispatch->NdkDeregisterMr(region, Call::done, &call)) == STATUS_SUCCESS,
               "deregistered");
        expect(register_mr(objects, region, pages.bytes.data(), 4096, 0) == STATUS_SUCCESS, "registered again");
        expect(tokens.insert(region->Dispatch->NdkGetRemoteTokenFromMr(region)).second, "the region's second");
        NDK_MR* const fast = create_mr(objects, TRUE);
        expect(initialize(objects, fast, 1, FALSE) == STATUS_SUCCESS, "initialised");
        expect(tokens.insert(fast->Dispatch->NdkGetRemoteTokenFromMr(fast)).second, "the fast-register MR's");
    });
}

TEST_CASE("ndk: a LAM lists the pages of a buffer, which do not follow each other", "[K135][K136]") {
    run_on_a([](HostContext& host) {
        Objects objects(host);
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
        host.close_adapter(adapter);  // ends, as no mapping is left
    });
}

TEST_CASE("ndk: requests for memory need a connection, after their own objects and flags are in order",
          "[K22][K32][K134][K138]") {
    run_on_a([](HostContext& host) {
        Objects objects(host);
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

TEST_CASE("ndk: MRs that are closed without waiting are gone before their PD", "[K206]") {
    run_on_a([](HostContext& host) {
        Objects objects(host);
        Pages pages;
        NDK_MR* const region = create_mr(objects, FALSE);
        NDK_MR* const fast = create_mr(objects, TRUE);
        expect(register_mr(objects, region, pages.bytes.data(), 4096, 0) == STATUS_SUCCESS, "registered");
        expect(initialize(objects, fast, 16, TRUE) == STATUS_SUCCESS, "initialised");
        objects.close(objects.qp->Dispatch->NdkCloseQp, objects.qp);
        Call region_call(host);
        Call fast_call(host);
        Call pd_call(host);
        expect(region->Dispatch->NdkCloseMr(&region->Header, Call::closed, &region_call) == STATUS_PENDING, "region");
        expect(fast->Dispatch->NdkCloseMr(&fast->Header, Call::closed, &fast_call) == STATUS_PENDING, "fast");
        expect(objects.pd->Dispatch->NdkClosePd(&objects.pd->Header, Call::closed, &pd_call) == STATUS_PENDING, "PD");
        pd_call.event.wait("the PD to close");
        expect(region_call.callbacks == 1 && fast_call.callbacks == 1, "both MRs were closed before");
        objects.close(objects.cq->Dispatch->NdkCloseCq, objects.cq);
        host.close_adapter(objects.adapter);
    });
}
