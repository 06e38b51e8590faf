// SPDX-License-Identifier: Apache-2.0
#include "ndapi/ndk/faces.hpp"
#include "ndapi/ndk/mdl_chain.hpp"

namespace ndsim::ndk {

namespace {

constexpr ULONG kMrFlags = NDK_MR_FLAG_ALLOW_LOCAL_WRITE | NDK_MR_FLAG_ALLOW_REMOTE_READ |
                           NDK_MR_FLAG_ALLOW_REMOTE_WRITE | NDK_MR_FLAG_RDMA_READ_SINK;
constexpr ULONG kRegionRemoteWrite = NDK_MR_FLAG_ALLOW_REMOTE_WRITE & ~NDK_MR_FLAG_ALLOW_LOCAL_WRITE;

NTSTATUS register_mr(NDK_MR* object, MDL* mdl, SIZE_T length, ULONG flags, NDK_FN_REQUEST_COMPLETION completion,
                     PVOID context) {
    MrFace& its = face_by_now<MrFace>(object);
    core::Mr* const mr = its.region();
    if (mr == nullptr) {
        return STATUS_INVALID_DEVICE_REQUEST;  // [K137]
    }
    const bool remote_write_alone = (flags & kRegionRemoteWrite) != 0 && (flags & NDK_MR_FLAG_ALLOW_LOCAL_WRITE) == 0;
    std::byte* const data = contiguous(mdl, length);
    if (data == nullptr || length > info_of(its.adapter).MaxRegistrationSize || (flags & ~kMrFlags) != 0 ||
        remote_write_alone || !mr->is_free()) {
        return STATUS_INVALID_PARAMETER;
    }
    std::uint8_t access = kLocalRead;
    access |= (flags & NDK_MR_FLAG_ALLOW_LOCAL_WRITE) != 0 ? kLocalWrite : 0;
    access |= (flags & NDK_MR_FLAG_ALLOW_REMOTE_READ) != 0 ? kRemoteRead : 0;
    access |= (flags & kRegionRemoteWrite) != 0 ? kRemoteWrite : 0;
    mr->register_memory(data, length, access, report_to(completion, context));
    return STATUS_PENDING;
}

NTSTATUS deregister_mr(NDK_MR* object, NDK_FN_REQUEST_COMPLETION completion, PVOID context) {
    core::Mr* const mr = face_by_now<MrFace>(object).region();
    if (mr == nullptr || !mr->registered()) {
        return STATUS_INVALID_DEVICE_REQUEST;
    }
    if (mr->has_windows()) {
        return STATUS_DEVICE_BUSY;  // [X45]
    }
    mr->deregister(report_to(completion, context));
    return STATUS_PENDING;
}

NTSTATUS initialize_fast_register_mr(NDK_MR* object, ULONG pages, BOOLEAN remote_access,
                                     NDK_FN_REQUEST_COMPLETION completion, PVOID context) {
    core::FastMr* const mr = face<MrFace>(object).fast();
    if (mr == nullptr) {
        return STATUS_INVALID_DEVICE_REQUEST;  // [K137]
    }
    if (pages == 0) {
        return STATUS_INVALID_PARAMETER;
    }
    if (pages > kFastRegisterPages) {
        return STATUS_IMPLEMENTATION_LIMIT;  // [K124]
    }
    mr->initialize(pages, remote_access != 0, report_to(completion, context));
    return STATUS_PENDING;
}

UINT32 token(NDK_MR* object) {
    return raw(face<MrFace>(object).key());
}

UINT32 window_token(NDK_MW* object) {
    return raw(face<MwFace>(object).core.key());
}

}  // namespace

const NDK_MR_DISPATCH kMrDispatch{
    close_object<MrFace>, query_extension, register_mr, deregister_mr, initialize_fast_register_mr, token, token,
};
const NDK_MW_DISPATCH kMwDispatch{
    close_object<MwFace>,
    query_extension,
    window_token,
};

MrFace::MrFace(PdFace& pd, bool fast_register) : Child(NdkObjectTypeMr, pd.adapter, kMrDispatch) {
    if (fast_register) {
        core.emplace<core::FastMr>(pd.core);
    } else {
        core.emplace<core::Mr>(pd.core);
    }
}

core::Object& MrFace::object() {
    return region() != nullptr ? static_cast<core::Object&>(*region()) : *fast();
}

MrKey MrFace::key() {
    return region() != nullptr ? region()->key() : fast()->key();
}

MwFace::MwFace(PdFace& pd) : Child(NdkObjectTypeMw, pd.adapter, kMwDispatch), core(pd.core) {}

}  // namespace ndsim::ndk
