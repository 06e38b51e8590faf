// SPDX-License-Identifier: Apache-2.0
// Numbers and texts as a directive wants to have them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "ndapi/windows/program/directive.hpp"

namespace ndsim {

[[nodiscard]] std::string signed_text(const Directive& directive, std::int64_t value);
[[nodiscard]] std::string unsigned_text(const Directive& directive, std::uint64_t value);
[[nodiscard]] std::string real_text(const Directive& directive, double value);
[[nodiscard]] std::string pointer_text(const Directive& directive, const void* value);

// `text`, which counts as `length` characters, filled up with spaces to the directive's width.
[[nodiscard]] std::string padded(const Directive& directive, std::string text, std::size_t length);

}  // namespace ndsim
