// SPDX-License-Identifier: Apache-2.0
#include "ndapi/windows/abi/messages.h"

#include <algorithm>
#include <string>

#include "ndapi/windows/abi/constants.h"
#include "ndapi/windows/abi/memory.h"
#include "ndapi/windows/program/instance.hpp"
#include "ndapi/windows/program/utf8.hpp"

using ndsim::host;

namespace {

constexpr DWORD kFailed = 0;

template <class Character>
std::basic_string<Character> text_of(DWORD message) {
    static constexpr char kDigits[] = "0123456789ABCDEF";
    std::string text = "Error 0x";
    for (int shift = 28; shift >= 0; shift -= 4) {
        text += kDigits[(message >> shift) & 0xF];
    }
    text += ".\r\n";
    return {text.begin(), text.end()};
}

// With FORMAT_MESSAGE_ALLOCATE_BUFFER the buffer is where the address of a new one goes.
template <class Character>
DWORD format(DWORD flags, DWORD message, Character* buffer, DWORD size) {
    if ((flags & FORMAT_MESSAGE_FROM_SYSTEM) == 0) {
        host().set_last_error(ERROR_NOT_SUPPORTED);
        return kFailed;
    }
    const auto text = text_of<Character>(message);
    const std::size_t needed = text.size() + 1;
    if ((flags & FORMAT_MESSAGE_ALLOCATE_BUFFER) != 0) {
        auto* made =
            static_cast<Character*>(LocalAlloc(LMEM_FIXED, std::max<std::size_t>(needed, size) * sizeof(Character)));
        *reinterpret_cast<Character**>(buffer) = made;
        buffer = made;
    } else if (needed > size) {
        host().set_last_error(ERROR_INSUFFICIENT_BUFFER);
        return kFailed;
    }
    *std::copy(text.begin(), text.end(), buffer) = Character{};
    return static_cast<DWORD>(text.size());
}

template <class Character>
int hand_out(const std::basic_string<Character>& converted, Character* buffer, int size) {
    const auto length = static_cast<int>(converted.size());
    if (size == 0) {
        return length;
    }
    if (size < length) {
        host().set_last_error(ERROR_INSUFFICIENT_BUFFER);
        return 0;
    }
    std::copy(converted.begin(), converted.end(), buffer);
    return length;
}

// A length of -1 is up to the terminator, and with it.
template <class Character>
std::basic_string_view<Character> view(const Character* text, int length) {
    return {text, length >= 0 ? static_cast<std::size_t>(length) : std::char_traits<Character>::length(text) + 1};
}

}  // namespace

DWORD FormatMessageW(DWORD flags, LPCVOID, DWORD message, DWORD, LPWSTR buffer, DWORD size, va_list*) {
    return format(flags, message, buffer, size);
}
DWORD FormatMessageA(DWORD flags, LPCVOID, DWORD message, DWORD, LPSTR buffer, DWORD size, va_list*) {
    return format(flags, message, buffer, size);
}

int MultiByteToWideChar(UINT, DWORD, LPCSTR text, int length, LPWSTR wide, int size) {
    return hand_out(ndsim::to_wide(view(text, length)), wide, size);
}
int WideCharToMultiByte(UINT, DWORD, LPCWSTR wide, int length, LPSTR text, int size, LPCSTR, LPBOOL used) {
    if (used != nullptr) {
        *used = FALSE;
    }
    return hand_out(ndsim::to_utf8(view(wide, length)), text, size);
}
