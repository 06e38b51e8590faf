// SPDX-License-Identifier: Apache-2.0
#include "sim/base/page_blocks.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "tests/support/catch.hpp"

namespace ndsim::test::page_blocks_test {

constexpr std::uint64_t kPage = 4096;

std::size_t resident_pages(std::byte* data, std::uint64_t length) {
    std::vector<unsigned char> pages(length / kPage);
    REQUIRE(::mincore(data, length, pages.data()) == 0);
    return static_cast<std::size_t>(std::ranges::count_if(pages, [](unsigned char page) { return (page & 1U) != 0; }));
}

TEST_CASE("page blocks: pieces are zero, begin with a page, and do not overlap") {
    PageBlocks blocks;
    const auto first = blocks.take(kPage + 1);
    const auto second = blocks.take(3);
    for (const std::byte* const piece : {first.get(), second.get()}) {
        CHECK(reinterpret_cast<std::uintptr_t>(piece) % kPage == 0);
    }
    CHECK(std::all_of(first.get(), first.get() + kPage + 1, [](std::byte b) { return b == std::byte{0}; }));
    std::fill_n(first.get(), 2 * kPage, std::byte{7});  // 4,097 B take two pages
    CHECK(second[0] == std::byte{0});
}

TEST_CASE("page blocks: a piece costs the pages that are touched of it") {
    PageBlocks blocks;
    const std::uint64_t length = 64 * kPage;
    const auto piece = blocks.take(length);
    CHECK(resident_pages(piece.get(), length) == 0);
    piece[5 * kPage] = std::byte{1};
    piece[9 * kPage + 8] = std::byte{1};
    CHECK(resident_pages(piece.get(), length) == 2);
    PageBlocks::drop(piece.get(), length);
    CHECK(resident_pages(piece.get(), length) == 0);
    CHECK(piece[5 * kPage] == std::byte{0});
}

TEST_CASE("page blocks: a piece may be larger than a block, and fills it to its end") {
    PageBlocks blocks;
    const auto half = blocks.take(PageBlocks::kBlock / 2);
    const auto other_half = blocks.take(PageBlocks::kBlock / 2);
    CHECK(other_half.get() == half.get() + PageBlocks::kBlock / 2);
    const auto large = blocks.take(PageBlocks::kBlock + kPage);
    large[PageBlocks::kBlock + kPage - 1] = std::byte{1};
    other_half[PageBlocks::kBlock / 2 - 1] = std::byte{2};
    CHECK(large[0] == std::byte{0});
}

TEST_CASE("page blocks: a block lives as long as its last piece") {
    std::optional<PageBlocks> blocks(std::in_place);
    auto first = blocks->take(kPage);
    const auto second = blocks->take(kPage);
    blocks.reset();
    first.reset();
    second[0] = std::byte{3};
    CHECK(second[0] == std::byte{3});
    std::weak_ptr<std::byte[]> watched = second;
    CHECK(watched.use_count() == 1);  // the block is not held by anything else
}

}  // namespace ndsim::test::page_blocks_test
