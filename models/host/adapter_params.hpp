// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "sim/config/field.hpp"

namespace ndsim {

// How a call that creates an object may end: with the object, or later with a callback.
enum class CreateInline : std::uint8_t { as_needed, mixed, always_sync, always_async };
inline constexpr std::array<std::string_view, 4> kCreateInlineNames{"as_needed", "mixed", "always_sync",
                                                                    "always_async"};

// What the driver does where the interfaces leave it a choice.
struct AdapterParams {
    CreateInline create_inline = CreateInline::as_needed;
    bool flush_on_peer_disconnect = false;

    template <class Field>
    void fields(Field&& field) {
        field("create_inline", create_inline, kCreateInlineNames,
              "creating an object pends: if the NIC takes part, by chance, never, always", Mark::documented);
        field("flush_on_peer_disconnect", flush_on_peer_disconnect,
              "a queue pair is flushed when its peer disconnects, not only when its owner does", Mark::documented);
    }
};

}  // namespace ndsim
