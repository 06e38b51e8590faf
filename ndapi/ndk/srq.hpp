// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

#include "ndapi/core/srq.hpp"
#include "ndapi/ndk/faces.hpp"

namespace ndsim::ndk {

// NDKPI's shared receive queue as this provider makes it, and the PD's functions that create with it.
struct SrqFace final : Child<NDK_SRQ> {
    SrqFace(PdFace& pd, const core::SrqLimits& limits, core::Srq::Notification notify);
    core::Srq core;
};

std::remove_pointer_t<NDK_FN_CREATE_SRQ> create_srq;
std::remove_pointer_t<NDK_FN_CREATE_QP_WITH_SRQ> create_qp_with_srq;

}  // namespace ndsim::ndk
