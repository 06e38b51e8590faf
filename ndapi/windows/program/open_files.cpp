// SPDX-License-Identifier: Apache-2.0
#include "ndapi/windows/program/open_files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "ndapi/windows/abi/constants.h"
#include "ndapi/windows/abi/file_constants.h"
#include "ndapi/windows/program/instance.hpp"

namespace ndsim {
namespace {

// Below zero: there is no such way to open a file.
int flags_of(DWORD access, DWORD disposition) {
    constexpr DWORD kReads = GENERIC_READ | GENERIC_ALL | FILE_READ_DATA;
    constexpr DWORD kWrites = GENERIC_WRITE | GENERIC_ALL | FILE_WRITE_DATA | FILE_APPEND_DATA;
    constexpr std::array kDispositions{-1, O_CREAT | O_EXCL, O_CREAT | O_TRUNC, 0, O_CREAT, O_TRUNC};
    if (disposition == 0 || disposition >= kDispositions.size()) {
        return -1;
    }
    const bool writes = (access & kWrites) != 0;
    const bool appends = (access & kWrites) == FILE_APPEND_DATA;  // and writes nowhere else
    const int mode = !writes ? O_RDONLY : (access & kReads) != 0 ? O_RDWR : O_WRONLY;
    // A pipe must not block, it is refused below.
    return mode | kDispositions[disposition] | (appends ? O_APPEND : 0) | O_CLOEXEC | O_NONBLOCK;
}

bool is_regular(int descriptor) {
    struct ::stat what {};
    return ::fstat(descriptor, &what) == 0 && S_ISREG(what.st_mode);
}

void add(OpenFile file) {
    OpenFile*& newest = instance().open_files;
    file.next = newest;
    newest = new OpenFile(std::move(file));
}

HANDLE failed(Win32Error error) {
    host().set_last_error(error);
    return INVALID_HANDLE_VALUE;
}

}  // namespace

HANDLE open_file(const std::string& path, DWORD access, DWORD disposition, DWORD flags) {
    const int how = flags_of(access, disposition);
    if (how < 0) {
        return failed(ERROR_INVALID_PARAMETER);
    }
    const bool was_there = ::access(path.c_str(), F_OK) == 0;
    const int descriptor = ::open(path.c_str(), how, 0666);
    if (descriptor < 0) {
        return failed(file_error(errno));
    }
    if (!is_regular(descriptor)) {
        ::close(descriptor);
        return failed(ERROR_ACCESS_DENIED);
    }
    const HANDLE handle = host().create_file();
    if (handle == nullptr) {
        ::close(descriptor);
        return INVALID_HANDLE_VALUE;
    }
    add({handle, descriptor, (flags & FILE_FLAG_OVERLAPPED) != 0,
         (flags & FILE_FLAG_DELETE_ON_CLOSE) != 0 ? path : ""});
    const bool tells = disposition == CREATE_ALWAYS || disposition == OPEN_ALWAYS;
    host().set_last_error(tells && was_there ? ERROR_ALREADY_EXISTS : ERROR_SUCCESS);
    return handle;
}

bool open_again(const OpenFile& file, HANDLE further) {
    const int descriptor = ::dup(file.descriptor);
    if (descriptor < 0) {
        return false;
    }
    OpenFile again = file;
    again.handle = further;
    again.descriptor = descriptor;
    again.doomed.clear();  // the first handle deletes it
    add(std::move(again));
    return true;
}

OpenFile* open_file(HANDLE handle) {
    OpenFile* file = instance().open_files;
    while (file != nullptr && file->handle != handle) {
        file = file->next;
    }
    return file;
}

void close_file(HANDLE handle) {
    OpenFile** link = &instance().open_files;
    while (*link != nullptr && (*link)->handle != handle) {
        link = &(*link)->next;
    }
    OpenFile* const file = *link;
    if (file == nullptr) {
        return;
    }
    *link = file->next;
    ::close(file->descriptor);
    if (!file->doomed.empty()) {
        ::unlink(file->doomed.c_str());
    }
    delete file;
}

void close_all_files() {
    while (instance().open_files != nullptr) {
        close_file(instance().open_files->handle);
    }
}

Win32Error file_error(int number) {
    constexpr std::array kErrors{
        std::pair{ENOENT, ERROR_FILE_NOT_FOUND},      std::pair{ENOTDIR, ERROR_PATH_NOT_FOUND},
        std::pair{EACCES, ERROR_ACCESS_DENIED},       std::pair{EPERM, ERROR_ACCESS_DENIED},
        std::pair{EISDIR, ERROR_ACCESS_DENIED},       std::pair{EBADF, ERROR_ACCESS_DENIED},
        std::pair{EROFS, ERROR_ACCESS_DENIED},        std::pair{EEXIST, ERROR_FILE_EXISTS},
        std::pair{EMFILE, ERROR_TOO_MANY_OPEN_FILES}, std::pair{ENFILE, ERROR_TOO_MANY_OPEN_FILES},
        std::pair{ENOSPC, ERROR_DISK_FULL},           std::pair{EINVAL, ERROR_INVALID_PARAMETER},
        std::pair{ENAMETOOLONG, ERROR_INVALID_NAME},
    };
    const auto* const found =
        std::find_if(kErrors.begin(), kErrors.end(), [=](const auto& row) { return row.first == number; });
    return found == kErrors.end() ? ERROR_IO_DEVICE : found->second;
}

}  // namespace ndsim
