// SPDX-License-Identifier: Apache-2.0
// std::cout and its like of a program: what goes there goes where printf's goes. They have the names of the C++
// library's own, and come before them; nothing is kept back in them.
#include <array>
#include <cstddef>
#include <new>
#include <ostream>
#include <streambuf>
#include <string>

#include "ndapi/windows/program/streams.hpp"
#include "ndapi/windows/program/utf8.hpp"

namespace ndsim {

// Room for what is made before the program's own static variables are, and never destroyed.
template <class Object>
struct alignas(Object) Room {
    std::array<std::byte, sizeof(Object)> bytes;
};

namespace {

std::string narrow(std::string_view text) {
    return std::string(text);
}
std::string narrow(std::wstring_view text) {
    return to_utf8(text);
}

template <class Character>
class Output final : public std::basic_streambuf<Character> {
    using Traits = std::char_traits<Character>;
    using View = std::basic_string_view<Character>;

public:
    explicit Output(std::FILE* stream) : stream_(stream) {}

protected:
    std::streamsize xsputn(const Character* text, std::streamsize count) override {
        return emit(stream_, narrow(View(text, static_cast<std::size_t>(count)))) ? count : 0;
    }
    typename Traits::int_type overflow(typename Traits::int_type code) override {
        const Character character = Traits::to_char_type(code);
        const bool is_end = Traits::eq_int_type(code, Traits::eof());
        return is_end || emit(stream_, narrow(View(&character, 1))) ? Traits::not_eof(code) : Traits::eof();
    }

private:
    std::FILE* stream_;
};

Room<Output<char>> out;
Room<Output<char>> error;
Room<Output<wchar_t>> wide_out;
Room<Output<wchar_t>> wide_error;

}  // namespace

Room<std::ostream> cout_room asm("_ZSt4cout");
Room<std::ostream> cerr_room asm("_ZSt4cerr");
Room<std::ostream> clog_room asm("_ZSt4clog");
Room<std::wostream> wcout_room asm("_ZSt5wcout");
Room<std::wostream> wcerr_room asm("_ZSt5wcerr");
Room<std::wostream> wclog_room asm("_ZSt5wclog");

namespace {

[[gnu::constructor(101)]] void make_streams() {
    auto* const to_out = new (&out) Output<char>(stdout);
    auto* const to_error = new (&error) Output<char>(stderr);
    auto* const to_wide_out = new (&wide_out) Output<wchar_t>(stdout);
    auto* const to_wide_error = new (&wide_error) Output<wchar_t>(stderr);
    new (&cout_room) std::ostream(to_out);
    new (&cerr_room) std::ostream(to_error);
    new (&clog_room) std::ostream(to_error);
    new (&wcout_room) std::wostream(to_wide_out);
    new (&wcerr_room) std::wostream(to_wide_error);
    new (&wclog_room) std::wostream(to_wide_error);
}

}  // namespace
}  // namespace ndsim
