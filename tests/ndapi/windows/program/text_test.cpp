// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <limits>

#include "tests/ndapi/windows/program/loaded_program.hpp"
#include "tests/support/catch.hpp"

namespace text_test {

TEST_CASE("text: comparing without regard to case") {
    FakeHost host;
    const LoadedProgram program("functions", host);
    const Functions& functions = program.functions();
    CHECK(functions.wcsicmp(L"-Server", L"-sERVER") == 0);
    CHECK(functions.wcsicmp(L"a", L"B") < 0);
    CHECK(functions.wcsicmp(L"b", L"A") > 0);
    CHECK(functions.wcsicmp(L"ab", L"a") > 0);
    CHECK(functions.wcsicmp(L"_", L"a") < 0);  // letters compare as small ones
    CHECK(functions.strnicmp("ABx", "aby", 2) == 0);
    CHECK(functions.strnicmp("ABx", "aby", 3) < 0);
}

TEST_CASE("text: numbers at its beginning, the nearest one if it does not fit") {
    FakeHost host;
    const LoadedProgram program("functions", host);
    const Functions& functions = program.functions();
    CHECK(functions.wtol(L"  42 apples") == 42);
    CHECK(functions.wtol(L"-17") == -17);
    CHECK(functions.wtol(L"+17") == 17);
    CHECK(functions.wtol(L"apples") == 0);
    CHECK(functions.wtol(L"") == 0);
    CHECK(functions.wtol(L"2147483647") == 2147483647);
    CHECK(functions.wtol(L"2147483648") == 2147483647);  // a long has 32 bits
    CHECK(functions.wtol(L"-2147483648") == std::numeric_limits<LONG>::min());
    CHECK(functions.wtol(L"-99999999999") == std::numeric_limits<LONG>::min());
    CHECK(functions.wtoi(L"99999999999") == 2147483647);
    CHECK(functions.wtoi64(L"1099511627776") == (LONGLONG{1} << 40));
    CHECK(functions.wtoi64(L"-9223372036854775808") == std::numeric_limits<LONGLONG>::min());
    CHECK(functions.wtoi64(L"9223372036854775808") == std::numeric_limits<LONGLONG>::max());
}

TEST_CASE("text: a copy that does not fit leaves an empty text") {
    FakeHost host;
    const LoadedProgram program("functions", host);
    const Functions& functions = program.functions();
    std::array<wchar_t, 4> wide{};
    CHECK(functions.wcscpy_safe(wide.data(), wide.size(), L"abc") == 0);
    CHECK(std::wstring(wide.data()) == L"abc");
    CHECK(functions.wcscpy_safe(wide.data(), wide.size(), L"abcd") == ERANGE);
    CHECK(wide[0] == L'\0');
    CHECK(functions.wcscpy_safe(wide.data(), 0, L"a") == EINVAL);
    CHECK(functions.wcscpy_safe(wide.data(), wide.size(), nullptr) == EINVAL);

    CHECK(functions.wcscat_safe(wide.data(), wide.size(), L"ab") == 0);
    CHECK(functions.wcscat_safe(wide.data(), wide.size(), L"c") == 0);
    CHECK(std::wstring(wide.data()) == L"abc");
    CHECK(functions.wcscat_safe(wide.data(), wide.size(), L"d") == ERANGE);
    CHECK(wide[0] == L'\0');

    std::array<char, 4> narrow{};
    CHECK(functions.strcpy_safe(narrow.data(), narrow.size(), "") == 0);
    CHECK(functions.strncpy_safe(narrow.data(), narrow.size(), "abcdef", 3) == 0);
    CHECK(std::string(narrow.data()) == "abc");
    constexpr std::size_t kCutAtRoom = static_cast<std::size_t>(-1);                          // _TRUNCATE
    CHECK(functions.strncpy_safe(narrow.data(), narrow.size(), "ghijkl", kCutAtRoom) == 80);  // STRUNCATE
    CHECK(std::string(narrow.data()) == "ghi");

    CHECK(functions.memcpy_safe(narrow.data(), narrow.size(), "12345", 5) == ERANGE);
    CHECK(std::string(narrow.begin(), narrow.end()) == std::string(4, '\0'));
    CHECK(functions.memcpy_safe(narrow.data(), narrow.size(), "1234", 4) == 0);
    CHECK(std::string(narrow.begin(), narrow.end()) == "1234");
}

}  // namespace text_test
