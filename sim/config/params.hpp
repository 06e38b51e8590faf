// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/config/field.hpp"
#include "sim/config/json.hpp"
#include "sim/config/problems.hpp"
#include "sim/config/quantity.hpp"

namespace ndsim {

// The last source that set a parameter.
enum class Origin : std::uint8_t { default_, preset, file, command_line };

[[nodiscard]] std::string_view word(Origin origin);
[[nodiscard]] std::string_view word(Mark mark);

// The notation of a parameter's value: true or false, a whole number, a name, or a number and a unit.
enum class Form : std::uint8_t { flag, count, choice, quantity };

// Param: one parameter of a live parameter struct, whatever its type, as the loader, --set, the JSON schema and the
// reference page need it. Refers to the struct, which must stay where it is. Values are 64-bit numbers inside: 0 or 1,
// the count, the enumerator, or the number of the quantity's smallest units.
class Param {
public:
    // The parameter as its field declares it.
    struct Declaration {
        std::string path{};  // nic.sq.depth
        std::string_view sentence{};
        std::string_view section{};  // the sentence of the nested struct around it; empty outside of one
        Mark mark{};
        Form form{};
        Quantity quantity{};  // if the form is quantity
        std::uint64_t low = 0;
        std::uint64_t high = 0;
        // Names of 0, 1, 2 ... of a flag or choice. Of a count: the word for no number, if that is allowed.
        std::span<const std::string_view> choices{};
        void* target = nullptr;
        std::uint64_t (*get)(const void*) = nullptr;
        void (*put)(void*, std::uint64_t) = nullptr;
    };
    explicit Param(Declaration declaration) : is_(std::move(declaration)) {}

    [[nodiscard]] const std::string& path() const { return is_.path; }
    [[nodiscard]] std::string_view type() const;  // time, size, rate, ..., count, flag, choice
    [[nodiscard]] JsonKind written_as() const;    // boolean, integer or string
    [[nodiscard]] std::string low() const { return text(is_.low); }
    [[nodiscard]] std::string high() const { return text(is_.high); }
    [[nodiscard]] std::string current() const { return text(value()); }
    [[nodiscard]] std::uint64_t value() const { return is_.get(is_.target); }
    // The names of a flag or choice, and the word that may replace a count's number, if any.
    [[nodiscard]] std::span<const std::string_view> choices() const { return is_.choices; }
    [[nodiscard]] std::string_view sentence() const { return is_.sentence; }
    [[nodiscard]] std::string_view section() const { return is_.section; }
    [[nodiscard]] Mark mark() const { return is_.mark; }
    [[nodiscard]] Origin origin() const { return origin_; }

    // Sets the parameter from a value in a file, or from a text as on the command line (without quotes). Or returns a
    // sentence about what is wrong, and changes nothing.
    [[nodiscard]] std::optional<std::string> set(const JsonNode& node, Origin origin);
    [[nodiscard]] std::optional<std::string> set(std::string_view text, Origin origin);

    // Whether it is a count set to its word, not to a number.
    [[nodiscard]] bool is_word() const { return is_word(current()); }
    static constexpr std::uint64_t kNoNumber = UINT64_MAX;  // its value then

private:
    [[nodiscard]] std::string text(std::uint64_t value) const;
    [[nodiscard]] bool is_word(std::string_view text) const {
        return is_.form == Form::count && !is_.choices.empty() && text == is_.choices.front();
    }
    [[nodiscard]] std::string expected() const;
    [[nodiscard]] Parsed<std::uint64_t> parsed(std::string_view text, const std::string& shown) const;
    [[nodiscard]] std::optional<std::string> set(std::string_view text, const std::string& shown, Origin origin);

    Declaration is_;
    Origin origin_ = Origin::default_;
};

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

// Makes a Param of every field, whatever its effects. Only this class and quantity.hpp know the members' types.
class FieldLister {
public:
    FieldLister(std::vector<Param>& params, std::string prefix, std::string_view section = {})
        : params_(params), prefix_(std::move(prefix)), section_(section) {}

    void operator()(std::string_view name, bool& value, std::string_view sentence, Mark mark,
                    const std::same_as<FieldEffect> auto&...) {
        static constexpr std::array<std::string_view, 2> kNames{"false", "true"};
        list(name, value, {.sentence = sentence, .mark = mark, .form = Form::flag, .high = 1, .choices = kNames});
    }
    // `names` lives as long as the program.
    template <class Enum, std::size_t kCount>
    requires std::is_enum_v<Enum>
    void operator()(std::string_view name, Enum& value, const std::array<std::string_view, kCount>& names,
                    std::string_view sentence, Mark mark, const std::same_as<FieldEffect> auto&...) {
        static_assert(kCount > 0);
        list(name, value,
             {.sentence = sentence, .mark = mark, .form = Form::choice, .high = kCount - 1, .choices = names});
    }
    template <class Count, class Limit>
    requires std::is_same_v<Count, std::uint32_t> || std::is_same_v<Count, std::uint64_t>
    void operator()(std::string_view name, Count& value, Between<Limit> range, std::string_view sentence, Mark mark,
                    const std::same_as<FieldEffect> auto&...) {
        static_assert(std::is_unsigned_v<Limit> && sizeof(Limit) <= sizeof(Count), "limits that the member can hold");
        list(name, value,
             {.sentence = sentence, .mark = mark, .form = Form::count, .low = range.low, .high = range.high});
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
                    const std::same_as<FieldEffect> auto&...) {
        using Of = QuantityOf<T>;
        list(name, value,
             {.sentence = sentence,
              .mark = mark,
              .form = Form::quantity,
              .quantity = Of::kind,
              .low = Of::count(range.low),
              .high = Of::count(range.high)});
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

// How a JSON object of parameters is read.
struct ReadOptions {
    Origin origin = Origin::file;
    std::span<const std::string_view> own_keys{};  // keys of the outermost object that the caller reads
};

// Sets these parameters from the JSON object at `path`. Everything wrong is added to `problems`; valid parameters are
// set all the same.
void read_params(std::span<Param> params, const JsonNode& object, const std::string& path, Problems& problems,
                 ReadOptions options = {});
template <HasFields S>
void read_params(S& s, const JsonNode& object, const std::string& path, Problems& problems, ReadOptions options = {}) {
    std::vector<Param> params = params_of(s, path);
    read_params(params, object, path, problems, options);
}

// Sets the parameter of this path, as --set does; or returns a sentence about what is wrong.
[[nodiscard]] std::optional<std::string> set_param(std::span<Param> params, std::string_view path,
                                                   std::string_view text, Origin origin = Origin::command_line);

}  // namespace ndsim
