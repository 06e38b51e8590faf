// SPDX-License-Identifier: Apache-2.0
#include "scenarios/hosts/program_file.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <fstream>
#include <iterator>

#include "sim/files/write_all.hpp"

namespace ndsim {

namespace {

std::string read_whole(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::string bytes((std::istreambuf_iterator<char>(file)), {});
    if (!file || bytes.empty()) {
        throw ProgramFileError(fmt::format("{} cannot be read", path));
    }
    return bytes;
}

// The path of a copy in memory. It stays open: the linker would take another file of the same name for the same one.
std::string private_copy(const std::string& path) {
    const std::string bytes = read_whole(path);
    const int file = ::memfd_create("program", MFD_CLOEXEC);
    if (file < 0 || write_all(file, bytes.data(), bytes.size()).error != 0) {
        throw ProgramFileError(fmt::format("{} cannot be copied into memory", path));
    }
    return fmt::format("/proc/self/fd/{}", file);
}

// The linker's message about the copy, reworded for the file.
std::string complaint(const std::string& path, const std::string& copy) {
    std::string text = ::dlerror();
    if (text.starts_with(copy + ": ")) {
        text.erase(0, copy.size() + 2);
    }
    return fmt::format("{} cannot be loaded: {}", path, text);
}

}  // namespace

ProgramFile::ProgramFile(std::string path, std::vector<std::string> arguments)
    : path_(std::move(path)), arguments_(std::move(arguments)) {
    arguments_.insert(arguments_.begin(), path_);
    const std::string copy = private_copy(path_);
    void* const loaded = ::dlopen(copy.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (loaded == nullptr) {
        throw ProgramFileError(complaint(path_, copy));
    }
    entry_ = entry_of(loaded);
    if (entry_.attach == nullptr || entry_.start == nullptr) {
        throw ProgramFileError(fmt::format("{} is not a host program: it is not linked with ndsim::program", path_));
    }
    if (entry_.narrow == nullptr && entry_.wide == nullptr) {
        throw ProgramFileError(fmt::format("{} exports no main, wmain or _tmain", path_));
    }
}

int ProgramFile::run(ProgramHost& host) const {
    std::vector<std::string> texts = arguments_;
    std::vector<char*> arguments;
    arguments.reserve(texts.size() + 1);
    for (std::string& text : texts) {
        arguments.push_back(text.data());
    }
    arguments.push_back(nullptr);
    entry_.attach(&host);
    return entry_.start(entry_.narrow, entry_.wide, static_cast<int>(texts.size()), arguments.data());
}

}  // namespace ndsim
