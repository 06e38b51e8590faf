// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sim/base/units.hpp"

namespace ndsim::test {

inline namespace literals {
constexpr Picoseconds operator""_ps(unsigned long long n) {
    return Picoseconds{static_cast<std::int64_t>(n)};
}
}  // namespace literals

}  // namespace ndsim::test
