// SPDX-License-Identifier: Apache-2.0
#include "sim/kernel/work_probe.hpp"

#include <string>
#include <vector>

#include "sim/kernel/unit.hpp"
#include "tests/support/catch.hpp"

namespace ndsim::test::work_probe_test {

using namespace std::chrono_literals;

class Engine : public Unit {
public:
    Engine(const sc_core::sc_module_name& name, Timeline& timeline) : Unit(name, timeline) {}

    WorkProbe packets{*this, "packets", "packets in work"};
    WorkProbe reads{*this, "reads", "reads in work"};
};

struct Sink final : WorkSink {
    void begun(std::uint32_t probe, std::uint32_t slot, Picoseconds at, const Work& work) override {
        note("begun", probe, slot, at);
        CHECK(work.what == "send");
        CHECK(work.bytes == 64U);
    }
    void ended(std::uint32_t probe, std::uint32_t slot, Picoseconds at) override { note("ended", probe, slot, at); }
    void dropped(std::uint32_t probe, std::uint32_t slot) override { note("dropped", probe, slot, {}); }
    void done(std::uint32_t probe, Interval when, const Work&) override { note("done", probe, 0, when.end); }
    void note(const std::string& what, std::uint32_t probe, std::uint32_t slot, Picoseconds at) {
        seen.push_back(what + " " + std::to_string(probe) + " " + std::to_string(slot) + " " +
                       std::to_string(at.count()));
    }
    std::vector<std::string> seen;
};

Work send() {
    return {"send", {}, {}, {}, {}, 64};
}

TEST_CASE("work probe: a unit lists its probes, each with its name and sentence") {
    RunControl control;
    Timeline timeline("timeline", control);
    const Engine engine("engine", timeline);
    REQUIRE(engine.work_probes().size() == 2);
    CHECK(engine.work_probes()[0] == &engine.packets);
    CHECK(engine.work_probes()[1]->name() == "reads");
    CHECK(engine.work_probes()[1]->sentence() == "reads in work");
}

TEST_CASE("work probe: tells of work from its begin to its end") {
    RunControl control;
    Timeline timeline("timeline", control);
    Engine engine("engine", timeline);
    Sink sink;
    engine.packets.attach(sink, 5);
    engine.packets.begin(3, 10ns, send);
    engine.packets.begin(4, 20ns, send);
    engine.packets.end(3, 30ns);
    engine.packets.drop(4);
    engine.packets.done({40ns, 50ns}, send);
    CHECK(sink.seen == std::vector<std::string>{"begun 5 3 10000", "begun 5 4 20000", "ended 5 3 30000",
                                                "dropped 5 4 0", "done 5 0 50000"});
}

TEST_CASE("work probe: what work is gets described only if somebody listens") {
    RunControl control;
    Timeline timeline("timeline", control);
    Engine engine("engine", timeline);
    int described = 0;
    const auto describe = [&described] {
        ++described;
        return send();
    };
    engine.reads.begin(1, 10ns, describe);
    engine.reads.done({10ns, 20ns}, describe);
    CHECK(described == 0);
    Sink sink;
    engine.reads.attach(sink, 0);
    engine.reads.begin(1, 10ns, describe);
    engine.reads.detach();
    engine.reads.end(1, 20ns);
    engine.reads.drop(1);
    engine.reads.done({10ns, 20ns}, describe);
    CHECK(described == 1);
    CHECK(sink.seen.size() == 1);
}

}  // namespace ndsim::test::work_probe_test
