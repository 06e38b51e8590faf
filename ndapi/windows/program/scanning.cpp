// SPDX-License-Identifier: Apache-2.0
// The scanf family: a format of Windows becomes one of the C library, and what is to be filled a list of addresses.
#include "ndapi/windows/abi/scanning.h"

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

namespace {

constexpr std::size_t kMostFields = 24;

template <class Character>
struct Field {
    bool suppressed = false;
    std::optional<std::size_t> width;
    std::string size;  // h, l, I64 and the like
    Character letter{};
    std::basic_string<Character> set;  // of [
};

template <class Character>
bool is_one_of(Character character, std::string_view letters) {
    return character > 0 && character < 128 && letters.find(static_cast<char>(character)) != std::string_view::npos;
}

// What is between the brackets, with both of them.
template <class Character>
std::basic_string<Character> taken_set(std::basic_string_view<Character>& format) {
    std::size_t end = format.starts_with(Character{'^'}) ? 2 : 1;  // a bracket that is the first stands for itself
    while (end < format.size() && format[end] != Character{']'}) {
        ++end;
    }
    std::basic_string<Character> set(format.substr(0, end + 1));
    format.remove_prefix(std::min(end + 1, format.size()));
    return set;
}

// `format` begins behind the percent sign.
template <class Character>
Field<Character> taken_field(std::basic_string_view<Character>& format) {
    Field<Character> field;
    const auto next = [&] { return format.empty() ? Character{} : format.front(); };
    if (next() == Character{'*'}) {
        field.suppressed = true;
        format.remove_prefix(1);
    }
    for (; is_one_of(next(), "0123456789"); format.remove_prefix(1)) {
        field.width = field.width.value_or(0) * 10 + static_cast<std::size_t>(next() - Character{'0'});
    }
    while (is_one_of(next(), "hlLwIjzt") || (field.size.starts_with('I') && is_one_of(next(), "0123456789"))) {
        field.size += static_cast<char>(next());
        format.remove_prefix(1);
    }
    field.letter = next();
    if (!format.empty()) {
        format.remove_prefix(1);
    }
    if (field.letter == Character{'['}) {
        field.set = taken_set(format);
    }
    return field;
}

template <class Character>
bool is_text(const Field<Character>& field) {
    return is_one_of(field.letter, "sScC[");
}

template <class Character>
bool is_wide(const Field<Character>& field) {
    if (!field.size.empty()) {
        return field.size != "h";
    }
    return is_one_of(field.letter, "SC") != (sizeof(Character) > 1);
}

// The C library's way to say how large a number is.
template <class Character>
std::string size_of(const Field<Character>& field) {
    if (is_one_of(field.letter, "aAeEfFgG")) {
        return field.size.empty() ? "" : "l";
    }
    if (field.size == "h" || field.size == "hh") {
        return field.size;
    }
    const bool is_long = field.size == "ll" || field.size == "I64" ||
                         is_one_of(field.size.empty() ? '-' : field.size[0], "jzt") || field.size == "I";
    return is_long ? "ll" : "";
}

template <class Character>
class Scan {
public:
    using Text = std::basic_string<Character>;

    // With `safe` texts have sizes in the list.
    Scan(std::basic_string_view<Character> format, va_list list, bool safe) {
        va_copy(list_, list);
        while (!format.empty()) {
            const Character character = format.front();
            format.remove_prefix(1);
            format_ += character;
            if (character == Character{'%'} && !add(taken_field(format), safe)) {
                format_.pop_back();
                return;
            }
        }
    }
    Scan(const Scan&) = delete;
    Scan& operator=(const Scan&) = delete;
    ~Scan() { va_end(list_); }
    [[nodiscard]] const Character* format() const { return format_.c_str(); }
    [[nodiscard]] const std::array<void*, kMostFields>& addresses() const { return addresses_; }

private:
    // False if nothing fits: the scan ends there.
    bool add(Field<Character> field, bool safe) {
        if (field.letter == Character{'%'}) {
            format_ += field.letter;
            return true;
        }
        if (!field.suppressed) {
            if (count_ == addresses_.size()) {
                return false;
            }
            addresses_[count_++] = va_arg(list_, void*);
        }
        if (is_text(field) && safe && !field.suppressed && !limit(field, va_arg(list_, unsigned))) {
            return false;
        }
        append(field);
        return true;
    }

    // A terminator has to fit, too, unless these are single characters.
    static bool limit(Field<Character>& field, std::size_t size) {
        if (is_one_of(field.letter, "cC")) {
            return field.width.value_or(1) <= size;
        }
        field.width = std::min(field.width.value_or(size), size - 1);
        return size > 1;
    }

    void append(const Field<Character>& field) {
        if (field.suppressed) {
            format_ += Character{'*'};
        }
        if (field.width) {
            const std::string digits = std::to_string(*field.width);
            format_.append(digits.begin(), digits.end());
        }
        const std::string size = is_text(field) ? (is_wide(field) ? "l" : "") : size_of(field);
        format_.append(size.begin(), size.end());
        format_ += field.letter == Character{'S'}   ? Character{'s'}
                   : field.letter == Character{'C'} ? Character{'c'}
                                                    : field.letter;
        format_ += field.set;
    }

    va_list list_;
    Text format_;
    std::array<void*, kMostFields> addresses_{};
    std::size_t count_ = 0;
};

int library_scan(const char* text, const char* format, ...) {
    va_list list;
    va_start(list, format);
    const int fields = std::vsscanf(text, format, list);
    va_end(list);
    return fields;
}
int library_scan(const wchar_t* text, const wchar_t* format, ...) {
    va_list list;
    va_start(list, format);
    const int fields = std::vswscanf(text, format, list);
    va_end(list);
    return fields;
}

template <class Character>
int scan(const Character* text, const Character* format, va_list list, bool safe) {
    const Scan<Character> made(format, list, safe);
    const auto& at = made.addresses();
    return library_scan(text, made.format(), at[0], at[1], at[2], at[3], at[4], at[5], at[6], at[7], at[8], at[9],
                        at[10], at[11], at[12], at[13], at[14], at[15], at[16], at[17], at[18], at[19], at[20], at[21],
                        at[22], at[23]);
}

}  // namespace

extern "C" {

int sscanf_s(const char* text, const char* format, ...) {
    va_list list;
    va_start(list, format);
    const int fields = scan(text, format, list, true);
    va_end(list);
    return fields;
}
int swscanf_s(const wchar_t* text, const wchar_t* format, ...) {
    va_list list;
    va_start(list, format);
    const int fields = scan(text, format, list, true);
    va_end(list);
    return fields;
}
}
