// SPDX-License-Identifier: Apache-2.0
#include "models/nic/send_steps.hpp"

#include <algorithm>
#include <set>

#include "scenarios/format/load.hpp"
#include "scenarios/world/world.hpp"
#include "sim/config/params.hpp"
#include "sim/kernel/pool.hpp"
#include "sim/kernel/work_probe.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

// The names by which the order of a Send's life and the pools call units, statistics and parameters.
namespace ndsim::test::send_order_test {

const std::string kText = R"({"hosts": {"A": {}, "B": {}}, "switches": {"s": {"port_buffer": "64 KiB"}},
    "links": {"a": {"between": ["A", "s"]}, "b": {"between": ["B", "s"]}},
    "traffic": {"t": {"from": "A", "to": "B"}},
    "dma": {"d": {"host": "A", "operation": "read", "size": "64 B"}}})";

// The hardware of two hosts behind a switch, that never runs.
struct Design {
    const Scenario scenario = load_scenario("f", kText, {});
    RunControl control;
    World world{scenario, control, {}};

    [[nodiscard]] static const Unit* unit(std::string_view name) {
        const std::vector<Unit*> units = all_units();
        const auto found = std::ranges::find_if(units, [&](const Unit* each) { return name == each->name(); });
        return found == units.end() ? nullptr : *found;
    }
};

bool is_shown(const Unit& unit, std::string_view name) {
    const auto has_name = [&](const auto* probe) { return probe->name() == name; };
    return std::ranges::any_of(unit.probes(), has_name) || std::ranges::any_of(unit.work_probes(), has_name);
}

bool is_limit(const PoolFacts& facts) {
    return facts.when_full != WhenFull::harmless && facts.when_full != WhenFull::part &&
           facts.when_full != WhenFull::kept;
}

TEST_CASE("send order: every step is a unit of a host and something that it shows") {
    const Design design;
    for (const SendStep& step : send_steps()) {
        INFO(step.unit << " " << step.name);
        if (step.unit != SendStep::kNetwork) {
            const std::string name =
                "A." + std::string(step.unit) + (step.unit == SendStep::kCores ? "_t" : "");  // that of the generator
            const Unit* const unit = Design::unit(name);
            REQUIRE(unit != nullptr);
            CHECK((step.name.empty() || is_shown(*unit, step.name)));
        }
    }
}

TEST_CASE("send order: every pool of a NIC or its link that is a limit has a place") {
    const Design design;
    for (const Unit* const unit : all_units()) {
        const std::string_view name = unit->name();
        const bool has_order = name.starts_with("A.") && !name.starts_with("A.cpu") && !name.starts_with("A.dma_");
        for (const Pool* const pool : unit->pools()) {
            INFO(name << "." << pool->name());
            const auto is_place = [&](const SendStep& step) {
                return step.pool == &pool->facts() && name.substr(2) == step.unit;
            };
            CHECK((!has_order || !is_limit(pool->facts()) || std::ranges::count_if(send_steps(), is_place) == 1));
        }
    }
}

std::vector<const PoolFacts*> all_facts() {
    std::vector<const PoolFacts*> facts;
    for (const Unit* const unit : all_units()) {
        for (const Pool* const pool : unit->pools()) {
            facts.push_back(&pool->facts());
        }
    }
    for (const SendStep& step : send_steps()) {
        if (step.pool != nullptr) {
            facts.push_back(step.pool);
        }
    }
    return facts;
}

TEST_CASE("pool facts: the parameter that sizes a pool is one, and the times of a limit are statistics") {
    const std::vector<std::string> metrics = known_metrics(kText);
    const Design design;
    std::set<std::string> parameters{""};
    const auto list = [&](auto params, const std::string& section) {
        for (const Param& param : params_of(params, section)) {
            parameters.insert(param.path());
        }
    };
    list(NodeParams{}, "");
    list(QueuePair{}, "qp");
    list(SwitchParams{}, "switch");
    list(DmaGeneratorParams{}, "dma");
    for (const PoolFacts* const facts : all_facts()) {
        INFO(facts->name);
        CHECK(parameters.contains(std::string(facts->parameter)));
        for (const std::string_view time : facts->times) {
            INFO(time);
            CHECK((time.empty() || std::ranges::find(metrics, "A." + std::string(time)) != metrics.end()));
        }
    }
}

}  // namespace ndsim::test::send_order_test
