// SPDX-License-Identifier: Apache-2.0
#include "scenarios/engine/program_file.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <fstream>
#include <iterator>

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

// A file of its own in memory, for which the dynamic linker knows no other.
class PrivateCopy {
public:
    explicit PrivateCopy(const std::string& path) : file_(::memfd_create("program", MFD_CLOEXEC)) {
        const std::string bytes = read_whole(path);
        std::size_t written = 0;
        while (file_ >= 0 && written < bytes.size()) {
            const ssize_t count = ::write(file_, bytes.data() + written, bytes.size() - written);
            if (count <= 0) {
                break;
            }
            written += static_cast<std::size_t>(count);
        }
        if (written < bytes.size()) {
            throw ProgramFileError(fmt::format("{} cannot be copied into memory", path));
        }
    }
    PrivateCopy(const PrivateCopy&) = delete;
    PrivateCopy& operator=(const PrivateCopy&) = delete;
    // The linker maps the copy and does not need its name again.
    ~PrivateCopy() { ::close(file_); }

    [[nodiscard]] std::string path() const { return fmt::format("/proc/self/fd/{}", file_); }

private:
    int file_;
};

// What the linker says of the copy, about the file.
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
    const PrivateCopy copy(path_);
    void* const loaded = ::dlopen(copy.path().c_str(), RTLD_NOW | RTLD_LOCAL);
    if (loaded == nullptr) {
        throw ProgramFileError(complaint(path_, copy.path()));
    }
    attach_ = reinterpret_cast<Attach>(::dlsym(loaded, "ndsim_attach"));
    main_ = reinterpret_cast<Main>(::dlsym(loaded, "ndsim_main"));
    if (attach_ == nullptr || main_ == nullptr) {
        throw ProgramFileError(fmt::format("{} is no host program: it is not linked with ndsim::program", path_));
    }
}

int ProgramFile::run(ProgramHost& host) const {
    std::vector<std::string> texts = arguments_;
    std::vector<char*> arguments;
    for (std::string& text : texts) {
        arguments.push_back(text.data());
    }
    arguments.push_back(nullptr);
    attach_(&host);
    return main_(static_cast<int>(texts.size()), arguments.data());
}

}  // namespace ndsim
