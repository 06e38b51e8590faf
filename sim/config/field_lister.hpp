// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/config/field.hpp"
#include "sim/config/param.hpp"
#include "sim/config/quantity.hpp"

namespace ndsim {

// Ignores the calls that a struct's fields() makes.
struct AnyField {
    template <class... Arguments>
    void operator()(Arguments&&...) const {}
};
// A parameter struct: plain members with their defaults, and one list of them, fields(). See field.hpp.
template <class S>
concept HasFields = requires(S& s) {
    s.fields(AnyField{});
};

// Makes a Param of every field. Only this class and quantity.hpp know the members' types.
class FieldLister {
public:
    FieldLister(std::vector<Param>& params, std::string prefix, std::string_view section = {})
        : params_(params), prefix_(std::move(prefix)), section_(section) {}

    void operator()(std::string_view name, bool& value, std::string_view sentence, Mark mark,
                    const std::same_as<FieldEffect> auto&... effects) {
        static constexpr std::array<std::string_view, 2> kNames{"false", "true"};
        list(name, value,
             {.sentence = sentence,
              .mark = mark,
              .effects = {effects...},
              .form = Form::flag,
              .high = 1,
              .choices = kNames});
    }
    // `names` lives as long as the program.
    template <class Enum, std::size_t kCount>
    requires std::is_enum_v<Enum>
    void operator()(std::string_view name, Enum& value, const std::array<std::string_view, kCount>& names,
                    std::string_view sentence, Mark mark, const std::same_as<FieldEffect> auto&... effects) {
        static_assert(kCount > 0);
        list(name, value,
             {.sentence = sentence,
              .mark = mark,
              .effects = {effects...},
              .form = Form::choice,
              .high = kCount - 1,
              .choices = names});
    }
    template <class Count, class Limit>
    requires std::is_same_v<Count, std::uint32_t> || std::is_same_v<Count, std::uint64_t>
    void operator()(std::string_view name, Count& value, Between<Limit> range, std::string_view sentence, Mark mark,
                    const std::same_as<FieldEffect> auto&... effects) {
        static_assert(std::is_unsigned_v<Limit> && sizeof(Limit) <= sizeof(Count), "limits that the member can hold");
        list(name, value,
             {.sentence = sentence,
              .mark = mark,
              .effects = {effects...},
              .form = Form::count,
              .low = range.low,
              .high = range.high,
              .powers_of_two = range.powers_of_two});
    }
    // A count that may be left to the simulator. Then the value is empty, and `word`, which lives as long as the
    // program, is written instead.
    void operator()(std::string_view name, std::optional<std::uint64_t>& value,
                    const std::array<std::string_view, 1>& word, Between<std::uint64_t> range,
                    std::string_view sentence, Mark mark) {
        Param::Declaration declaration{.path = path_of(name),
                                       .sentence = sentence,
                                       .section = section_,
                                       .mark = mark,
                                       .form = Form::count,
                                       .low = range.low,
                                       .high = range.high,
                                       .choices = word,
                                       .target = &value};
        using Count = std::optional<std::uint64_t>;
        declaration.get = [](const void* from) { return static_cast<const Count*>(from)->value_or(Param::kNoNumber); };
        declaration.put = [](void* to, std::uint64_t count) {
            *static_cast<Count*>(to) = count == Param::kNoNumber ? Count{} : Count{count};
        };
        params_.emplace_back(std::move(declaration));
    }
    template <IsQuantity T, class Limit>
    void operator()(std::string_view name, T& value, Between<Limit> range, std::string_view sentence, Mark mark,
                    const std::same_as<FieldEffect> auto&... effects) {
        using Of = QuantityOf<T>;
        list(name, value,
             {.sentence = sentence,
              .mark = mark,
              .effects = {effects...},
              .form = Form::quantity,
              .quantity = Of::kind,
              .low = Of::count(range.low),
              .high = Of::count(range.high),
              .powers_of_two = range.powers_of_two});
    }
    template <HasFields S>
    void operator()(std::string_view name, S& nested, std::string_view sentence) {
        nested.fields(FieldLister(params_, path_of(name), sentence));
    }

private:
    template <class T>
    void list(std::string_view name, T& value, Param::Declaration declaration) {
        declaration.path = path_of(name);
        declaration.section = section_;
        declaration.target = &value;
        if constexpr (IsQuantity<T>) {
            declaration.get = [](const void* from) { return QuantityOf<T>::count(*static_cast<const T*>(from)); };
            declaration.put = [](void* to, std::uint64_t count) { *static_cast<T*>(to) = QuantityOf<T>::make(count); };
        } else {
            declaration.get = [](const void* from) { return static_cast<std::uint64_t>(*static_cast<const T*>(from)); };
            declaration.put = [](void* to, std::uint64_t count) { *static_cast<T*>(to) = static_cast<T>(count); };
        }
        params_.emplace_back(std::move(declaration));
    }
    [[nodiscard]] std::string path_of(std::string_view name) const {
        return prefix_.empty() ? std::string(name) : prefix_ + "." + std::string(name);
    }

    std::vector<Param>& params_;
    std::string prefix_;
    std::string_view section_;
};

// All parameters of a struct, in the order of its list. The struct must outlive them and stay where it is.
template <HasFields S>
[[nodiscard]] std::vector<Param> params_of(S& s, std::string prefix) {
    std::vector<Param> params;
    s.fields(FieldLister(params, std::move(prefix)));
    return params;
}

}  // namespace ndsim
