// SPDX-License-Identifier: Apache-2.0
#include "sim/kernel/probe.hpp"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/kernel/pool.hpp"
#include "sim/kernel/unit.hpp"
#include "tests/support/catch.hpp"

namespace ndsim::test::probe_test {

using namespace std::chrono_literals;

enum class State : std::uint8_t { idle, busy, stalled };
constexpr std::array<std::string_view, 3> kStates{"idle", "busy", "stalled"};

class Engine : public Unit {
public:
    Engine(const sc_core::sc_module_name& name, Timeline& timeline) : Unit(name, timeline) {}

    Probe<State> state{*this, "state", "what the engine does", kStates};
    Probe<std::uint16_t> depth{*this, "depth", "entries waiting"};
    Probe<bool> blocked{*this, "blocked", "no credit"};
    static constexpr PoolFacts kSlots{"slots", "slots in use", PoolUnit::requests};
    Pool slots{*this, kSlots, 8};
};

struct Sink final : WaveSink {
    struct Change {
        std::uint32_t signal;
        Picoseconds at;
        std::uint64_t value;
        bool operator==(const Change&) const = default;
    };
    void change(std::uint32_t signal, Picoseconds at, std::uint64_t value) override {
        seen.push_back({signal, at, value});
    }
    std::vector<Change> seen;
};

TEST_CASE("probe: a unit lists its probes and pools in the order of their declaration") {
    RunControl control;
    Timeline timeline("timeline", control);
    const Engine engine("engine", timeline);

    REQUIRE(engine.probes().size() == 4);
    CHECK(engine.probes()[0] == &engine.state);
    CHECK(engine.probes()[1] == &engine.depth);
    CHECK(engine.probes()[2] == &engine.blocked);
    CHECK(engine.probes()[3] == &engine.slots);
    REQUIRE(engine.pools().size() == 1);
    CHECK(engine.pools()[0] == &engine.slots);
}

TEST_CASE("probe: knows its name, sentence, width and states") {
    RunControl control;
    Timeline timeline("timeline", control);
    const Engine engine("engine", timeline);

    CHECK(engine.state.name() == "state");
    CHECK(engine.state.sentence() == "what the engine does");
    CHECK(engine.state.states().size() == 3);
    CHECK(engine.state.states()[2] == "stalled");
    CHECK(engine.depth.bits() == 16);
    CHECK(engine.depth.states().empty());
    CHECK(engine.blocked.bits() == 1);
}

TEST_CASE("probe: tells its sink changes only") {
    RunControl control;
    Timeline timeline("timeline", control);
    Engine engine("engine", timeline);
    Sink sink;
    engine.state.attach(sink, 5);
    engine.depth.attach(sink, 6);

    engine.state.set(State::idle, 10ns);  // as it was
    engine.state.set(State::stalled, 20ns);
    engine.depth.set(3, 20ns);
    engine.state.set(State::stalled, 30ns);
    engine.depth.set(0, 40ns);

    CHECK(sink.seen == std::vector<Sink::Change>{{5, 20ns, 2}, {6, 20ns, 3}, {6, 40ns, 0}});
    CHECK(engine.state.get() == State::stalled);
    CHECK(engine.depth.get() == 0);
}

TEST_CASE("probe: tells all who listen, also when one of them has heard enough") {
    RunControl control;
    Timeline timeline("timeline", control);
    Engine engine("engine", timeline);
    struct Once final : WaveSink {
        explicit Once(Engine& of) : engine(of) {}
        void change(std::uint32_t, Picoseconds, std::uint64_t) override {
            ++heard;
            engine.depth.detach(*this);
        }
        Engine& engine;
        int heard = 0;
    };
    Sink first;
    Once once(engine);
    Sink last;
    engine.depth.attach(first, 1);
    engine.depth.attach(once, 2);
    engine.depth.attach(last, 3);

    engine.depth.set(4, 10ns);
    engine.depth.set(5, 20ns);

    CHECK(first.seen == std::vector<Sink::Change>{{1, 10ns, 4}, {1, 20ns, 5}});
    CHECK(once.heard == 1);
    CHECK(last.seen == std::vector<Sink::Change>{{3, 10ns, 4}, {3, 20ns, 5}});
}

TEST_CASE("probe: keeps its value while nobody listens") {
    RunControl control;
    Timeline timeline("timeline", control);
    Engine engine("engine", timeline);
    engine.blocked.set(true, 10ns);
    CHECK(engine.blocked.get());

    Sink sink;
    engine.blocked.attach(sink, 0);
    engine.blocked.set(true, 20ns);
    engine.blocked.detach(sink);
    engine.blocked.set(false, 30ns);

    CHECK(sink.seen.empty());
    CHECK_FALSE(engine.blocked.get());
    CHECK(engine.blocked.shown() == 0);
}

}  // namespace ndsim::test::probe_test
