// SPDX-License-Identifier: Apache-2.0
#include "ndapi/windows/abi/files.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>

#include "ndapi/windows/abi/constants.h"
#include "ndapi/windows/abi/ntstatus.h"
#include "ndapi/windows/program/instance.hpp"
#include "ndapi/windows/program/open_files.hpp"
#include "ndapi/windows/program/streams.hpp"
#include "ndapi/windows/program/utf8.hpp"

using ndsim::host;
using ndsim::succeeded;

namespace {

using ndsim::OpenFile;

std::string path_of(std::string name) {
    std::replace(name.begin(), name.end(), '\\', '/');
    return name;
}

// Tells whoever waits for the request that it has ended.
void complete(const OpenFile& file, OVERLAPPED& overlapped, DWORD count, NTSTATUS status) {
    const auto event = reinterpret_cast<ULONG_PTR>(overlapped.hEvent);
    overlapped.Internal = static_cast<ULONG_PTR>(status);
    overlapped.InternalHigh = count;
    if ((event & ~ULONG_PTR{1}) != 0) {
        host().set_event(reinterpret_cast<HANDLE>(event & ~ULONG_PTR{1}));
    }
    if (file.port != nullptr && NT_SUCCESS(status) && (event & 1) == 0) {
        host().post(file.port, {count, file.key, &overlapped, status});
    }
}

off_t offset_of(const OVERLAPPED& overlapped) {
    return static_cast<off_t>((ULONGLONG{overlapped.OffsetHigh} << 32) | overlapped.Offset);
}

// `transfer` gets the descriptor and moves bytes; below zero it has failed.
template <class Transfer>
BOOL transferred(HANDLE handle, DWORD wanted, bool reads, LPDWORD count, LPOVERLAPPED overlapped, Transfer transfer) {
    constexpr NTSTATUS kEndOfFile = NTSTATUS(0xC0000011);
    const OpenFile* const file = ndsim::open_file(handle);
    if (file == nullptr) {
        return succeeded(ERROR_INVALID_HANDLE);
    }
    if (overlapped == nullptr && file->overlapped) {
        return succeeded(ERROR_INVALID_PARAMETER);
    }
    const ssize_t moved = transfer(file->descriptor);
    if (moved < 0) {
        return succeeded(ndsim::file_error(errno));
    }
    const auto bytes = static_cast<DWORD>(moved);
    if (count != nullptr) {
        *count = bytes;
    }
    if (overlapped == nullptr) {
        return TRUE;
    }
    const bool at_end = reads && bytes == 0 && wanted > 0;
    complete(*file, *overlapped, bytes, at_end ? kEndOfFile : STATUS_SUCCESS);
    return succeeded(at_end ? ERROR_HANDLE_EOF : ERROR_SUCCESS);
}

BOOL size_of(HANDLE handle, LONGLONG& size) {
    const OpenFile* const file = ndsim::open_file(handle);
    struct ::stat what {};
    if (file == nullptr || ::fstat(file->descriptor, &what) != 0) {
        return succeeded(ERROR_INVALID_HANDLE);
    }
    size = what.st_size;
    return TRUE;
}

BOOL move(HANDLE handle, LONGLONG distance, DWORD from, LONGLONG& position) {
    constexpr std::array kFrom{SEEK_SET, SEEK_CUR, SEEK_END};
    const OpenFile* const file = ndsim::open_file(handle);
    if (file == nullptr) {
        return succeeded(ERROR_INVALID_HANDLE);
    }
    if (from >= kFrom.size()) {
        return succeeded(ERROR_INVALID_PARAMETER);
    }
    position = ::lseek(file->descriptor, distance, kFrom[from]);
    return succeeded(position < 0 ? ERROR_NEGATIVE_SEEK : ERROR_SUCCESS);
}

BOOL remove(const std::string& path) {
    return succeeded(::unlink(path.c_str()) == 0 ? ERROR_SUCCESS : ndsim::file_error(errno));
}

}  // namespace

