// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>

namespace ndsim {

// The source of a parameter's value: read in a public source, remembered from one, derived from others by arithmetic,
// estimated without a source, or stated by the documents of the interface.
enum class Mark : std::uint8_t { seen, memory, derived, estimate, documented };

// The range of a parameter, both ends included.
template <class T>
struct Between {
    T low;
    T high;
    bool powers_of_two = false;  // no other values
};
template <class A, class B>
[[nodiscard]] constexpr auto between(A low, B high) {
    using T = std::common_type_t<A, B>;
    return Between<T>{T(low), T(high)};
}
template <class T>
[[nodiscard]] constexpr auto powers_of_two(T low, T high) {
    return Between<T>{low, high, true};
}

// How a run detects that a parameter had no effect; listed behind the mark of its field. If several hold, the first
// counts. Statistics are those of the host, the switch or the link, without its name in front. In a name, "*" stands
// for anything but a dot, and "a+b" for the sum. A parameter that sizes pools and has no rule had no effect if none of
// its pools was full.
struct FieldEffect {
    enum class Rule : std::uint8_t { counter, setting, bound, floor, limit };

    Rule rule{};
    std::string_view where;
    std::string_view what = {};    // in words: the event that never happened
    std::string_view unless = {};  // the parameter's value that turns the rule off
};
// Not needed: its event never happened, the statistics are 0.
[[nodiscard]] constexpr FieldEffect counted_by(std::string_view statistics, std::string_view what,
                                               std::string_view unless = {}) {
    return {FieldEffect::Rule::counter, statistics, what, unless};
}
// A bound that was never reached: the statistics, which count how often it was, are 0.
[[nodiscard]] constexpr FieldEffect bound_counted_by(std::string_view statistics, std::string_view what,
                                                     std::string_view unless = {}) {
    return {FieldEffect::Rule::bound, statistics, what, unless};
}
// The reverse, such as a delay that nothing had to wait for: the statistics, which count how often something had to,
// are 0, so a smaller value would have done as well, and a larger one may not.
[[nodiscard]] constexpr FieldEffect floor_counted_by(std::string_view statistics, std::string_view what) {
    return {FieldEffect::Rule::floor, statistics, what};
}
// Not needed: another parameter, "a.b", is off, or "a.b=c" is not c.
[[nodiscard]] constexpr FieldEffect used_if(std::string_view setting, std::string_view what) {
    return {FieldEffect::Rule::setting, setting, what};
}
// A limit, and the statistics, or the scenario's own parameters of these names, are below it.
[[nodiscard]] constexpr FieldEffect limit_of(std::string_view names) {
    return {FieldEffect::Rule::limit, names};
}

}  // namespace ndsim
