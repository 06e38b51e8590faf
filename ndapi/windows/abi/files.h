// SPDX-License-Identifier: Apache-2.0
// Files of the machine that simulates, under the names that the C library's fopen knows: relative ones are in the
// folder in which the command runs. Reading and writing takes no simulated time. For C++ and C.
#pragma once

#include "ndapi/windows/abi/file_constants.h"

#ifdef __cplusplus
extern "C" {
#endif

// INVALID_HANDLE_VALUE if it fails. CREATE_ALWAYS and OPEN_ALWAYS leave ERROR_ALREADY_EXISTS for a file that was there.
// Sharing, attributes and hints change nothing; FILE_FLAG_DELETE_ON_CLOSE does.
HANDLE CreateFileW(LPCWSTR name, DWORD access, DWORD share, LPSECURITY_ATTRIBUTES attributes, DWORD disposition,
                   DWORD flags, HANDLE like);
HANDLE CreateFileA(LPCSTR name, DWORD access, DWORD share, LPSECURITY_ATTRIBUTES attributes, DWORD disposition,
                   DWORD flags, HANDLE like);

// At the file's position, or where `overlapped` says. All is done at the return: an overlapped request's event is
// signalled then, and its packet is in the file's port. At the end of the file 0 bytes are read, which is a failure
// (ERROR_HANDLE_EOF) of overlapped requests only.
BOOL ReadFile(HANDLE file, LPVOID bytes, DWORD count, LPDWORD read, LPOVERLAPPED overlapped);
// Files and outputs.
BOOL WriteFile(HANDLE file, LPCVOID bytes, DWORD count, LPDWORD written, LPOVERLAPPED overlapped);

BOOL GetFileSizeEx(HANDLE file, PLARGE_INTEGER size);
// The low half; the high one if `high` is not NULL. INVALID_FILE_SIZE if it fails.
DWORD GetFileSize(HANDLE file, LPDWORD high);
BOOL SetFilePointerEx(HANDLE file, LARGE_INTEGER distance, PLARGE_INTEGER position, DWORD from);
DWORD SetFilePointer(HANDLE file, LONG distance, PLONG high, DWORD from);
BOOL SetEndOfFile(HANDLE file);
BOOL FlushFileBuffers(HANDLE file);
DWORD GetFileType(HANDLE file);
BOOL DeleteFileW(LPCWSTR name);
BOOL DeleteFileA(LPCSTR name);

#ifdef __cplusplus
}
#endif

static inline HANDLE CreateFile(LPCWSTR name, DWORD access, DWORD share, LPSECURITY_ATTRIBUTES attributes,
                                DWORD disposition, DWORD flags, HANDLE like) {
    return CreateFileW(name, access, share, attributes, disposition, flags, like);
}
static inline BOOL DeleteFile(LPCWSTR name) {
    return DeleteFileW(name);
}
