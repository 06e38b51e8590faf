// SPDX-License-Identifier: Apache-2.0
#include "scenarios/hosts/face.hpp"

#include <stdexcept>

namespace ndsim {

void require(NTSTATUS status, const std::string& doing) {
    if (status != STATUS_SUCCESS) {
        throw std::runtime_error(doing + " failed with status " + std::to_string(static_cast<std::uint32_t>(status)));
    }
}

}  // namespace ndsim
