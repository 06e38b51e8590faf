// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "tests/ndapi/ndk/ndk_program.hpp"

// What tests of memory with C++ programs share.
namespace ndsim::test {

inline constexpr ULONG kPeerReads = NDK_OP_FLAG_ALLOW_REMOTE_READ;
inline constexpr ULONG kPeerWrites = NDK_OP_FLAG_ALLOW_REMOTE_WRITE;
// A post that succeeds in these tests is deferred: they are about what the call itself does.
inline constexpr ULONG kDeferred = NDK_OP_FLAG_DEFER;

struct alignas(4096) Pages {
    std::array<std::byte, 4 * 4096> bytes{};
};

inline NDK_MR* create_mr(Objects& objects, BOOLEAN fast_register, NDK_PD* pd = nullptr) {
    NDK_PD* const parent = pd == nullptr ? objects.pd : pd;
    NDK_MR* mr = nullptr;
    expect(parent->Dispatch->NdkCreateMr(parent, fast_register, nullptr, nullptr, &mr) == STATUS_SUCCESS, "an MR");
    return mr;
}

inline NTSTATUS register_mr(Objects& objects, NDK_MR* mr, std::byte* data, ULONG length, ULONG flags) {
    MDL mdl;
    mdl.VirtualAddress = data;
    mdl.ByteCount = length;
    Call call(objects.host);
    return call.wait(mr->Dispatch->NdkRegisterMr(mr, &mdl, length, flags, Call::done, &call));
}

inline NTSTATUS initialize(Objects& objects, NDK_MR* mr, ULONG pages, BOOLEAN remote) {
    Call call(objects.host);
    return call.wait(mr->Dispatch->NdkInitializeFastRegisterMr(mr, pages, remote, Call::done, &call));
}

inline NDK_MW* create_mw(Objects& objects, NDK_PD* pd = nullptr) {
    NDK_PD* const parent = pd == nullptr ? objects.pd : pd;
    Call call(objects.host);
    expect(call.wait(parent->Dispatch->NdkCreateMw(parent, Call::created, &call, nullptr)) == STATUS_SUCCESS, "an MW");
    return reinterpret_cast<NDK_MW*>(call.object);
}

inline NDK_PD* create_pd(Objects& objects) {
    NDK_PD* pd = nullptr;
    expect(objects.adapter->Dispatch->NdkCreatePd(objects.adapter, nullptr, nullptr, &pd) == STATUS_SUCCESS, "a PD");
    return pd;
}

// A page of the program's, which a FastRegister opens at its own address.
class FastPage {
public:
    template <class Owner>
    FastPage(Owner& owner, std::byte* page) : page_(page) {
        expect(owner.pd->Dispatch->NdkCreateMr(owner.pd, TRUE, nullptr, nullptr, &mr) == STATUS_SUCCESS, "an MR");
        Call call(owner.host);
        expect(call.wait(mr->Dispatch->NdkInitializeFastRegisterMr(mr, 1, TRUE, Call::done, &call)) == STATUS_SUCCESS,
               "it is initialised");
        MDL mdl;
        mdl.VirtualAddress = page;
        mdl.ByteCount = 4096;
        ULONG size = sizeof lam_;
        ULONG first_byte = 0;
        expect(owner.adapter->Dispatch->NdkBuildLAM(owner.adapter, &mdl, 4096, nullptr, nullptr, &lam_, &size,
                                                    &first_byte) == STATUS_SUCCESS,
               "its logical address");
    }
    NTSTATUS fast_register(NDK_QP* qp, ULONG flags, PVOID context = nullptr) {
        return qp->Dispatch->NdkFastRegister(qp, context, mr, 1, lam_.AdapterPageArray, 0, 4096, page_, flags);
    }
    [[nodiscard]] UINT32 token() const { return mr->Dispatch->NdkGetLocalTokenFromMr(mr); }
    [[nodiscard]] NDK_SGE piece(ULONG length) const {
        NDK_SGE sge{};
        sge.VirtualAddress = page_;
        sge.Length = length;
        sge.MemoryRegionToken = token();
        return sge;
    }

    NDK_MR* mr = nullptr;

private:
    std::byte* page_;
    NDK_LOGICAL_ADDRESS_MAPPING lam_{};
};

// Runs `program` on a host whose queue pair is connected.
inline void run_connected(const std::function<void(Objects&)>& program, ULONG reads = 1) {
    run_pair(
        [=](Objects& objects) {
            objects.connect("B", reads);
            program(objects);
        },
        [=](Objects& objects) { objects.accept(reads); });
}

}  // namespace ndsim::test
