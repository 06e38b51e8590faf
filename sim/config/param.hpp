// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/config/field.hpp"
#include "sim/config/json.hpp"
#include "sim/config/quantity.hpp"

namespace ndsim {

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
        std::vector<FieldEffect> effects{};
        Form form{};
        Quantity quantity{};  // if the form is quantity
        std::uint64_t low = 0;
        std::uint64_t high = 0;
        bool powers_of_two = false;  // of the count, or of the quantity's smallest unit
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
    [[nodiscard]] bool takes_powers_of_two() const { return is_.powers_of_two; }  // and nothing else
    [[nodiscard]] std::string current() const { return text(value()); }
    [[nodiscard]] std::uint64_t value() const { return is_.get(is_.target); }
    // The names of a flag or choice, and the word that may replace a count's number, if any.
    [[nodiscard]] std::span<const std::string_view> choices() const { return is_.choices; }
    [[nodiscard]] std::string_view sentence() const { return is_.sentence; }
    [[nodiscard]] std::string_view section() const { return is_.section; }
    [[nodiscard]] Mark mark() const { return is_.mark; }
    [[nodiscard]] const std::vector<FieldEffect>& effects() const { return is_.effects; }  // often none

    // Sets the parameter from a value in a file, or from a text as on the command line (without quotes). Or returns a
    // sentence about what is wrong, and changes nothing.
    [[nodiscard]] std::optional<std::string> set(const JsonNode& node);
    [[nodiscard]] std::optional<std::string> set(std::string_view text);

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
    [[nodiscard]] std::optional<std::string> set(std::string_view text, const std::string& shown);

    Declaration is_;
};

}  // namespace ndsim
