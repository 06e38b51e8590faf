// SPDX-License-Identifier: Apache-2.0
// Catch2 3, or version 2 under the names of version 3.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#include <string>

namespace Catch {
using Detail::Approx;

namespace Matchers {
inline auto ContainsSubstring(const std::string& part) {
    return Contains(part);
}
}  // namespace Matchers
}  // namespace Catch
#endif
