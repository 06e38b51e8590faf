// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "models/ports/dma.hpp"

namespace ndsim {

// ReadReserve: the read requests reserved for each class of reads, so that no class shuts out the others. The reserves
// sum to at most five sixths, and one more request in total never lets a class send fewer.
class ReadReserve {
public:
    // Each class reserves `each` of `all` requests, if that fits.
    ReadReserve(std::uint32_t each, std::uint64_t all);

    // The requests reserved for all classes.
    [[nodiscard]] std::uint64_t all() const { return all_; }
    // Requests that `cls` must leave to the other classes, given how many each class has in use.
    [[nodiscard]] std::uint64_t kept_from(ReadClass cls, const std::array<std::uint64_t, kReadClasses>& used) const;

private:
    std::uint64_t all_;
    std::array<std::uint64_t, kReadClasses> reserved_{};
};

}  // namespace ndsim
