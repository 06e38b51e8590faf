// SPDX-License-Identifier: Apache-2.0
#include "scenarios/generators/traffic_memory.hpp"

#include <fmt/format.h>

namespace ndsim {

TrafficMemory add_memory(HostSide& side, const Traffic& traffic, const TrafficShape& shape, std::string_view suffix,
                         const BufferContent& content) {
    // No string outlives the call that may block: a run may be stopped there, and then the stack is not unwound.
    const auto name = [&] { return fmt::format("traffic.{}{}", traffic.name, suffix); };
    const HostBuffer& buffer = side.add_buffer(name(), shape.memory_size(), content);
    return {buffer.memory.data(), ndk_face(side).token(name())};
}

}  // namespace ndsim
