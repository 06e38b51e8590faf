// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/base/ring.hpp"

namespace ndsim {

// RestingNumbers: numbers from 0 on for things that come and go. A returned number is used again only after kRest
// others have been returned, so that late traffic of its former owner does not meet the next one.
class RestingNumbers {
public:
    static constexpr std::size_t kRest = 1024;

    [[nodiscard]] std::uint32_t take() { return given_.size() > kRest ? given_.pop() : next_++; }
    void give(std::uint32_t number) { given_.push(number); }

private:
    Ring<std::uint32_t> given_;  // longest rest in front
    std::uint32_t next_ = 0;
};

}  // namespace ndsim
