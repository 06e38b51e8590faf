// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/base/ids.hpp"
#include "sim/base/lru_cache.hpp"

namespace ndsim {

// LastLevelCache: the lines of memory in the CPU's last-level cache. Writes of a device may take only some of its ways
// (DDIO); the rest belongs to software. Each part evicts lines of the least recently used block of 4 KiB. There are no
// bytes here: memory has them all.
class LastLevelCache {
public:
    static constexpr std::uint64_t kLine = 64;
    static constexpr std::uint64_t kBlock = 64 * kLine;  // as many lines as a word has bits

    // Sizes in lines.
    LastLevelCache(std::uint64_t software_lines, std::uint64_t device_lines)
        : software_{software_lines, {}, 0}, device_{device_lines, {}, 0} {}

    // Software has written here, so the cache holds the lines.
    void software_wrote(Address address, std::uint64_t length);
    // A device writes here. Returns whether missing lines displaced others.
    bool device_wrote(Address address, std::uint64_t length);
    // A device writes here past the cache.
    void passed_by(Address address, std::uint64_t length);
    // Whether the cache holds all lines.
    [[nodiscard]] bool holds(Address address, std::uint64_t length);

private:
    // The ways of software, or of devices.
    struct Part {
        std::uint64_t capacity = 0;
        LruCache<std::uint64_t> blocks;  // lines held, a bit for each
        std::uint64_t lines = 0;

        [[nodiscard]] std::uint64_t held(std::uint64_t block);
        bool add(std::uint64_t block, std::uint64_t lines);
        void drop_oldest(std::uint64_t most);
        void remove(std::uint64_t block, std::uint64_t lines);
    };

    Part software_;
    Part device_;
};

}  // namespace ndsim
