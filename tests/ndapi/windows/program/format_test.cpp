// SPDX-License-Identifier: Apache-2.0
// Windows' rules of the printf family (win.md 1). What follows C's own rules is derived from those.
#include <cstdint>
#include <limits>

#include "tests/ndapi/windows/program/loaded_program.hpp"
#include "tests/support/catch.hpp"

namespace format_test {

// Formats with the library's snprintf and swprintf.
class Formats {
public:
    template <class... Values>
    std::string narrow(const char* format, Values... values) const {
        std::array<char, 500> buffer{};
        const int length = functions_.snprintf_(buffer.data(), buffer.size(), format, values...);
        CHECK(length == static_cast<int>(std::string(buffer.data()).size()));
        return buffer.data();
    }
    template <class... Values>
    std::wstring wide(const wchar_t* format, Values... values) const {
        std::array<wchar_t, 500> buffer{};
        const int length = functions_.swprintf_(buffer.data(), buffer.size(), format, values...);
        CHECK(length == static_cast<int>(std::wstring(buffer.data()).size()));
        return buffer.data();
    }

private:
    FakeHost host_;
    LoadedProgram program_{"functions", host_};
    const Functions& functions_ = program_.functions();
};

constexpr std::uint64_t kAllBits = std::numeric_limits<std::uint64_t>::max();
constexpr std::int64_t kLarge = std::int64_t{1} << 40;  // 1099511627776

TEST_CASE("format: sign, width, precision and zeros of integers") {
    const Formats formats{};
    CHECK(formats.narrow("%d|%i|%u", -5, 5, 5U) == "-5|5|5");
    CHECK(formats.narrow("%5d|%-5d|%05d", -5, -5, -5) == "   -5|-5   |-0005");
    CHECK(formats.narrow("%+d|% d|%+d", 5, 5, -5) == "+5| 5|-5");
    CHECK(formats.narrow("%.3d|%6.3d|%06.3d|%-6.3d|", 5, -5, -5, 5) == "005|  -005|  -005|005   |");
    CHECK(formats.narrow("%.0d|%d", 0, 0) == "|0");  // no digit is needed for 0 then
    CHECK(formats.narrow("%d|%d", 2147483647, std::numeric_limits<int>::min()) == "2147483647|-2147483648");
    CHECK(formats.narrow("%*d|%-*d|%*d|", 4, 7, 4, 7, -4, 7) == "   7|7   |7   |");
    CHECK(formats.narrow("%.*d|%.*d", 3, 7, -1, 7) == "007|7");
}

TEST_CASE("format: bases and their marks") {
    const Formats formats{};
    CHECK(formats.narrow("%x|%X|%o", 0xBEEFU, 0xBEEFU, 8U) == "beef|BEEF|10");
    CHECK(formats.narrow("%#x|%#X|%#o|%#x", 0xBEEFU, 0xBEEFU, 8U, 0U) == "0xbeef|0XBEEF|010|0");
    CHECK(formats.narrow("%08x|%#010x|%8x|", 0xBEEFU, 0xBEEFU, 0xBEEFU) == "0000beef|0x0000beef|    beef|");
    CHECK(formats.narrow("%08lx", 0xC000020DU) == "c000020d");
}

TEST_CASE("format: sizes are those of Windows") {
    const Formats formats{};
    CHECK(formats.narrow("%I64d|%I64u|%I64x", -kLarge, kAllBits, kAllBits) ==
          "-1099511627776|18446744073709551615|ffffffffffffffff");
    CHECK(formats.narrow("%lld|%llu", -kLarge, kAllBits) == "-1099511627776|18446744073709551615");
    CHECK(formats.narrow("%Id|%Iu|%zu", kLarge, kAllBits, kAllBits) ==  // I is as many as a pointer has
          "1099511627776|18446744073709551615|18446744073709551615");
    // a long has 32 bits: of 2^40 + 5 it sees the 5, of 2^32 - 1 a -1
    CHECK(formats.narrow("%lu|%ld|%I32u", kLarge + 5, 0xFFFFFFFFU, 7U) == "5|-1|7");
    CHECK(formats.narrow("%hd|%hu|%hhu|%hhd", 65537, 65537, 257, 255) == "1|1|1|-1");
    CHECK(formats.narrow("%I64d then %d", kLarge, 3) == "1099511627776 then 3");
}

TEST_CASE("format: texts and characters, narrow and wide") {
    const Formats formats{};
    CHECK(formats.narrow("%s|%S|%ls|%ws|%hs|%hS", "ab", L"cd", L"ef", L"gh", "ij", "kl") == "ab|cd|ef|gh|ij|kl");
    CHECK(formats.narrow("%c|%C|%lc|%hc", 'a', L'b', L'c', 'd') == "a|b|c|d");
    CHECK(formats.narrow("%S|%C", L"\u00e4\u20ac", L'\u00e4') == "\xC3\xA4\xE2\x82\xAC|\xC3\xA4");
    CHECK(formats.narrow("%4s|%-4s|%.1s|%4.1s|%c%3c|", "ab", "ab", "ab", "ab", 'x', 'y') == "  ab|ab  |a|   a|x  y|");
    CHECK(formats.narrow("%3S|%.1S", L"\u00e4", L"\u00e4b") == "  \xC3\xA4|\xC3\xA4");
    CHECK(formats.narrow("%s|%S|%.3s", nullptr, nullptr, nullptr) == "(null)|(null)|(nu");

    const std::array<char, 2> no_end{'a', 'b'};  // a precision looks no further
    CHECK(formats.narrow("%.2s", no_end.data()) == "ab");
}

TEST_CASE("format: a wide format means the other width by the same letters") {
    const Formats formats{};
    CHECK(formats.wide(L"%s|%S|%ls|%hs|%c|%C", L"ab", "cd", L"ef", "gh", L'i', 'j') == L"ab|cd|ef|gh|i|j");
    CHECK(formats.wide(L"%s %I64u %08x", L"\u00e4\u20ac", kAllBits, 1U) ==
          L"\u00e4\u20ac 18446744073709551615 00000001");
    CHECK(formats.wide(L"%5s|%-5s|", L"\u00e4", L"\u00e4") == L"    \u00e4|\u00e4    |");
}

TEST_CASE("format: real numbers") {
    const Formats formats{};
    CHECK(formats.narrow("%f|%.2f|%.0f|%8.1f|%-8.1f|", 1.5, 0.126, 2.0, 3.125, 3.125) ==
          "1.500000|0.13|2|     3.1|3.1     |");
    CHECK(formats.narrow("%+.1f|%07.2f|% .1f", 2.0, -1.5, 2.0) == "+2.0|-001.50| 2.0");
    CHECK(formats.narrow("%e|%.2E", 12345.678, 0.5) == "1.234568e+04|5.00E-01");
    CHECK(formats.narrow("%g|%g|%g|%G", 0.0001, 100000.0, 1000000.0, 1e-10) == "0.0001|100000|1e+06|1E-10");
    CHECK(formats.narrow("%a", 1.0) == "0x1p+0");
    CHECK(formats.narrow("%.1Lf", 2.5L) == "2.5");
    const double infinity = std::numeric_limits<double>::infinity();
    CHECK(formats.narrow("%f|%F|%06f", infinity, -infinity, infinity) == "inf|-INF|   inf");  // no zeros before a word
}

TEST_CASE("format: a pointer has all its digits") {
    const Formats formats{};
    CHECK(formats.narrow("%p", reinterpret_cast<void*>(std::uintptr_t{0xBEEF})) == "000000000000BEEF");
    CHECK(formats.narrow("%p", nullptr) == "0000000000000000");
}

TEST_CASE("format: what is no directive is copied without its percent sign") {
    const Formats formats{};
    CHECK(formats.narrow("100%%, %y, %d", 1) == "100%, y, 1");
    CHECK(formats.narrow("end %") == "end ");
    CHECK(formats.narrow("").empty());
}

TEST_CASE("format: a text that does not fit") {
    FakeHost host;
    const LoadedProgram program("functions", host);
    const Functions& functions = program.functions();
    constexpr std::size_t kCutAtRoom = static_cast<std::size_t>(-1);  // _TRUNCATE
    // What it returns, and what is in the buffer then.
    const auto row = [](int length, const std::array<char, 6>& buffer) {
        return std::pair(length, std::string(buffer.begin(), buffer.end()));
    };
    const std::string zero(1, '\0');
    std::array<char, 6> buffer{};
    buffer.fill('#');
    CHECK(row(functions.snprintf_(buffer.data(), 4, "%d", 12345), buffer) == std::pair(5, "123" + zero + "##"));
    buffer.fill('#');
    CHECK(row(functions.snprintf_(nullptr, 0, "%d", 12345), buffer) == std::pair(5, std::string("######")));
    buffer.fill('#');  // without a terminator, also where it fits exactly
    CHECK(row(functions.snprintf_old(buffer.data(), 4, "%d", 12345), buffer) == std::pair(-1, std::string("1234##")));
    buffer.fill('#');
    CHECK(row(functions.snprintf_old(buffer.data(), 5, "%d", 12345), buffer) == std::pair(5, std::string("12345#")));
    buffer.fill('#');
    CHECK(row(functions.sprintf_safe(buffer.data(), 5, "%d", 12345), buffer) == std::pair(-1, zero + "#####"));
    buffer.fill('#');
    CHECK(row(functions.sprintf_safe(buffer.data(), 6, "%d", 12345), buffer) == std::pair(5, "12345" + zero));
    buffer.fill('#');
    CHECK(row(functions.snprintf_safe(buffer.data(), 6, 2, "%d", 12345), buffer) == std::pair(-1, "12" + zero + "###"));
    buffer.fill('#');
    CHECK(row(functions.snprintf_safe(buffer.data(), 4, kCutAtRoom, "%d", 12345), buffer) ==
          std::pair(-1, "123" + zero + "##"));

    std::array<wchar_t, 4> wide{};
    CHECK(functions.swprintf_(wide.data(), wide.size(), L"%d", 12345) == -1);
    CHECK(std::wstring(wide.data()) == L"123");
    CHECK(functions.swprintf_safe(wide.data(), wide.size(), L"%d", 12345) == -1);
    CHECK(wide[0] == L'\0');
    CHECK(functions.snwprintf_old(wide.data(), wide.size(), L"%d", 12345) == -1);
    CHECK(std::wstring(wide.begin(), wide.end()) == L"1234");
}

}  // namespace format_test
