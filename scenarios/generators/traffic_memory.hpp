// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "scenarios/generators/traffic_shape.hpp"
#include "scenarios/hosts/ndk_face.hpp"

namespace ndsim {

// Source or target of a generator's messages, as NDKPI names it.
struct TrafficMemory {
    std::byte* data = nullptr;
    std::uint32_t token = 0;
};

// Registers memory of this shape on a host, as the buffer "traffic.NAME" with `suffix` behind it; blocks.
[[nodiscard]] TrafficMemory add_memory(HostSide& side, const Traffic& traffic, const TrafficShape& shape,
                                       std::string_view suffix, const BufferContent& content);

}  // namespace ndsim
