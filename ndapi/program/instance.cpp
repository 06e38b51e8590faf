// SPDX-License-Identifier: Apache-2.0
// The two functions that a loader calls in a loaded program: ndsim_attach first, then ndsim_main.
#include "ndapi/program/instance.hpp"

#include <string_view>
#include <vector>

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

// Constant from the start: static constructors come before anything could be set here, in any order.
constinit Detached detached;
constinit Instance the_instance{&detached};

int call_wide(int argc, char** argv) {
    std::vector<std::wstring> texts;
    for (int i = 0; i < argc; ++i) {
        texts.push_back(to_wide(argv[i]));
    }
    std::vector<wchar_t*> arguments;
    for (std::wstring& text : texts) {
        arguments.push_back(text.data());
    }
    arguments.push_back(nullptr);
    if (&program_wmain_in_c != nullptr) {
        return program_wmain_in_c(argc, arguments.data());
    }
    if (static_cast<int (*)(int, wchar_t**)>(&wmain) != nullptr) {
        return wmain(argc, arguments.data());
    }
    if (static_cast<int (*)(int, const wchar_t**)>(&wmain) != nullptr) {
        return wmain(argc, const_cast<const wchar_t**>(arguments.data()));
    }
    return wmain();
}

bool has_wide_entry() {
    return &program_wmain_in_c != nullptr || static_cast<int (*)(int, wchar_t**)>(&wmain) != nullptr ||
           static_cast<int (*)(int, const wchar_t**)>(&wmain) != nullptr || static_cast<int (*)()>(&wmain) != nullptr;
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
    if (ndsim::has_wide_entry()) {
        const int code = ndsim::call_wide(argc, argv);
        ndsim::wind_up();
        return code;
    }
    if (&program_main == nullptr) {
        ndsim::host().write(2, "the program has neither main nor wmain\n");
        return 127;
    }
    const int code = program_main(argc, argv);
    ndsim::wind_up();
    return code;
}
