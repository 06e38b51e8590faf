// SPDX-License-Identifier: Apache-2.0
#include "ndapi/windows/abi/system.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>

#include "ndapi/windows/abi/constants.h"
#include "ndapi/windows/program/instance.hpp"
#include "ndapi/windows/program/nt_errors.hpp"
#include "ndapi/windows/program/streams.hpp"
#include "ndapi/windows/program/utf8.hpp"

using ndsim::host;
using ndsim::succeeded;

namespace {

constexpr std::string_view kName = "HOST";  // never that of the machine that simulates

// As with numbers of outputs, which are below zero.
HANDLE standard_handle(DWORD number) {
    return reinterpret_cast<HANDLE>(static_cast<std::intptr_t>(static_cast<LONG>(number)));
}

BOOL write(HANDLE handle, std::string_view text, DWORD count, LPDWORD written) {
    std::FILE* const stream = ndsim::output_of(handle);
    if (stream == nullptr) {
        return succeeded(ERROR_INVALID_HANDLE);
    }
    if (written != nullptr) {
        *written = count;
    }
    return ndsim::emit(stream, text) ? TRUE : FALSE;
}

template <class Character>
DWORD module_name(const std::basic_string<Character>& name, Character* destination, DWORD size) {
    if (size == 0) {
        host().set_last_error(ERROR_INSUFFICIENT_BUFFER);
        return 0;
    }
    const std::size_t kept = std::min<std::size_t>(name.size(), size - 1);
    *std::copy_n(name.begin(), kept, destination) = Character{};
    if (kept == name.size()) {
        return static_cast<DWORD>(kept);
    }
    host().set_last_error(ERROR_INSUFFICIENT_BUFFER);
    return size;
}

std::string first_argument() {
    const ndsim::Instance& instance = ndsim::instance();
    return instance.argument_count == 0 ? "" : instance.narrow_arguments[0];
}

std::string command_line() {
    std::string line;
    for (int i = 0; i < ndsim::instance().argument_count; ++i) {
        const std::string argument = ndsim::instance().narrow_arguments[i];
        const bool quoted = argument.empty() || argument.find_first_of(" \t") != std::string::npos;
        line += (i == 0 ? "" : " ") + (quoted ? "\"" + argument + "\"" : argument);
    }
    return line;
}

// Made at the first call; the program may look at it until its end.
template <class Character>
Character* kept(Character*& line, const std::basic_string<Character>& text) {
    if (line == nullptr) {
        line = new Character[text.size() + 1];
        *std::copy(text.begin(), text.end(), line) = Character{};
    }
    return line;
}

template <class Character>
DWORD value_of(const std::string& name, Character* destination, DWORD size,
               std::basic_string<Character> (*converted)(const char*)) {
    const char* const found = std::getenv(name.c_str());
    if (found == nullptr) {
        host().set_last_error(ERROR_ENVVAR_NOT_FOUND);
        return 0;
    }
    const std::basic_string<Character> value = converted(found);
    if (value.size() >= size) {
        return static_cast<DWORD>(value.size() + 1);
    }
    *std::copy(value.begin(), value.end(), destination) = Character{};
    return static_cast<DWORD>(value.size());
}

template <class Character>
BOOL computer_name(Character* destination, LPDWORD size) {
    if (kName.size() >= *size) {
        *size = static_cast<DWORD>(kName.size() + 1);
        return succeeded(ERROR_BUFFER_OVERFLOW);
    }
    *std::copy(kName.begin(), kName.end(), destination) = Character{};
    *size = static_cast<DWORD>(kName.size());
    return TRUE;
}

}  // namespace

std::FILE* ndsim::output_of(HANDLE handle) {
    return handle == standard_handle(STD_OUTPUT_HANDLE)  ? stdout
           : handle == standard_handle(STD_ERROR_HANDLE) ? stderr
                                                         : nullptr;
}

DWORD GetModuleFileNameW(HMODULE, LPWSTR name, DWORD size) {
    return module_name(ndsim::to_wide(first_argument()), name, size);
}
DWORD GetModuleFileNameA(HMODULE, LPSTR name, DWORD size) {
    return module_name(first_argument(), name, size);
}
LPWSTR GetCommandLineW() {
    return kept(ndsim::instance().wide_command_line, ndsim::to_wide(command_line()));
}
LPSTR GetCommandLineA() {
    return kept(ndsim::instance().command_line, command_line());
}
DWORD GetEnvironmentVariableW(LPCWSTR name, LPWSTR value, DWORD size) {
    return value_of<wchar_t>(ndsim::to_utf8(name), value, size, [](const char* text) { return ndsim::to_wide(text); });
}
DWORD GetEnvironmentVariableA(LPCSTR name, LPSTR value, DWORD size) {
    return value_of<char>(name, value, size, [](const char* text) { return std::string(text); });
}
BOOL GetComputerNameW(LPWSTR name, LPDWORD size) {
    return computer_name(name, size);
}
BOOL GetComputerNameA(LPSTR name, LPDWORD size) {
    return computer_name(name, size);
}

// Winsock's has the signature of the C library's but for the type of the size.
extern "C" int gethostname(char* name, std::size_t size) noexcept {
    if (kName.size() >= size) {
        return -1;
    }
    *std::copy(kName.begin(), kName.end(), name) = '\0';
    return 0;
}

HANDLE GetStdHandle(DWORD number) {
    return standard_handle(number);
}
BOOL WriteConsoleW(HANDLE console, const VOID* text, DWORD count, LPDWORD written, LPVOID) {
    return write(console, ndsim::to_utf8({static_cast<const wchar_t*>(text), count}), count, written);
}
BOOL WriteConsoleA(HANDLE console, const VOID* text, DWORD count, LPDWORD written, LPVOID) {
    return write(console, {static_cast<const char*>(text), count}, count, written);
}
BOOL GetConsoleMode(HANDLE, LPDWORD) {
    return succeeded(ERROR_INVALID_HANDLE);
}
BOOL SetConsoleMode(HANDLE, DWORD) {
    return succeeded(ERROR_INVALID_HANDLE);
}

LPTOP_LEVEL_EXCEPTION_FILTER SetUnhandledExceptionFilter(LPTOP_LEVEL_EXCEPTION_FILTER) {
    return nullptr;
}

BOOL OpenProcessToken(HANDLE, DWORD, PHANDLE token) {
    *token = host().create_event(true, false);  // something to be closed
    return *token == nullptr ? FALSE : TRUE;
}
BOOL LookupPrivilegeValueW(LPCWSTR, LPCWSTR, PLUID id) {
    *id = {1, 0};
    return TRUE;
}
BOOL AdjustTokenPrivileges(HANDLE, BOOL, PTOKEN_PRIVILEGES, DWORD, PTOKEN_PRIVILEGES, PDWORD) {
    host().set_last_error(ERROR_SUCCESS);  // ERROR_NOT_ALL_ASSIGNED would be a success, too
    return TRUE;
}

ULONG RtlNtStatusToDosError(NTSTATUS status) {
    return ndsim::win32_error_of(status);
}
