// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/base/units.hpp"

namespace ndsim {

// ReadsBehindWrites: reads that wait until the bulk writes before them have their place on the link. Writes are
// numbered from 1 in order.
class ReadsBehindWrites {
public:
    [[nodiscard]] bool empty() const { return waiting_.empty(); }
    // A read must follow the writes up to this one.
    void add(std::uint32_t read, std::uint64_t write) { waiting_.push_back({read, write}); }

    // The first `gone` writes have their place, the last of them until then. Calls follow(read) for each read that
    // lacks no write any more.
    template <class Follow>
    void gone(std::uint64_t gone, Picoseconds until, Follow follow) {
        until_ = std::max(until_, until);
        std::size_t kept = 0;
        for (std::size_t i = 0; i < waiting_.size(); ++i) {
            const Waiting waits = waiting_[i];
            if (waits.write > gone) {
                waiting_[kept++] = waits;
            } else {
                follow(waits.read);
            }
        }
        waiting_.resize(kept);
    }
    // When the writes that have their place have left.
    [[nodiscard]] Picoseconds until() const { return until_; }

private:
    // A read, and the last write that must go first.
    struct Waiting {
        std::uint32_t read = 0;
        std::uint64_t write = 0;
    };

    std::vector<Waiting> waiting_;
    Picoseconds until_{};
};

}  // namespace ndsim
