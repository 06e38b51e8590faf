// SPDX-License-Identifier: Apache-2.0
#include "models/root/last_level_cache.hpp"

#include <algorithm>
#include <bit>

namespace ndsim {

namespace {

// The lines of a block that a range touches, a bit for each.
std::uint64_t touched(std::uint64_t block, std::uint64_t begin, std::uint64_t end) {
    constexpr std::uint64_t kLine = LastLevelCache::kLine;
    const std::uint64_t base = block * LastLevelCache::kBlock;
    const std::uint64_t first = begin > base ? (begin - base) / kLine : 0;
    const std::uint64_t last = std::min<std::uint64_t>(63, (end - 1 - base) / kLine);
    return (~std::uint64_t{0} >> (63U - (last - first))) << first;
}

// Calls `each` with every block of a range and its touched lines.
template <class Each>
void for_blocks(Address address, std::uint64_t length, Each&& each) {
    if (length == 0) {
        return;
    }
    const std::uint64_t begin = raw(address);
    const std::uint64_t end = begin + length;
    for (std::uint64_t block = begin / LastLevelCache::kBlock; block * LastLevelCache::kBlock < end; ++block) {
        each(block, touched(block, begin, end));
    }
}

}  // namespace

std::uint64_t LastLevelCache::Part::held(std::uint64_t block) {
    const std::uint64_t* const mask = blocks.use(block);
    return mask == nullptr ? 0 : *mask;
}

bool LastLevelCache::Part::add(std::uint64_t block, std::uint64_t new_lines) {
    std::uint64_t* const mask = blocks.use(block);
    if (mask == nullptr) {
        blocks.insert(block, new_lines);
    } else {
        *mask |= new_lines;
    }
    lines += static_cast<std::uint64_t>(std::popcount(new_lines));
    const bool full = lines > capacity;
    while (lines > capacity) {
        drop_oldest(lines - capacity);
    }
    return full;
}

// Drops lines of the least recently used block, in ascending order.
void LastLevelCache::Part::drop_oldest(std::uint64_t most) {
    std::uint64_t& mask = blocks.oldest();
    for (; most > 0 && mask != 0; --most) {
        mask &= mask - 1;
        --lines;
    }
    if (mask == 0) {
        blocks.take_oldest();
    }
}

void LastLevelCache::Part::remove(std::uint64_t block, std::uint64_t old_lines) {
    const std::uint64_t* const mask = blocks.look(block);
    if (mask == nullptr || (*mask & old_lines) == 0) {
        return;
    }
    lines -= static_cast<std::uint64_t>(std::popcount(*mask & old_lines));
    if (const std::uint64_t kept = *mask & ~old_lines; kept == 0) {
        blocks.erase(block);
    } else {
        *blocks.use(block) = kept;
    }
}

void LastLevelCache::software_wrote(Address address, std::uint64_t length) {
    // If the range exceeds the capacity, only its end is left.
    const std::uint64_t most = (software_.capacity + 2 * kBlock / kLine) * kLine;
    if (length > most) {
        address = address + (length - most);
        length = most;
    }
    for_blocks(address, length, [this](std::uint64_t block, std::uint64_t lines) {
        const std::uint64_t there = software_.held(block) | device_.held(block);
        if ((lines & ~there) != 0) {
            software_.add(block, lines & ~there);
        }
    });
}

bool LastLevelCache::device_wrote(Address address, std::uint64_t length) {
    bool full = false;
    for_blocks(address, length, [this, &full](std::uint64_t block, std::uint64_t lines) {
        const std::uint64_t there = software_.held(block) | device_.held(block);
        if ((lines & ~there) != 0) {
            full = device_.add(block, lines & ~there) || full;
        }
    });
    return full;
}

void LastLevelCache::passed_by(Address address, std::uint64_t length) {
    for_blocks(address, length, [this](std::uint64_t block, std::uint64_t lines) {
        software_.remove(block, lines);
        device_.remove(block, lines);
    });
}

bool LastLevelCache::holds(Address address, std::uint64_t length) {
    bool all = true;
    for_blocks(address, length, [this, &all](std::uint64_t block, std::uint64_t lines) {
        all = (lines & ~(software_.held(block) | device_.held(block))) == 0 && all;
    });
    return all;
}

}  // namespace ndsim
