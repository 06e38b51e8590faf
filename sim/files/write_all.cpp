// SPDX-License-Identifier: Apache-2.0
#include "sim/files/write_all.hpp"

#include <unistd.h>

#include <cerrno>

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

}  // namespace ndsim
