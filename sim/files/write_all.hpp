// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace ndsim {

// How many bytes have reached a file, and the error that kept the others from it; 0 if there was none.
struct Written {
    std::size_t bytes = 0;
    int error = 0;
};
[[nodiscard]] Written write_all(int descriptor, const void* data, std::size_t size);

}  // namespace ndsim
