// SPDX-License-Identifier: Apache-2.0
// Files that a program has opened by CreateFile.
#pragma once

#include <string>

#include "ndapi/windows/abi/program_host.h"

namespace ndsim {

struct OpenFile {
    HANDLE handle = nullptr;
    int descriptor = -1;
    bool overlapped = false;
    std::string doomed;  // the path, if the file is to be deleted when it is closed
    HANDLE port = nullptr;
    ULONG_PTR key = 0;
    OpenFile* next = nullptr;
};

// None if that is no file's handle.
[[nodiscard]] OpenFile* open_file(HANDLE handle);
// INVALID_HANDLE_VALUE with the last error set if it cannot be opened.
[[nodiscard]] HANDLE open_file(const std::string& path, DWORD access, DWORD disposition, DWORD flags);
// The same file by a further handle, which the host has made. False if there is no descriptor left for it.
[[nodiscard]] bool open_again(const OpenFile& file, HANDLE further);
// The handle, which is the host's as well, is about to be closed; it may be of something else.
void close_file(HANDLE handle);
void close_all_files();

// What Windows calls an error of the C library's.
[[nodiscard]] Win32Error file_error(int number);

}  // namespace ndsim
