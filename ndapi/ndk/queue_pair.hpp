// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

#include "ndapi/ndk/ndkpi.h"

namespace ndsim::ndk {

std::remove_pointer_t<NDK_FN_CREATE_QP> create_qp;  // the PD's function

}  // namespace ndsim::ndk
