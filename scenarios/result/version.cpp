// SPDX-License-Identifier: Apache-2.0
#include "scenarios/result/version.hpp"

namespace ndsim {

std::string_view version() {
    return NDSIM_VERSION;
}

}  // namespace ndsim
