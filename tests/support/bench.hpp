// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "models/ledger/ledger.hpp"
#include "sim/base/payload_pool.hpp"
#include "sim/kernel/agenda.hpp"
#include "sim/kernel/unit.hpp"
#include "tests/support/picoseconds.hpp"

// What the tests of units share.
namespace ndsim::test {

// Script: does things at their times, before anything else of the same picosecond (or with another rank).
class Script final : public Unit {
public:
    Script(const sc_core::sc_module_name& name, Timeline& timeline, std::uint32_t rank = 0)
        : Unit(name, timeline), actions_(*this, timeline, rank) {}

    void at(Picoseconds when, std::function<void()> action) { actions_.push(when, std::move(action)); }

private:
    void act(std::function<void()>& action) { action(); }

    Agenda<std::function<void()>, &Script::act> actions_;
};

// A node's timeline, the pools that its units share, and a script.
struct Bench {
    RunControl control;
    Timeline timeline{"timeline", control};
    PayloadPool payloads;
    Ledgers ledgers{2};
    Script script{"script", timeline};

    void at(Picoseconds when, std::function<void()> action) { script.at(when, std::move(action)); }
    [[nodiscard]] Picoseconds now() const { return timeline.now(); }
    // Until nothing is left to do.
    void run() { sc_core::sc_start(); }
};

// At the end of a run: in each pool of the unit, the integral of the occupancy is the sum of the residence times.
void check_little(const Unit& unit);
// As above, and the unit holds nothing any more.
void check_at_rest(const Unit& unit);

// What the unit's engines did adds up to all the time until now.
void check_engines(const Unit& unit);

// The value of a unit's statistic; fails the test if there is none.
std::uint64_t statistic(const Unit& unit, std::string_view name);

// Runs `story` as host software, which may wait(), until nothing is left to do; fails the test if it still waits then.
void run_host(std::function<void()> story);
// Inside a story.
inline void wait_for(Picoseconds time) {
    sc_core::wait(to_sc(time));
}

// Bytes that tell where they belong: 0, 1, 2 ... 250, 0, 1 ... from `seed` on.
std::vector<std::byte> pattern(std::size_t length, std::uint32_t seed = 0);

}  // namespace ndsim::test
