// SPDX-License-Identifier: Apache-2.0
// The functions of C and of Windows that write to streams without formatting. Compilers turn calls of printf into some
// of them. What they need of the C library has other names than they have themselves, or they would call themselves.
#include "ndapi/windows/program/streams.hpp"

#include <dlfcn.h>

#include <cerrno>
#include <cstring>
#include <cwchar>
#include <string>

#include "ndapi/windows/abi/printing.h"
#include "ndapi/windows/program/instance.hpp"
#include "ndapi/windows/program/open_files.hpp"
#include "ndapi/windows/program/utf8.hpp"

namespace ndsim {
namespace {

// 1 and 2 for the outputs that a host takes, 0 for a file.
std::size_t number_of(std::FILE* stream) {
    return stream == stdout ? 1 : stream == stderr ? 2 : 0;
}

// The C library's file behind a stream; null if its host takes what is written.
std::FILE* file_of(std::FILE* stream) {
    const std::size_t number = number_of(stream);
    return number == 0 ? stream : instance().files[number];
}

int close(std::FILE* file) {
    using Function = int(std::FILE*);
    return reinterpret_cast<Function*>(::dlsym(RTLD_DEFAULT, "fclose"))(file);
}

// Of freopen: a standard output goes to its host again.
int close_output(std::size_t number) {
    std::FILE*& file = instance().files[number];
    const int result = file == nullptr ? 0 : close(file);
    file = nullptr;
    return result;
}

std::FILE* reopen(const std::string& path, const std::string& mode, std::FILE* stream) {
    const std::size_t number = number_of(stream);
    if (number == 0) {
        return ::freopen64(path.c_str(), mode.c_str(), stream);
    }
    close_output(number);
    std::FILE*& file = instance().files[number];
    file = ::fopen64(path.c_str(), mode.c_str());
    return file == nullptr ? nullptr : stream;
}

int emit_wide(std::FILE* stream, std::wstring_view text) {
    return emit(stream, to_utf8(text)) ? 0 : -1;
}

errno_t outcome(std::FILE** file, std::FILE* opened) {
    *file = opened;
    return opened == nullptr ? errno : 0;
}

}  // namespace

bool emit(std::FILE* stream, std::string_view text) {
    std::FILE* file = file_of(stream);
    if (file == nullptr) {
        host().write(static_cast<int>(number_of(stream)), text);
        return true;
    }
    return ::fwrite_unlocked(text.data(), 1, text.size(), file) == text.size();
}

void close_files() {
    close_all_files();
    for (std::size_t number = 0; number < instance().files.size(); ++number) {
        close_output(number);
    }
}

}  // namespace ndsim

using ndsim::emit;
using ndsim::emit_wide;

extern "C" {

int fputs(const char* text, FILE* stream) {
    return emit(stream, text) ? 0 : EOF;
}
int puts(const char* text) {
    return emit(stdout, std::string(text) + "\n") ? 0 : EOF;
}
int fputc(int character, FILE* stream) {
    const char byte = static_cast<char>(character);
    return emit(stream, {&byte, 1}) ? static_cast<unsigned char>(byte) : EOF;
}
int putc(int character, FILE* stream) {
    return fputc(character, stream);
}
int putchar(int character) {
    return fputc(character, stdout);
}
size_t fwrite(const void* items, size_t size, size_t count, FILE* stream) {
    return emit(stream, {static_cast<const char*>(items), size * count}) ? count : 0;
}

int fputws(const wchar_t* text, FILE* stream) {
    return emit_wide(stream, text);
}
int _putws(const wchar_t* text) {
    return emit_wide(stdout, std::wstring(text) + L"\n");
}
wint_t fputwc(wchar_t character, FILE* stream) {
    return emit_wide(stream, {&character, 1}) == 0 ? static_cast<wint_t>(character) : WEOF;
}
wint_t putwc(wchar_t character, FILE* stream) {
    return fputwc(character, stream);
}
wint_t putwchar(wchar_t character) {
    return fputwc(character, stdout);
}

int fflush(FILE* stream) {
    if (stream == nullptr) {
        return ::fflush_unlocked(nullptr);  // files of freopen among them
    }
    FILE* file = ndsim::file_of(stream);
    return file == nullptr ? 0 : ::fflush_unlocked(file);
}
void perror(const char* text) {
    const std::string reason = std::strerror(errno);
    emit(stderr, (text == nullptr || *text == '\0' ? "" : text + std::string(": ")) + reason + "\n");
}

int fclose(FILE* stream) {
    const std::size_t number = ndsim::number_of(stream);
    return number == 0 ? ndsim::close(stream) : ndsim::close_output(number);
}
FILE* freopen(const char* path, const char* mode, FILE* stream) {
    return ndsim::reopen(path, mode, stream);
}
errno_t fopen_s(FILE** file, const char* path, const char* mode) {
    return ndsim::outcome(file, ::fopen64(path, mode));
}
FILE* _wfopen(const wchar_t* path, const wchar_t* mode) {
    return ::fopen64(ndsim::to_utf8(path).c_str(), ndsim::to_utf8(mode).c_str());
}
errno_t _wfopen_s(FILE** file, const wchar_t* path, const wchar_t* mode) {
    return ndsim::outcome(file, _wfopen(path, mode));
}
FILE* _wfreopen(const wchar_t* path, const wchar_t* mode, FILE* stream) {
    return ndsim::reopen(ndsim::to_utf8(path), ndsim::to_utf8(mode), stream);
}
errno_t _wfreopen_s(FILE** file, const wchar_t* path, const wchar_t* mode, FILE* stream) {
    return ndsim::outcome(file, _wfreopen(path, mode, stream));
}

// Windows' leaves the standard streams open, and the C library's would close the files of all programs and of whoever
// simulates them; so this writes what is in buffers.
int _fcloseall() {
    return ::fflush_unlocked(nullptr);
}
int _flushall() {
    return ::fflush_unlocked(nullptr);
}
}
