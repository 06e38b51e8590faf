// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "models/host/core.hpp"
#include "models/host/host_memory.hpp"
#include "sim/base/ring.hpp"

namespace ndsim::core {

// Spinners: threads of a host that poll repeatedly for something to happen, for example at completion queues. Such a
// thread is not woken for every poll. One sleep lasts until the first round at which the host has something new, but at
// most an eighth of the time for which the thread has only polled: a thread that gives up is late by at most that. One
// that never gives up sleeps on. None sleeps while anything that it polls in turn may have something new.
class Spinners final : public MemoryWatcher {
public:
    // `round` is the time of one poll.
    Spinners(HostMemory& memory, Picoseconds round) : memory_(memory), round_(round) {}

    // The calling thread has just polled `place` in vain, for one round; it continues when it has a reason to poll
    // again. Without a place, each poll may be one of another.
    void look_again(Core& core, const void* place);
    // The calling thread, whose last poll was in vain, never gives up: it continues when there is something new. If
    // that never comes, it does not keep the run busy; the message about such a run says that it waits for `what`.
    void look_until_changed(Core& core, std::string_view what);
    // From `at` on the host's software can see something new.
    void changed(Picoseconds now, Picoseconds at);
    // A thread has made room in queues at `at`.
    void made_room(Picoseconds now, Picoseconds at) {
        if (!rows_.empty()) {
            changed(now, at);
        }
    }
    // Threads also poll memory that devices write to.
    void look_at_memory() { memory_.watch_all(*this); }
    void memory_written(Address, std::uint64_t, Picoseconds at) override { changed(memory_.now(), at); }

private:
    // A poll in vain, the last one of its place.
    struct Look {
        const void* place = nullptr;
        Picoseconds at{};
        std::uint64_t number = 0;
    };
    // A thread's polls, one right after the other.
    struct Row {
        Core* core = nullptr;
        Picoseconds begun{};
        Picoseconds ended{};
        std::uint64_t count = 0;
        std::vector<Look> looks;  // of the last ones, in their order
    };

    [[nodiscard]] Row& row_of(Core& core);
    static void note(Row& row, const void* place, Picoseconds at);
    [[nodiscard]] Picoseconds longest(const Row& row) const;
    // Until there is something new since all of the row's polls, or until `until`; then to the time of the next poll.
    void spin(std::size_t row, std::optional<Picoseconds> until);
    [[nodiscard]] std::optional<Picoseconds> next_change(Picoseconds after) const;
    void forget_past(Picoseconds now);

    HostMemory& memory_;
    const Picoseconds round_;
    std::vector<Row> rows_;
    std::vector<Core*> waiting_;
    Ring<Picoseconds> changes_;  // those that a thread may not have seen yet
};

}  // namespace ndsim::core
