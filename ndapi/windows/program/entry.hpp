// SPDX-License-Identifier: Apache-2.0
// What a loader needs of a loaded program, for those who load one. The program's entry is looked up from outside:
// `main` is also what the process that simulates has.
#pragma once

#include <dlfcn.h>

#include <array>

#include "ndapi/windows/abi/program_host.h"

namespace ndsim {

struct ProgramEntry {
    // Of the library that is linked into the program: gives it its host; calls the program's own entry with UTF-8
    // arguments, and returns what that returns, after its exit handlers have run.
    void (*attach)(ProgramHost*) = nullptr;
    int (*start)(int (*narrow)(int, char**), int (*wide)(int, wchar_t**), int argc, char** argv) = nullptr;
    // The program's: one of them.
    int (*narrow)(int, char**) = nullptr;
    int (*wide)(int, wchar_t**) = nullptr;
};

template <class Function>
void look_up(void* loaded, const char* name, Function*& function) {
    if (function == nullptr) {
        function = reinterpret_cast<Function*>(::dlsym(loaded, name));
    }
}

// `loaded` is what dlopen() returned. What the program does not have stays null.
[[nodiscard]] inline ProgramEntry entry_of(void* loaded) {
    // wmain in C, and in C++ with (int, wchar_t**), (int, const wchar_t**) and without arguments.
    constexpr std::array kWide{"wmain", "_Z5wmainiPPw", "_Z5wmainiPPKw", "_Z5wmainv"};
    ProgramEntry entry;
    look_up(loaded, "ndsim_attach", entry.attach);
    look_up(loaded, "ndsim_start", entry.start);
    look_up(loaded, "main", entry.narrow);
    for (const char* const name : kWide) {
        look_up(loaded, name, entry.wide);
    }
    return entry;
}

}  // namespace ndsim
