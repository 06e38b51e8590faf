// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "models/host/core.hpp"
#include "models/host/memory.hpp"
#include "sim/base/ring.hpp"

namespace ndsim::core {

// Spinners: threads of a host that look again and again for something to happen, at completion queues for example.
// Such a thread is not woken for every look. One look lasts until the first round at which the host has something new,
// but no longer than an eighth of the time for which the thread has done nothing but look: one that gives up, or does
// something between its looks, is late by at most that.
class Spinners final : public MemoryWatcher {
public:
    // `round` is what one look takes.
    Spinners(HostMemory& memory, Picoseconds round) : memory_(memory), round_(round) {}

    // The calling thread has just looked in vain, for one round; it goes on when it has a reason to look again.
    void look_again(Core& core);
    // From `at` on the host's software can see something that it could not before.
    void changed(Picoseconds now, Picoseconds at);
    // Threads also look at memory that devices write to.
    void look_at_memory() { memory_.watch_all(*this); }
    void memory_written(Address, std::uint64_t, Picoseconds at) override { changed(memory_.now(), at); }

private:
    // A thread's looks, one right after the other.
    struct Row {
        Core* core = nullptr;
        Picoseconds begun{};
        Picoseconds ended{};
    };

    [[nodiscard]] Row& row_of(Core& core);
    [[nodiscard]] Picoseconds longest(const Row& row) const;
    [[nodiscard]] std::optional<Picoseconds> next_change(Picoseconds after) const;
    void forget_past(Picoseconds now);

    HostMemory& memory_;
    const Picoseconds round_;
    std::vector<Row> rows_;
    std::vector<Core*> waiting_;
    Ring<Picoseconds> changes_;  // that some thread may not have looked for yet
};

}  // namespace ndsim::core
