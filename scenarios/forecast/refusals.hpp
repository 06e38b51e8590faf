// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "ndapi/win/ntstatus.h"
#include "scenarios/format/scenario.hpp"

namespace ndsim::forecast {

// A post that its interface refuses whatever state its queue pair is in, for what it says.
struct Refusal {
    NTSTATUS status = STATUS_SUCCESS;
    std::string why;
    std::string advice{};        // may be empty
    bool even_if_broken = true;  // as in Finding
};
// The flags, and rights that an interface wants to be given.
[[nodiscard]] std::optional<Refusal> refusal_of_flags(const Host& host, const PostOp& post);
// What a FastRegister asks for, and lists that only one interface limits.
[[nodiscard]] std::optional<Refusal> refusal_of_contents(const Host& host, const PostOp& post);

}  // namespace ndsim::forecast
