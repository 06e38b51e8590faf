// SPDX-License-Identifier: Apache-2.0
#include "models/dma/read_reserve.hpp"

#include <algorithm>

namespace ndsim {

ReadReserve::ReadReserve(std::uint32_t each, std::uint64_t all)
    : all_(std::min<std::uint64_t>(each * kReadClasses, all * kReadClasses / (kReadClasses + 1))) {
    for (std::size_t i = 0; i < kReadClasses; ++i) {
        reserved_[i] = (all_ + kReadClasses - 1 - i) / kReadClasses;
    }
}

// The reserve that a class has in use is no longer kept.
std::uint64_t ReadReserve::kept_from(ReadClass cls, const std::array<std::uint64_t, kReadClasses>& used) const {
    std::uint64_t kept = 0;
    for (std::size_t other = 0; other < kReadClasses; ++other) {
        if (other != static_cast<std::size_t>(cls) && used[other] < reserved_[other]) {
            kept += reserved_[other] - used[other];
        }
    }
    return kept;
}

}  // namespace ndsim
