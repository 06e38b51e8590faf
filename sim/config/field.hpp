// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>

namespace ndsim {

// Where a parameter's value comes from: read in a public source, remembered from one, derived from others by
// arithmetic, estimated without a source, or stated by the documents of the interface.
enum class Mark : std::uint8_t { seen, memory, derived, estimate, documented };

// The range of a parameter, both ends included.
template <class T>
struct Between {
    T low;
    T high;
};
template <class A, class B>
[[nodiscard]] constexpr auto between(A low, B high) {
    using T = std::common_type_t<A, B>;
    return Between<T>{T(low), T(high)};
}

}  // namespace ndsim
