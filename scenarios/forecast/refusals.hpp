// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "ndapi/windows/abi/ntstatus.h"
#include "scenarios/format/scenario.hpp"

namespace ndsim::forecast {

// A post that its interface refuses for its contents, whatever the state of its queue pair.
struct Refusal {
    NTSTATUS status = STATUS_SUCCESS;
    std::string why;
    std::string advice{};        // may be empty
    bool even_if_broken = true;  // as in Finding
};
// Checks the flags, and the rights that an interface requires.
[[nodiscard]] std::optional<Refusal> refusal_of_flags(const Host& host, const PostOp& post);
// Checks the contents of a FastRegister, and lists that only one interface limits.
[[nodiscard]] std::optional<Refusal> refusal_of_contents(const Host& host, const PostOp& post);

}  // namespace ndsim::forecast
