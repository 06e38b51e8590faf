// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/version.hpp"

namespace ndsim::cli {

std::string_view version() {
    return NDSIM_VERSION;
}

}  // namespace ndsim::cli
