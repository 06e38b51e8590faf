// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>

#include "sim/base/units.hpp"

// What the tests of everything share: times are written as 5_ps, 10ns and 1us.
namespace ndsim::test {

inline namespace literals {
using std::chrono_literals::operator""h;
using std::chrono_literals::operator""ns;
using std::chrono_literals::operator""us;
using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;
constexpr Picoseconds operator""_ps(unsigned long long n) {
    return Picoseconds{static_cast<std::int64_t>(n)};
}
}  // namespace literals

}  // namespace ndsim::test
