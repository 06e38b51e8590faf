// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/local_ports.hpp"

namespace ndsim::core {

NTSTATUS LocalPorts::take(std::uint16_t& port) {
    if (port != 0) {
        return users_.try_emplace(port, 1).second ? STATUS_SUCCESS : STATUS_SHARING_VIOLATION;
    }
    constexpr std::uint32_t kEphemeral = 0x10000 - kFirstEphemeral;
    for (std::uint32_t tried = 0; tried < kEphemeral; ++tried) {
        const std::uint16_t candidate = next_;
        next_ = next_ == UINT16_MAX ? kFirstEphemeral : static_cast<std::uint16_t>(next_ + 1);
        if (users_.try_emplace(candidate, 1).second) {
            port = candidate;
            return STATUS_SUCCESS;
        }
    }
    return STATUS_TOO_MANY_ADDRESSES;
}

void LocalPorts::give(std::uint16_t port) {
    const auto users = users_.find(port);
    if (--users->second == 0) {
        users_.erase(users);
    }
}

}  // namespace ndsim::core
