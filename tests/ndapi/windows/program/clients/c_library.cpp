// SPDX-License-Identifier: Apache-2.0
// A program that calls functions of the C library which keep something from one call to the next, on two threads, and
// returns the line of the first one that is not as on Windows. With another copy of it on another host, too.
#include <windows.h>

#include <cerrno>
#include <clocale>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "tests/ndapi/windows/program/clients/expect.hpp"

namespace {

int raised = 0;

// The first numbers of Windows' generator, which begins with 1.
int numbers() {
    constexpr int kFirst[] = {41, 18467, 6334, 26500, 19169};
    for (const int number : kFirst) {
        EXPECT(std::rand() == number);
        Sleep(1);
    }
    std::srand(1);
    EXPECT(std::rand() == 41);
    EXPECT(RAND_MAX == 32767);
    return 0;
}

int words() {
    char text[] = "a b c";
    EXPECT(std::strcmp(std::strtok(text, " "), "a") == 0);
    Sleep(1);
    EXPECT(std::strcmp(std::strtok(nullptr, " "), "b") == 0);
    Sleep(1);
    EXPECT(std::strcmp(std::strtok(nullptr, " "), "c") == 0);
    EXPECT(std::strtok(nullptr, " ") == nullptr);
    return 0;
}

// Hosts live in UTC: 86 400 s after the beginning of 1970.
int days(std::time_t seconds, int day) {
    const std::tm* const parts = std::gmtime(&seconds);
    Sleep(1);
    EXPECT(parts->tm_mday == day && parts->tm_hour == 0);
    std::tm local = *std::localtime(&seconds);
    EXPECT(local.tm_hour == 0 && std::mktime(&local) == seconds);
    EXPECT(std::strlen(std::ctime(&seconds)) == 25);
    return 0;
}

int errors(int number) {
    errno = number;
    Sleep(1);
    EXPECT(errno == number);
    return 0;
}

int all(std::time_t seconds, int day, int error) {
    for (const int line : {numbers(), words(), days(seconds, day), errors(error)}) {
        if (line != 0) {
            return line;
        }
    }
    return 0;
}

void on_signal(int number) {
    raised = number;
}

// A handler is called once.
int signals() {
    EXPECT(std::signal(SIGINT, on_signal) == SIG_DFL);
    EXPECT(std::raise(SIGINT) == 0 && raised == SIGINT);
    EXPECT(std::signal(SIGINT, SIG_IGN) == SIG_DFL && std::raise(SIGINT) == 0);
    EXPECT(std::signal(SIGHUP, on_signal) == SIG_ERR && errno == EINVAL);
    return 0;
}

DWORD WINAPI other(LPVOID) {
    return static_cast<DWORD>(all(0, 1, ENOENT));
}

// What is appended does not overwrite.
int appends() {
    HANDLE file = CreateFileA("appended.txt", GENERIC_WRITE, 0, nullptr, CREATE_ALWAYS, FILE_ATTRIBUTE_NORMAL, nullptr);
    DWORD count = 0;
    EXPECT(WriteFile(file, "first ", 6, &count, nullptr) && CloseHandle(file));
    file = CreateFileA("appended.txt", FILE_APPEND_DATA, 0, nullptr, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
    EXPECT(WriteFile(file, "second", 6, &count, nullptr) && CloseHandle(file));
    char text[16] = "";
    file = CreateFileA("appended.txt", GENERIC_READ, 0, nullptr, OPEN_EXISTING, FILE_FLAG_DELETE_ON_CLOSE, nullptr);
    EXPECT(ReadFile(file, text, sizeof text, &count, nullptr) && count == 12 && CloseHandle(file));
    EXPECT(std::memcmp(text, "first second", 12) == 0);
    return 0;
}

HANDLE written;

VOID CALLBACK on_written(DWORD error, DWORD bytes, LPOVERLAPPED) {
    if (error == ERROR_SUCCESS && bytes == 5) {
        SetEvent(written);
    }
}

int calls_back() {
    written = CreateEvent(nullptr, FALSE, FALSE, nullptr);
    HANDLE file = CreateFileA("bound.txt", GENERIC_WRITE, 0, nullptr, CREATE_ALWAYS,
                              FILE_FLAG_OVERLAPPED | FILE_FLAG_DELETE_ON_CLOSE, nullptr);
    EXPECT(BindIoCompletionCallback(file, on_written, 0));
    OVERLAPPED overlapped{};
    (void)WriteFile(file, "bytes", 5, nullptr, &overlapped);
    EXPECT(WaitForSingleObject(written, 100) == WAIT_OBJECT_0 && CloseHandle(file));
    return 0;
}

}  // namespace

int main(int count, char**) {
    HANDLE thread = CreateThread(nullptr, 0, other, nullptr, 0, nullptr);
    int line = all(86400, 2, ERANGE);
    DWORD code = 0;
    EXPECT(WaitForSingleObject(thread, INFINITE) == WAIT_OBJECT_0 && GetExitCodeThread(thread, &code));
    if (line != 0 || code != 0) {
        return line != 0 ? line : static_cast<int>(code);
    }
    line = signals();
    if (line == 0 && count > 1) {  // the files are in one folder for all hosts
        line = appends();
        return line != 0 ? line : calls_back();
    }
    return line;
}
