// SPDX-License-Identifier: Apache-2.0
// A program that reads and writes files of the folder in which it runs, and returns the line of the first call whose
// outcome is not Windows'; 0 if all are.
#include <windows.h>

#include <cstring>

#include "tests/ndapi/windows/program/clients/expect.hpp"

namespace {

constexpr DWORD kBoth = GENERIC_READ | GENERIC_WRITE;
constexpr int kFine = 0;

HANDLE opened(LPCWSTR name, DWORD access, DWORD disposition, DWORD flags = FILE_ATTRIBUTE_NORMAL) {
    return CreateFileW(name, access, FILE_SHARE_READ, nullptr, disposition, flags, nullptr);
}

int dispositions() {
    EXPECT(opened(L"new.txt", GENERIC_READ, OPEN_EXISTING) == INVALID_HANDLE_VALUE);
    EXPECT(GetLastError() == ERROR_FILE_NOT_FOUND);
    EXPECT(opened(L"new.txt", GENERIC_WRITE, TRUNCATE_EXISTING) == INVALID_HANDLE_VALUE);
    EXPECT(opened(L"none\\new.txt", GENERIC_WRITE, CREATE_ALWAYS) == INVALID_HANDLE_VALUE);
    HANDLE file = opened(L"new.txt", kBoth, CREATE_NEW);
    DWORD count = 0;
    EXPECT(file != INVALID_HANDLE_VALUE && WriteFile(file, "abcd", 4, &count, nullptr) && count == 4);
    EXPECT(CloseHandle(file) && !CloseHandle(file));
    EXPECT(!WriteFile(file, "abcd", 4, &count, nullptr) && GetLastError() == ERROR_INVALID_HANDLE);
    EXPECT(opened(L"new.txt", kBoth, CREATE_NEW) == INVALID_HANDLE_VALUE && GetLastError() == ERROR_FILE_EXISTS);
    file = opened(L".\\new.txt", kBoth, OPEN_ALWAYS);  // either slash
    LARGE_INTEGER size{};
    EXPECT(GetLastError() == ERROR_ALREADY_EXISTS && GetFileSizeEx(file, &size) && size.QuadPart == 4);
    EXPECT(CloseHandle(file));
    file = opened(L"new.txt", kBoth, CREATE_ALWAYS);
    EXPECT(GetLastError() == ERROR_ALREADY_EXISTS && GetFileSizeEx(file, &size) && size.QuadPart == 0);
    EXPECT(CloseHandle(file));
    EXPECT(opened(L".", GENERIC_READ, OPEN_EXISTING) == INVALID_HANDLE_VALUE && GetLastError() == ERROR_ACCESS_DENIED);
    EXPECT(opened(L"new.txt", kBoth, 6) == INVALID_HANDLE_VALUE && GetLastError() == ERROR_INVALID_PARAMETER);
    EXPECT(DeleteFileW(L"new.txt") && !DeleteFileA("new.txt") && GetLastError() == ERROR_FILE_NOT_FOUND);
    return kFine;
}

int positions() {
    HANDLE file = CreateFileA("rows.txt", kBoth, 0, nullptr, CREATE_ALWAYS, FILE_FLAG_DELETE_ON_CLOSE, nullptr);
    EXPECT(GetLastError() == ERROR_SUCCESS && GetFileType(file) == FILE_TYPE_DISK);
    char bytes[8] = {};
    DWORD count = 99;
    EXPECT(WriteFile(file, "0123456789", 10, &count, nullptr) && count == 10);
    EXPECT(ReadFile(file, bytes, sizeof(bytes), &count, nullptr) && count == 0);  // at the end
    EXPECT(SetFilePointer(file, -3, nullptr, FILE_END) == 7);
    EXPECT(ReadFile(file, bytes, sizeof(bytes), &count, nullptr) && count == 3 && std::memcmp(bytes, "789", 3) == 0);
    LARGE_INTEGER distance{};
    LARGE_INTEGER position{};
    distance.QuadPart = 4;
    EXPECT(SetFilePointerEx(file, distance, &position, FILE_BEGIN) && position.QuadPart == 4 && SetEndOfFile(file));
    EXPECT(GetFileSize(file, nullptr) == 4);
    distance.QuadPart = -5;
    EXPECT(!SetFilePointerEx(file, distance, nullptr, FILE_CURRENT) && GetLastError() == ERROR_NEGATIVE_SEEK);
    HANDLE further = nullptr;
    const HANDLE self = GetCurrentProcess();
    EXPECT(DuplicateHandle(self, file, self, &further, 0, FALSE, DUPLICATE_SAME_ACCESS));
    EXPECT(SetFilePointer(file, 0, nullptr, FILE_BEGIN) == 0 && WriteFile(further, "x", 1, &count, nullptr));
    EXPECT(GetFileSize(further, nullptr) == 4 && SetFilePointer(file, 0, nullptr, FILE_CURRENT) == 1);  // one position
    EXPECT(DuplicateHandle(self, further, self, &further, 0, FALSE, DUPLICATE_CLOSE_SOURCE | DUPLICATE_SAME_ACCESS));
    EXPECT(WriteFile(further, "y", 1, &count, nullptr) && CloseHandle(further) && !CloseHandle(further));
    EXPECT(CloseHandle(file) && opened(L"rows.txt", GENERIC_READ, OPEN_EXISTING) == INVALID_HANDLE_VALUE);
    EXPECT(GetFileSize(file, nullptr) == INVALID_FILE_SIZE && GetFileType(file) == FILE_TYPE_UNKNOWN);
    return kFine;
}

int requests() {
    HANDLE file = opened(L"requests.txt", kBoth, CREATE_ALWAYS, FILE_FLAG_OVERLAPPED | FILE_FLAG_DELETE_ON_CLOSE);
    HANDLE port = CreateIoCompletionPort(file, nullptr, 17, 0);
    EXPECT(port != nullptr);
    char bytes[8] = {};
    DWORD count = 0;
    EXPECT(!ReadFile(file, bytes, 1, &count, nullptr) && GetLastError() == ERROR_INVALID_PARAMETER);

    OVERLAPPED request{};
    request.Offset = 3;
    request.hEvent = CreateEventW(nullptr, TRUE, FALSE, nullptr);
    EXPECT(WriteFile(file, "data", 4, nullptr, &request) && HasOverlappedIoCompleted(&request));
    EXPECT(request.InternalHigh == 4 && WaitForSingleObject(request.hEvent, 0) == WAIT_OBJECT_0);
    ULONG_PTR key = 0;
    LPOVERLAPPED done = nullptr;
    EXPECT(GetQueuedCompletionStatus(port, &count, &key, &done, 0) && count == 4 && key == 17 && done == &request);

    HANDLE event = request.hEvent;
    request = {};
    request.hEvent = reinterpret_cast<HANDLE>(reinterpret_cast<ULONG_PTR>(event) | 1);  // nothing for the port
    EXPECT(ReadFile(file, bytes, 8, &count, &request) && count == 7 && std::memcmp(bytes, "\0\0\0data", 7) == 0);
    EXPECT(!GetQueuedCompletionStatus(port, &count, &key, &done, 0) && done == nullptr);
    request.Offset = 7;
    EXPECT(!ReadFile(file, bytes, 8, &count, &request) && GetLastError() == ERROR_HANDLE_EOF);
    EXPECT(CloseHandle(file) && CloseHandle(port) && CloseHandle(event));
    return kFine;
}

}  // namespace

int main() {
    for (const auto test : {dispositions, positions, requests}) {
        const int line = test();
        if (line != 0) {
            return line;
        }
    }
    // Left open: the program's end closes and deletes it.
    return opened(L"left.txt", kBoth, CREATE_NEW, FILE_FLAG_DELETE_ON_CLOSE) == INVALID_HANDLE_VALUE ? __LINE__ : 0;
}
