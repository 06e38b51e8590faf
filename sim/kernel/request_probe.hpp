// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "sim/base/ids.hpp"
#include "sim/base/units.hpp"
#include "sim/kernel/probe.hpp"

namespace ndsim {

// RequestProbe: the request that a unit worked on last, or none. Outputs show it under the name that it has in all of
// them: its host and its number.
class RequestProbe final : public ProbeBase {
public:
    RequestProbe(Unit& owner, std::string_view name, std::string_view sentence)
        : ProbeBase(owner, name, sentence, 64, {}, true) {}

    void set(RequestId request, Picoseconds at) {
        show(request.number == 0 ? 0 : std::uint64_t{raw(request.host)} << 32U | request.number, at);
    }
};

}  // namespace ndsim
