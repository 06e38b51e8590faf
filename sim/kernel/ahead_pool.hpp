// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "sim/kernel/pool.hpp"

namespace ndsim {

// AheadPool: a pool whose entries are taken and given back by software, which runs ahead of the simulation. Until its
// statistics restart it keeps the changes that lie ahead, so that they restart in the middle of a burst, too.
class AheadPool final : public Pool {
public:
    using Pool::Pool;

    void take(std::uint64_t n, Picoseconds at) {
        if (!is_measured_) [[unlikely]] {
            note(n, 0, at);
        }
        Pool::take(n, at);
    }
    void give(std::uint64_t n, Picoseconds at) {
        if (!is_measured_) [[unlikely]] {
            note(0, n, at);
        }
        Pool::give(n, at);
    }
    void give_at(std::uint64_t n, Picoseconds when) {
        if (!is_measured_) [[unlikely]] {
            note(0, n, when);
        }
        Pool::give_at(n, when);
    }
    // Behind restart(): statistics count from `at`, also if there were changes behind it by then.
    void rewind(Picoseconds at);

private:
    // Entries taken, or given back.
    struct Change {
        Picoseconds at{};
        std::uint64_t taken = 0;
        std::uint64_t given = 0;
    };

    void note(std::uint64_t taken, std::uint64_t given, Picoseconds at);

    std::unique_ptr<Ring<Change>> ahead_;  // in the order in which they were made
    bool is_measured_ = false;             // since rewind()
};

}  // namespace ndsim
