// SPDX-License-Identifier: Apache-2.0
#include "models/host/region_table.hpp"

#include <array>

#include "tests/support/catch.hpp"

namespace ndsim::test::region_table_test {

constexpr std::uint64_t kPage = RegionTable::kPage;

TEST_CASE("regions: each is found by its first and last byte, however many there are") {
    RegionTable table;
    std::array<std::byte, 1> buffer{};
    std::vector<Address> bases;
    for (std::uint64_t i = 0; i < 1000; ++i) {
        bases.push_back(table.add(buffer.data(), 1 + i * 37 % (3 * kPage), i % kPage).region.base);
    }
    for (std::uint64_t i = 0; i < bases.size(); ++i) {
        const std::uint64_t length = 1 + i * 37 % (3 * kPage);
        for (const std::uint64_t byte : {std::uint64_t{0}, length - 1}) {
            const MappedRegion* const found = table.find(bases[i] + byte, 1);
            REQUIRE(found != nullptr);
            CHECK(found->region.base == bases[i]);
        }
        CHECK(table.find(bases[i] + length, 1) == nullptr);
        CHECK(table.find(bases[i] + (length - 1), 2) == nullptr);
    }
}

TEST_CASE("regions: one that is much larger than its neighbours is found everywhere inside") {
    RegionTable table;
    std::array<std::byte, 1> buffer{};
    constexpr std::uint64_t kLarge = std::uint64_t{1} << 30U;
    const Address before = table.add(buffer.data(), 64, 0).region.base;
    const Address large = table.add(buffer.data(), kLarge, 100).region.base;
    const Address behind = table.add(buffer.data(), 64, 0).region.base;
    for (const std::uint64_t byte : {std::uint64_t{0}, kLarge / 3, kLarge - 1}) {
        REQUIRE(table.find(large + byte, 1) != nullptr);
        CHECK(table.find(large + byte, 1)->region.base == large);
    }
    CHECK(table.find(large, kLarge) != nullptr);
    CHECK(table.find(large, kLarge + 1) == nullptr);
    CHECK(table.find(before, 64)->region.base == before);
    CHECK(table.find(behind, 64)->region.base == behind);
    CHECK(table.find(Address{0}, 1) == nullptr);
    CHECK(table.find(behind + kLarge, 1) == nullptr);
}

TEST_CASE("regions: others are found where they were when most are gone") {
    RegionTable table;
    std::array<std::byte, 1> buffer{};
    std::vector<Address> bases;
    for (int i = 0; i < 100; ++i) {
        bases.push_back(table.add(buffer.data(), 64, 0).region.base);
    }
    const MappedRegion* const kept = table.find(bases[50], 64);
    for (std::size_t i = 0; i < bases.size(); ++i) {
        if (i % 50 != 0) {
            table.remove(*table.find(bases[i], 64));
        }
    }
    for (std::size_t i = 0; i < bases.size(); ++i) {
        CHECK((table.find(bases[i], 64) != nullptr) == (i % 50 == 0));
    }
    CHECK(table.find(bases[50], 64) == kept);
    // Addresses are not used again.
    CHECK(raw(table.add(buffer.data(), 64, 0).region.base) > raw(bases.back()));
}

}  // namespace ndsim::test::region_table_test
