// SPDX-License-Identifier: Apache-2.0
// min and max of two numbers that need not have the same type, as Windows' macros take them. As templates they leave
// the standard library's own in peace.
#pragma once

#include <type_traits>

template <class A, class B>
[[nodiscard]] constexpr std::common_type_t<A, B> min(A a, B b) {
    using Common = std::common_type_t<A, B>;
    return static_cast<Common>(a) < static_cast<Common>(b) ? static_cast<Common>(a) : static_cast<Common>(b);
}
template <class A, class B>
[[nodiscard]] constexpr std::common_type_t<A, B> max(A a, B b) {
    using Common = std::common_type_t<A, B>;
    return static_cast<Common>(a) > static_cast<Common>(b) ? static_cast<Common>(a) : static_cast<Common>(b);
}
