// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>

#include "ndapi/windows/abi/ntstatus.h"

namespace ndsim::core {

// LocalPorts: the ports of a host's address. A listener, a shared endpoint or a connector takes a port. Connectors may
// share it, and it is free again when the last user is gone [K188].
class LocalPorts {
public:
    // The provider picks ports from here on for port 0 [K181].
    static constexpr std::uint16_t kFirstEphemeral = 49152;

    // Takes `port`, or picks one if that is 0. STATUS_SHARING_VIOLATION, STATUS_TOO_MANY_ADDRESSES.
    [[nodiscard]] NTSTATUS take(std::uint16_t& port);
    // Adds a user to a port that is taken.
    void share(std::uint16_t port) { ++users_.at(port); }
    void give(std::uint16_t port);

private:
    std::map<std::uint16_t, std::uint32_t> users_;
    std::uint16_t next_ = kFirstEphemeral;  // picked in turn, so that a returned port rests for a while
};

}  // namespace ndsim::core
