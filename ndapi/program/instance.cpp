// SPDX-License-Identifier: Apache-2.0
// The two functions that a loader calls in a loaded program: ndsim_attach first, then ndsim_main.
#include "ndapi/program/instance.hpp"

#include <algorithm>
#include <string>

#include "ndapi/program/detached.hpp"
#include "ndapi/program/ending.hpp"
#include "ndapi/program/utf8.hpp"

// The entries that a program may have; it has one. They are looked up in the program alone (hidden), since `main` is
// also what the process that simulates has. C++ may not speak of its main, hence the names.
#pragma GCC visibility push(hidden)
extern "C" {
[[gnu::weak]] int program_main(int argc, char** argv) __asm__("main");
[[gnu::weak]] int program_wmain_in_c(int argc, wchar_t** argv) __asm__("wmain");
}
[[gnu::weak]] int wmain(int argc, wchar_t** argv);
[[gnu::weak]] int wmain(int argc, const wchar_t** argv);
[[gnu::weak]] int wmain();
#pragma GCC visibility pop

namespace ndsim {
namespace {

constexpr int kNoEntry = 127;  // as a shell says that there is no such command

// Constant from the start: static constructors come before anything could be set here, in any order.
constinit Detached detached;
constinit Instance the_instance{&detached};

wchar_t* copied(const std::wstring& text) {
    auto* copy = new wchar_t[text.size() + 1];
    *std::copy(text.begin(), text.end(), copy) = L'\0';
    return copy;
}

// Kept for ever, as the program may end anywhere.
wchar_t** wide_arguments(int argc, char** argv) {
    auto** arguments = new wchar_t*[static_cast<std::size_t>(argc) + 1];
    std::transform(argv, argv + argc, arguments, [](const char* text) { return copied(to_wide(text)); });
    arguments[argc] = nullptr;
    return arguments;
}

// The entry that the program has: what it takes in C++, or in C.
using WideMain = int(int, wchar_t**);
using WideMainOfConst = int(int, const wchar_t**);
using WideMainOfNothing = int();

int call_entry(int argc, char** argv) {
    if (&program_main != nullptr) {
        return program_main(argc, argv);
    }
    wchar_t**& arguments = instance().arguments;
    arguments = wide_arguments(argc, argv);
    if (auto* entry = static_cast<WideMain*>(&wmain)) {
        return entry(argc, arguments);
    }
    if (auto* entry = static_cast<WideMainOfConst*>(&wmain)) {
        return entry(argc, const_cast<const wchar_t**>(arguments));
    }
    if (auto* entry = static_cast<WideMainOfNothing*>(&wmain)) {
        return entry();
    }
    if (auto* entry = &program_wmain_in_c) {
        return entry(argc, arguments);
    }
    host().write(2, "the program has neither main nor wmain\n");
    return kNoEntry;
}

}  // namespace

Instance& instance() {
    return the_instance;
}

BOOL succeeded(Win32Error error) {
    if (error != 0) {
        host().set_last_error(error);
        return FALSE;
    }
    return TRUE;
}

}  // namespace ndsim

extern "C" [[gnu::visibility("default")]] void ndsim_attach(ndsim::ProgramHost* host) {
    ndsim::instance().host = host;
}

// Returns what the program's entry returns, after its exit handlers have run.
extern "C" [[gnu::visibility("default")]] int ndsim_main(int argc, char** argv) {
    const int code = ndsim::call_entry(argc, argv);
    ndsim::wind_up();
    return code;
}
