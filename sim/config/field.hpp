// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
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

// How a run tells that a parameter had no effect: said behind the mark of its field. Of several the first that holds.
// Statistics are those of the host, the switch or the link, without its name in front; a "*" in a name stands for
// anything but a dot, and "a+b" for the sum. A parameter that sizes pools, and says nothing here, had no effect if none
// of them was full.
struct FieldEffect {
    enum class Rule : std::uint8_t { counter, setting, bound, limit };

    Rule rule{};
    std::string_view where;
    std::string_view what = {};    // in words: what never happened
    std::string_view unless = {};  // the parameter's value with which the rule says nothing
};
// Nobody asked for it: what it is for never happened, the statistics are 0.
[[nodiscard]] constexpr FieldEffect counted_by(std::string_view statistics, std::string_view what,
                                               std::string_view unless = {}) {
    return {FieldEffect::Rule::counter, statistics, what, unless};
}
// It bounds something that never came to the bound: the statistics, which count that, are 0.
[[nodiscard]] constexpr FieldEffect bound_counted_by(std::string_view statistics, std::string_view what,
                                                     std::string_view unless = {}) {
    return {FieldEffect::Rule::bound, statistics, what, unless};
}
// Nobody asked for it: another parameter, "a.b", is off, or "a.b=c" is not c.
[[nodiscard]] constexpr FieldEffect used_if(std::string_view setting, std::string_view what) {
    return {FieldEffect::Rule::setting, setting, what};
}
// It is a limit, and the statistics, or the scenario's own parameters of these names, are below it.
[[nodiscard]] constexpr FieldEffect limit_of(std::string_view names) {
    return {FieldEffect::Rule::limit, names};
}

}  // namespace ndsim
