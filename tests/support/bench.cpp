// SPDX-License-Identifier: Apache-2.0
#include "tests/support/bench.hpp"

#include <optional>
#include <string>
#include <utility>

#include "sim/kernel/engine_times.hpp"
#include "sim/kernel/pool.hpp"
#include "sim/kernel/state_times.hpp"
#include "tests/support/catch.hpp"

namespace ndsim::test {

namespace {

class Software final : public sc_core::sc_module {
public:
    Software(const sc_core::sc_module_name& name, std::function<void()> story)
        : sc_module(name), story_(std::move(story)) {
        SC_HAS_PROCESS(Software);
        SC_THREAD(run);
    }
    bool finished = false;

private:
    void run() {
        story_();
        finished = true;
    }

    std::function<void()> story_;
};

class Find final : public StatSink {
public:
    explicit Find(std::string_view name) : name_(name) {}
    void add(std::string_view name, std::uint64_t value, StatUnit, std::string_view sentence) override {
        CHECK_FALSE(sentence.empty());
        if (name == name_) {
            found = value;
        }
    }
    std::optional<std::uint64_t> found;

private:
    std::string name_;
};

void check_pools(const Unit& unit, bool empty) {
    for (Pool* const pool : unit.pools()) {
        INFO(unit.name() << "." << pool->name());
        pool->settle(unit.now() + std::chrono::seconds{1});  // departures that are booked
        CHECK(static_cast<std::uint64_t>(pool->occupancy().integral()) == pool->residence());
        if (empty) {
            CHECK(pool->occupancy().level() == 0);
        }
    }
}

}  // namespace

void check_little(const Unit& unit) {
    check_pools(unit, false);
}

void check_at_rest(const Unit& unit) {
    check_pools(unit, true);
    CHECK_NOTHROW(unit.check_idle());
}

void check_engines(const Unit& unit) {
    for (EngineTimes* const engine : unit.engines()) {
        INFO(unit.name() << " " << engine->name());
        engine->settle(unit.now());
        Picoseconds sum{};
        for (std::size_t state = 0; state < engine->states().size(); ++state) {
            sum += engine->spent(state);
        }
        CHECK(sum == unit.now());
    }
}

std::uint64_t statistic(const Unit& unit, std::string_view name) {
    Find find(name);
    unit.report(find);
    for (StateTimes* const times : unit.state_times()) {
        times->settle(unit.now());
        for (std::size_t state = 0; state < times->names().size(); ++state) {
            if (times->names()[state] == name) {
                find.found = static_cast<std::uint64_t>(times->spent(state).count());
            }
        }
    }
    for (const EngineTimes* const engine : unit.engines()) {
        const std::string prefix = engine->name().empty() ? "" : std::string(engine->name()) + ".";
        for (const EngineState& state : engine->states()) {
            if (name == prefix + std::string(state.what)) {
                find.found = static_cast<std::uint64_t>(engine->spent_on(state.what).count());
            } else if (name == state.part) {
                find.found = static_cast<std::uint64_t>(engine->spent_in_part(state.part).count());
            }
        }
    }
    INFO(unit.name() << " reports " << name);
    REQUIRE(find.found.has_value());
    return *find.found;
}

void run_host(std::function<void()> story) {
    Software software("software", std::move(story));
    sc_core::sc_start();
    CHECK(software.finished);
}

std::vector<std::byte> pattern(std::size_t length, std::uint32_t seed) {
    std::vector<std::byte> bytes(length);
    for (std::size_t i = 0; i < length; ++i) {
        bytes[i] = static_cast<std::byte>((seed + i) % 251);
    }
    return bytes;
}

}  // namespace ndsim::test
