// SPDX-License-Identifier: Apache-2.0
#include "ndapi/ndk/faces.hpp"
#include "ndapi/ndk/queue_pair.hpp"
#include "ndapi/ndk/srq.hpp"

namespace ndsim::ndk {

namespace {

NTSTATUS create_mr(NDK_PD* pd, BOOLEAN fast_register, NDK_FN_CREATE_COMPLETION completion, PVOID context,
                   NDK_MR** out) {
    PdFace& parent = face<PdFace>(pd);
    core::Driver& driver = parent.adapter.driver;
    auto* const mr = make_face<MrFace>(driver, parent, fast_register != 0);
    return hand_out(driver, out, mr, STATUS_SUCCESS, completion, context);
}

NTSTATUS create_mw(NDK_PD* pd, NDK_FN_CREATE_COMPLETION completion, PVOID context, NDK_MW** out) {
    PdFace& parent = face<PdFace>(pd);
    auto* const mw = make_face<MwFace>(parent.adapter.driver, parent);
    return create_in_nic(parent.adapter.driver, out, mw, completion, context);
}

// One token for all PDs, known to every NIC.
VOID privileged_token(NDK_PD*, UINT32* out) {
    *out = raw(kPrivilegedKey);
}

}  // namespace

const NDK_PD_DISPATCH kPdDispatch{
    close_object<PdFace>, query_extension, create_mr,          create_mw,
    create_srq,           create_qp,       create_qp_with_srq, privileged_token,
};

PdFace::PdFace(AdapterFace& parent) : Child(NdkObjectTypePd, parent, kPdDispatch), core(parent.driver) {}

}  // namespace ndsim::ndk