HANDLE CreateFileW(LPCWSTR name, DWORD access, DWORD, LPSECURITY_ATTRIBUTES, DWORD disposition, DWORD flags, HANDLE) {
    return ndsim::open_file(path_of(ndsim::to_utf8(name)), access, disposition, flags);
}
HANDLE CreateFileA(LPCSTR name, DWORD access, DWORD, LPSECURITY_ATTRIBUTES, DWORD disposition, DWORD flags, HANDLE) {
    return ndsim::open_file(path_of(name), access, disposition, flags);
}

BOOL ReadFile(HANDLE file, LPVOID bytes, DWORD count, LPDWORD read, LPOVERLAPPED overlapped) {
    return transferred(file, count, true, read, overlapped, [=](int descriptor) {
        return overlapped == nullptr ? ::read(descriptor, bytes, count)
                                     : ::pread(descriptor, bytes, count, offset_of(*overlapped));
    });
}
BOOL WriteFile(HANDLE file, LPCVOID bytes, DWORD count, LPDWORD written, LPOVERLAPPED overlapped) {
    if (std::FILE* const output = ndsim::output_of(file); output != nullptr) {
        if (written != nullptr) {
            *written = count;
        }
        return ndsim::emit(output, {static_cast<const char*>(bytes), count}) ? TRUE : FALSE;
    }
    return transferred(file, count, false, written, overlapped, [=](int descriptor) {
        return overlapped == nullptr ? ::write(descriptor, bytes, count)
                                     : ::pwrite(descriptor, bytes, count, offset_of(*overlapped));
    });
}

BOOL GetFileSizeEx(HANDLE file, PLARGE_INTEGER size) {
    LONGLONG bytes = 0;
    if (!size_of(file, bytes)) {
        return FALSE;
    }
    size->QuadPart = bytes;
    return TRUE;
}
DWORD GetFileSize(HANDLE file, LPDWORD high) {
    LONGLONG bytes = 0;
    if (!size_of(file, bytes)) {
        return INVALID_FILE_SIZE;
    }
    if (high != nullptr) {
        *high = static_cast<DWORD>(bytes >> 32);
    }
    return static_cast<DWORD>(bytes);
}
BOOL SetFilePointerEx(HANDLE file, LARGE_INTEGER distance, PLARGE_INTEGER position, DWORD from) {
    LONGLONG now = 0;
    if (!move(file, distance.QuadPart, from, now)) {
        return FALSE;
    }
    if (position != nullptr) {
        position->QuadPart = now;
    }
    return TRUE;
}
DWORD SetFilePointer(HANDLE file, LONG distance, PLONG high, DWORD from) {
    const LONGLONG whole = high == nullptr ? distance : (LONGLONG{*high} << 32) | static_cast<DWORD>(distance);
    LONGLONG now = 0;
    if (!move(file, whole, from, now)) {
        return INVALID_SET_FILE_POINTER;
    }
    if (high != nullptr) {
        *high = static_cast<LONG>(now >> 32);
    }
    return static_cast<DWORD>(now);
}
BOOL SetEndOfFile(HANDLE handle) {
    const OpenFile* const file = ndsim::open_file(handle);
    if (file == nullptr) {
        return succeeded(ERROR_INVALID_HANDLE);
    }
    const off_t end = ::lseek(file->descriptor, 0, SEEK_CUR);
    return succeeded(::ftruncate(file->descriptor, end) == 0 ? ERROR_SUCCESS : ndsim::file_error(errno));
}
BOOL FlushFileBuffers(HANDLE file) {
    return succeeded(ndsim::open_file(file) != nullptr || ndsim::output_of(file) != nullptr ? ERROR_SUCCESS
                                                                                            : ERROR_INVALID_HANDLE);
}
DWORD GetFileType(HANDLE file) {
    return ndsim::open_file(file) != nullptr   ? FILE_TYPE_DISK
           : ndsim::output_of(file) != nullptr ? FILE_TYPE_PIPE
                                               : FILE_TYPE_UNKNOWN;
}
BOOL DeleteFileW(LPCWSTR name) {
    return remove(path_of(ndsim::to_utf8(name)));
}
BOOL DeleteFileA(LPCSTR name) {
    return remove(path_of(name));
}
