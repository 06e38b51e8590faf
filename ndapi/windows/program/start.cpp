// SPDX-License-Identifier: Apache-2.0
// The two functions that a loader calls in a loaded program: ndsim_attach first, then ndsim_start (entry.hpp).
#include <algorithm>
#include <string>

#include "ndapi/windows/program/ending.hpp"
#include "ndapi/windows/program/instance.hpp"
#include "ndapi/windows/program/thread_locals.hpp"
#include "ndapi/windows/program/utf8.hpp"

namespace ndsim {
namespace {

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

int call_entry(int (*narrow)(int, char**), int (*wide)(int, wchar_t**), int argc, char** argv) {
    instance().argument_count = argc;
    instance().narrow_arguments = argv;
    if (wide == nullptr) {
        return narrow(argc, argv);
    }
    wchar_t**& arguments = instance().arguments;
    arguments = wide_arguments(argc, argv);
    return wide(argc, arguments);
}

}  // namespace
}  // namespace ndsim

extern "C" [[gnu::visibility("default")]] void ndsim_attach(ndsim::ProgramHost* host) {
    ndsim::instance().host = host;
    ndsim::adopt_thread_locals();
}

extern "C" [[gnu::visibility("default")]] int ndsim_start(int (*narrow)(int, char**), int (*wide)(int, wchar_t**),
                                                          int argc, char** argv) {
    return ndsim::thread_result([=] {
        const int code = ndsim::call_entry(narrow, wide, argc, argv);
        ndsim::wind_up();
        return code;
    });
}
