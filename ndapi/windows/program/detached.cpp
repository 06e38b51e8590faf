// SPDX-License-Identifier: Apache-2.0
#include "ndapi/windows/program/detached.hpp"

#include <sys/syscall.h>
#include <unistd.h>

namespace ndsim {

void Detached::exit_thread(DWORD code) {
    exit_process(static_cast<int>(code));
}

// There is nobody to whom this could return, and _exit is ours.
void Detached::exit_process(int code) {
    for (;;) {
        ::syscall(SYS_exit_group, code);
    }
}

void Detached::write(int stream, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(stream, text.data(), text.size());
        if (written <= 0) {
            return;
        }
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

HRESULT Detached::provider(REFIID, void** object) {
    *object = nullptr;
    return E_NOINTERFACE;
}

}  // namespace ndsim
