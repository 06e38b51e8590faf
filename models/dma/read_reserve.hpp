// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "models/ports/dma.hpp"

namespace ndsim {

// ReadReserve: the read requests that each class of reads keeps, so that no class shuts out the others. All classes
// together keep five sixths at most, and with one request more in all no class may send fewer.
class ReadReserve {
public:
    // Each class is to keep `each`, of `all` requests.
    ReadReserve(std::uint32_t each, std::uint64_t all);

    // Requests that `cls` must leave to the others, of which each has so many in use.
    [[nodiscard]] std::uint64_t kept_from(ReadClass cls, const std::array<std::uint64_t, kReadClasses>& used) const;

private:
    std::array<std::uint64_t, kReadClasses> reserved_{};
};

}  // namespace ndsim
