// SPDX-License-Identifier: Apache-2.0
#include "sim/files/write_all.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace ndsim {

Written write_all(int descriptor, const void* data, std::size_t size) {
    std::size_t written = 0;
    while (written < size) {
        const ssize_t n = ::write(descriptor, static_cast<const std::byte*>(data) + written, size - written);
        if (n > 0) {
            written += static_cast<std::size_t>(n);
        } else if (n == 0 || errno != EINTR) {
            return {written, n == 0 ? ENOSPC : errno};
        }
    }
    return {written, 0};
}

OutputFile::OutputFile(const std::string& path)
    : descriptor_(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {}

OutputFile::~OutputFile() {
    if (is_open()) {
        ::close(descriptor_);
    }
}

bool OutputFile::close() {
    return ::close(std::exchange(descriptor_, -1)) == 0;
}

void OutputFile::cut_back(std::uint64_t size, std::string_view tail) {
    const auto end = static_cast<off_t>(size);
    if (::ftruncate(descriptor_, end) == 0 && ::lseek(descriptor_, end, SEEK_SET) == end) {
        [[maybe_unused]] const ssize_t ended = ::write(descriptor_, tail.data(), tail.size());
    }
    [[maybe_unused]] const bool closed = close();
}

}  // namespace ndsim
