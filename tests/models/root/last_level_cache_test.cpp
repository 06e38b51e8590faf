// SPDX-License-Identifier: Apache-2.0
#include "models/root/last_level_cache.hpp"

#include "tests/support/catch.hpp"

namespace ndsim::test::last_level_cache_test {

constexpr std::uint64_t kBlock = LastLevelCache::kBlock;

Address at(std::uint64_t block, std::uint64_t line = 0, std::uint64_t byte = 0) {
    return Address{block * kBlock + line * 64 + byte};
}

TEST_CASE("LLC: it holds the lines that software has written, and no others") {
    LastLevelCache cache(1024, 64);
    cache.software_wrote(at(1, 3, 60), 8);  // a part of lines 3 and 4
    CHECK(cache.holds(at(1, 3), 128));
    CHECK_FALSE(cache.holds(at(1, 2), 128));
    CHECK_FALSE(cache.holds(at(1, 4), 128));
    CHECK(cache.holds(at(1, 3), 0));
    cache.software_wrote(at(2, 62), 4 * 64);  // over the end of a block
    CHECK(cache.holds(at(2, 62), 256));
    CHECK_FALSE(cache.holds(at(3, 1), 65));
}

TEST_CASE("LLC: software's lines drive out software's, a device's a device's", "[limit]") {
    LastLevelCache cache(128, 64);
    cache.software_wrote(at(1), kBlock);
    cache.software_wrote(at(2), kBlock);
    CHECK_FALSE(cache.device_wrote(at(10), kBlock));
    CHECK(cache.holds(at(1), kBlock));  // and so it is the block used last
    cache.software_wrote(at(3), 64);
    CHECK(cache.holds(at(1), kBlock));
    CHECK_FALSE(cache.holds(at(2), 64));
    CHECK(cache.holds(at(10), kBlock));
    CHECK(cache.device_wrote(at(11), 64));
    CHECK_FALSE(cache.holds(at(10), 64));
    CHECK(cache.holds(at(11), 64));
}

TEST_CASE("LLC: each line drives out one line, of the block used last longest ago") {
    LastLevelCache cache(0, 64);
    CHECK_FALSE(cache.device_wrote(at(1), kBlock));
    CHECK(cache.device_wrote(at(2), 3 * 64));
    CHECK_FALSE(cache.holds(at(1, 2), 64));
    CHECK(cache.holds(at(1, 3), 61 * 64));
    CHECK(cache.device_wrote(at(2, 3), 61 * 64));
    CHECK_FALSE(cache.holds(at(1, 63), 64));
    CHECK(cache.holds(at(2), kBlock));
    CHECK_FALSE(cache.device_wrote(at(2), kBlock));
}

TEST_CASE("LLC: a device's write to a line of software stays there") {
    LastLevelCache cache(64, 1);
    cache.software_wrote(at(1), kBlock);
    CHECK_FALSE(cache.device_wrote(at(1), kBlock));
    CHECK(cache.holds(at(1), kBlock));
}

TEST_CASE("LLC: without ways for devices their writes always drive something out") {
    LastLevelCache cache(64, 0);
    CHECK(cache.device_wrote(at(1), 64));
    CHECK_FALSE(cache.holds(at(1), 64));
}

TEST_CASE("LLC: what a device writes past it is not in it any more") {
    LastLevelCache cache(128, 64);
    cache.software_wrote(at(1), kBlock);
    cache.passed_by(at(1, 5), 64);
    CHECK(cache.holds(at(1), 5 * 64));
    CHECK_FALSE(cache.holds(at(1, 5), 64));
    CHECK(cache.holds(at(1, 6), 64));
    // Its room is free again: 63 + 64 + 1 lines fit.
    cache.software_wrote(at(2), kBlock);
    cache.software_wrote(at(3), 64);
    CHECK(cache.holds(at(1), 64));
}

TEST_CASE("LLC: of a buffer larger than it the end is left") {
    LastLevelCache cache(64, 0);
    cache.software_wrote(at(0), 1ULL << 40U);
    CHECK(cache.holds(Address{(1ULL << 40U) - 64}, 64));
    CHECK_FALSE(cache.holds(Address{(1ULL << 40U) - 2 * kBlock}, 64));
}

}  // namespace ndsim::test::last_level_cache_test
