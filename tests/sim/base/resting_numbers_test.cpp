// SPDX-License-Identifier: Apache-2.0

#include "sim/base/resting_numbers.hpp"

#include "tests/support/catch.hpp"

namespace resting_numbers_test {

using ndsim::RestingNumbers;

TEST_CASE("resting numbers: they count from 0, and one that is given back rests until enough others have been") {
    RestingNumbers numbers;
    CHECK(numbers.take() == 0);
    CHECK(numbers.take() == 1);
    numbers.give(0);
    for (std::uint32_t i = 0; i < RestingNumbers::kRest; ++i) {
        const std::uint32_t next = numbers.take();
        CHECK(next == 2 + i);
        numbers.give(next);
    }
    // 1,024 were given back after 0, so 0 is used again, and then 2, which has rested longest.
    CHECK(numbers.take() == 0);
    CHECK(numbers.take() == RestingNumbers::kRest + 2);
    numbers.give(1);
    CHECK(numbers.take() == 2);
}

}  // namespace resting_numbers_test
