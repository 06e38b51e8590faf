// SPDX-License-Identifier: Apache-2.0
#include "ndapi/windows/program/format.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <cwchar>
#include <string_view>

#include "ndapi/windows/program/directive.hpp"
#include "ndapi/windows/program/numbers.hpp"
#include "ndapi/windows/program/utf8.hpp"

namespace ndsim {
namespace {

class Arguments {
public:
    explicit Arguments(std::va_list list) { va_copy(list_, list); }
    ~Arguments() { va_end(list_); }
    Arguments(const Arguments&) = delete;
    Arguments& operator=(const Arguments&) = delete;

    template <class T>
    T next() {
        return va_arg(list_, T);
    }

private:
    std::va_list list_;
};

std::string signed_argument(const Directive& directive, Arguments& arguments, bool) {
    if (directive.size.bytes == 8) {
        return signed_text(directive, arguments.next<std::int64_t>());
    }
    const int value = arguments.next<int>();
    const unsigned unused = 32 - 8 * directive.size.bytes;  // of the int that a smaller type was passed as
    return signed_text(directive, static_cast<int>(static_cast<unsigned>(value) << unused) >> unused);
}

std::string unsigned_argument(const Directive& directive, Arguments& arguments, bool) {
    if (directive.size.bytes == 8) {
        return unsigned_text(directive, arguments.next<std::uint64_t>());
    }
    const unsigned unused = 32 - 8 * directive.size.bytes;
    return unsigned_text(directive, (arguments.next<unsigned>() << unused) >> unused);
}

std::string real_argument(const Directive& directive, Arguments& arguments, bool) {
    const bool is_long = directive.size.text == "L";
    return real_text(directive,
                     is_long ? static_cast<double>(arguments.next<long double>()) : arguments.next<double>());
}

std::string pointer_argument(const Directive& directive, Arguments& arguments, bool) {
    return pointer_text(directive, arguments.next<const void*>());
}

bool is_wide(const Directive& directive, bool wide_format) {
    if (directive.size.characters != Characters::by_letter) {
        return directive.size.characters == Characters::wide;
    }
    const bool other = directive.letter == 'S' || directive.letter == 'C';
    return other != wide_format;
}

std::string character_argument(const Directive& directive, Arguments& arguments, bool wide_format) {
    const int value = arguments.next<int>();
    if (is_wide(directive, wide_format)) {
        const auto character = static_cast<wchar_t>(value);
        return padded(directive, to_utf8({&character, 1}), 1);
    }
    return padded(directive, std::string(1, static_cast<char>(value)), 1);
}

// A precision bounds how much of a text is looked at, so that it needs no terminator then.
std::string text_argument(const Directive& directive, Arguments& arguments, bool wide_format) {
    const void* argument = arguments.next<const void*>();
    const auto most = directive.precision ? static_cast<std::size_t>(*directive.precision) : std::string::npos;
    if (argument == nullptr) {
        const std::string text = std::string("(null)").substr(0, most);
        return padded(directive, text, text.size());
    }
    if (is_wide(directive, wide_format)) {
        const auto* text = static_cast<const wchar_t*>(argument);
        const std::size_t length = directive.precision ? ::wcsnlen(text, most) : std::wcslen(text);
        return padded(directive, to_utf8({text, length}), length);
    }
    const auto* text = static_cast<const char*>(argument);
    const std::size_t length = directive.precision ? ::strnlen(text, most) : std::strlen(text);
    return padded(directive, std::string(text, length), length);
}

struct Conversion {
    std::string_view letters;
    std::string (*text)(const Directive&, Arguments&, bool wide_format);
};
constexpr std::array kConversions{
    Conversion{"di", signed_argument}, Conversion{"uoxX", unsigned_argument}, Conversion{"eEfFgGaA", real_argument},
    Conversion{"p", pointer_argument}, Conversion{"cC", character_argument},  Conversion{"sS", text_argument},
};

// A negative width means left, a negative precision none.
void take_stars(Directive& directive, Arguments& arguments) {
    if (directive.width_is_argument) {
        const int width = arguments.next<int>();
        directive.left = directive.left || width < 0;
        directive.width = width < 0 ? -width : width;
    }
    if (directive.precision_is_argument) {
        const int precision = arguments.next<int>();
        directive.precision = precision < 0 ? std::nullopt : std::optional(precision);
    }
}

std::string formatted(std::string_view format, Arguments& arguments, bool wide) {
    std::string out;
    for (;;) {
        const std::size_t percent = format.find('%');
        out += format.substr(0, percent);
        if (percent == std::string_view::npos) {
            return out;
        }
        format.remove_prefix(percent + 1);
        std::string_view rest = format;
        std::optional<Directive> directive = take_directive(rest);
        const auto* conversion = std::find_if(kConversions.begin(), kConversions.end(), [&](const Conversion& c) {
            return directive && c.letters.find(directive->letter) != std::string_view::npos;
        });
        if (conversion == kConversions.end()) {
            out += format.substr(0, 1);
            format.remove_prefix(std::min<std::size_t>(1, format.size()));
            continue;
        }
        take_stars(*directive, arguments);
        out += conversion->text(*directive, arguments, wide);
        format = rest;
    }
}

}  // namespace

std::string formatted(const char* format, std::va_list list) {
    Arguments arguments(list);
    return formatted(std::string_view(format), arguments, false);
}

std::string formatted(const wchar_t* format, std::va_list list) {
    Arguments arguments(list);
    return formatted(to_utf8(format), arguments, true);
}

}  // namespace ndsim
