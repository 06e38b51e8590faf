// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/effects.hpp"

#include <algorithm>
#include <map>
#include <regex>
#include <set>

#include "models/dma/dma_engine.hpp"
#include "models/nic/nic.hpp"
#include "models/switch/switch.hpp"
#include "scenarios/format/load.hpp"
#include "scenarios/world/world.hpp"
#include "sim/config/field_lister.hpp"
#include "sim/kernel/pool.hpp"
#include "tests/support/catch.hpp"

namespace ndsim::cli::effects_test {

std::string why(const std::vector<NoEffect>& found, const std::string& path) {
    const auto each = std::find_if(found.begin(), found.end(), [&](const NoEffect& e) { return e.path == path; });
    return each == found.end() ? "" : each->why;
}

// Every kind of owner of parameters, with one of each thing that has statistics.
Scenario everything() {
    return load_scenario("f", R"({
        "hosts": { "A": {}, "B": { "srqs": { "s": {} } }, "P": {} }, "switches": { "s0": {} },
        "links": { "a": { "between": ["A", "s0"] }, "b": { "between": ["B", "s0"] }, "p": { "between": ["P", "s0"] } },
        "traffic": { "t": { "from": "A", "to": "B" } } })",
                         {});
}

std::map<std::string, std::vector<FieldEffect>> all_effects() {
    std::map<std::string, std::vector<FieldEffect>> all;
    const auto take = [&all](auto params, const std::string& prefix) {
        for (const Param& param : params_of(params, prefix)) {
            all[param.path()] = param.effects();
        }
    };
    take(NodeParams{}, "");
    take(SwitchParams{}, "switch");
    take(LinkParams{}, "link");
    return all;
}

TEST_CASE("effects: every parameter of hosts, switches and links says how its effect shows, or sizes a pool") {
    const Scenario scenario = everything();
    RunControl control;
    World world(scenario, control, {});
    std::set<std::string_view> sizes;
    for (const Unit* const unit : all_units()) {
        for (const Pool* const pool : unit->pools()) {
            if (pool->facts().when_full != WhenFull::part) {
                sizes.insert(pool->facts().parameter);
            }
        }
    }
    for (const auto& [path, effects] : all_effects()) {
        INFO(path);
        CHECK((!effects.empty() || sizes.contains(path)));
    }
}

// The names that one in a list may have: "nic.cq.cqes", "cpu*.stalled", or "a.b=c" of a setting.
bool is_known(std::string_view name, const std::set<std::string>& known) {
    std::string pattern;
    for (const char c : name.substr(0, name.find('='))) {
        pattern += c == '*' ? "[^.]*" : c == '.' ? "\\." : std::string(1, c);
    }
    return std::ranges::any_of(
        known, [of = std::regex(pattern)](const std::string& each) { return std::regex_match(each, of); });
}

TEST_CASE("effects: what fields name are statistics that a run may have, or parameters") {
    std::set<std::string> known;
    const Scenario scenario = everything();
    const Metrics metrics = metrics_of_any_run(scenario);
    for (const Metric& metric : metrics.all()) {
        known.insert(metric.name.substr(metric.name.find_first_of("._") + 1));  // behind A., s0. and a_
    }
    for (const auto& [path, effects] : all_effects()) {
        known.insert(path);
    }
    QueuePair qp;
    for (const Param& param : params_of(qp, "qps.q0")) {
        known.insert(param.path());
    }
    CHECK(is_known("nic.dma.read_waits", known));
    CHECK_FALSE(is_known("nic.dma.read_wait", known));
    for (const auto& [path, effects] : all_effects()) {
        for (const FieldEffect& effect : effects) {
            for (std::string_view names = effect.where; !names.empty();) {
                const std::string_view name = names.substr(0, names.find('+'));
                INFO(path << ": " << name);
                CHECK(is_known(name, known));
                names.remove_prefix(std::min(names.size(), name.size() + 1));
            }
        }
    }
}

TEST_CASE("effects: what never happened, what never came to its bound, and what is switched off") {
    Metrics metrics;
    metrics.add("A.interrupts.taken", 0, std::nullopt, "");
    metrics.add("A.root.dram_reads", 0, std::nullopt, "");
    metrics.add("A.root.dram_writes", 3, std::nullopt, "");
    metrics.add("A.cpu.stalled", 0, std::nullopt, "");
    metrics.add("A.cpu_t.stalled", 7, std::nullopt, "");
    metrics.add("A.cpu_t.empty_polls", 0, std::nullopt, "");
    const std::vector<Setting> settings{
        {"hosts.A.cpu.msix_to_isr", "1200 ns", Origin::preset}, {"hosts.A.cpu.store_buffer", "56", Origin::preset},
        {"hosts.A.cpu.poll_empty", "10 ns", Origin::default_},  {"hosts.A.root.dram_extra", "80 ns", Origin::preset},
        {"hosts.A.iommu.enabled", "false", Origin::preset},     {"hosts.A.iommu.page", "4 KiB", Origin::preset},
        {"hosts.A.nic.pause", "false", Origin::file},           {"hosts.A.adapter.defer_policy", "never", Origin::file},
        {"hosts.A.adapter.defer_max", "16", Origin::default_},  {"links.l0.switch_hops", "0", Origin::preset},
        {"links.l0.switch_hop", "425 ns", Origin::preset}};
    const auto found = without_effect(settings, metrics, {});
    CHECK(why(found, "hosts.A.cpu.msix_to_isr") == "there was no interrupt");
    CHECK(why(found, "hosts.A.cpu.store_buffer").empty());  // the core of t stalled
    CHECK(why(found, "hosts.A.cpu.poll_empty") == "no empty queue was polled");
    CHECK(why(found, "hosts.A.root.dram_extra").empty());
    CHECK(why(found, "hosts.A.iommu.page") == "the IOMMU was off");
    CHECK(why(found, "hosts.A.nic.pause").empty());  // with pause frames the buffer would be fuller sooner
    CHECK(why(found, "hosts.A.adapter.defer_max") == "another policy applies to deferred requests");
    CHECK(why(found, "links.l0.switch_hop") == "there was no switch");
}

// A Read that waited for neither would not have waited with less; with twice as much it might have.
TEST_CASE("effects: a time that nothing waited for could not matter, but more of it might") {
    Metrics metrics;
    metrics.add("A.nic.read_responder.paced", 0, std::nullopt, "");
    metrics.add("A.nic.translation.misses", 0, std::nullopt, "");
    const std::vector<Setting> settings{{"hosts.A.nic.read_interval", "225 ns", Origin::preset},
                                        {"hosts.A.nic.read_gap", "20 ns", Origin::preset},
                                        {"hosts.A.nic.mtt_entries", "1024", Origin::preset}};
    const auto found = without_effect(settings, metrics, {});
    REQUIRE(found.size() == 3);
    for (const NoEffect& each : {found[0], found[1]}) {
        CHECK(each.why == "no Read waited for it");
        CHECK(each.effect == Effect::could_not_matter);
        CHECK(each.least == 0);
        CHECK(each.most == 100);
    }
    CHECK(found[2].least == 100);  // a bound: the other way round
    CHECK(found[2].most == kAnyMore);
}

// A CQ tells its consumer index after 16 polls, or after a quarter of its depth if that is less: 64 of 1024 are 6.25 %.
TEST_CASE("effects: a completion queue may be smaller as long as its index is told as often") {
    Metrics metrics;
    metrics.add("A.cqs.q0.entries.high_water", 3, std::nullopt, "");
    metrics.add("A.cqs.q0.entries.capacity", 1024, std::nullopt, "");
    metrics.add("A.cqs.q0.entries.full", 0, std::nullopt, "");
    const std::vector<PoolUse> pools{{"A.cqs.q0.entries", &CqWatch::kEntriesPool, {}}};
    const std::vector<Setting> settings{{"hosts.A.nic.cq.depth", "1024", Origin::preset},
                                        {"hosts.A.nic.cq_update_every", "16", Origin::preset}};
    const auto found = without_effect(settings, metrics, pools);
    REQUIRE(!found.empty());
    CHECK(found[0].why == "at most 3 of 1024 were used");
    CHECK(found[0].least == 7);
}

// t0 has moved 360 of its 400 messages of 4 KiB in its window, 11.8 Mbit, and nothing in run.measured, for which pools
// and times are told. So they do not say that nothing was posted, nor that no slot was needed, nor that no core
// stalled. The number of reads is that of the whole run. t1 has moved its 90 messages of 64 B, 46 kbit, within
// run.measured.
TEST_CASE("effects: pools and times say nothing if a generator is measured at another time than they are") {
    Metrics metrics;
    metrics.add("run.measured", 18'145'832'730, Quantity::time, "");
    metrics.add("traffic.t0.messages", 400, std::nullopt, "");
    metrics.add("traffic.t0.bytes", 1'638'400, Quantity::size, "");
    metrics.add("traffic.t0.measured", 360, std::nullopt, "");
    metrics.add("traffic.t1.messages", 100, std::nullopt, "");
    metrics.add("traffic.t1.bytes", 6'400, Quantity::size, "");
    metrics.add("traffic.t1.measured", 90, std::nullopt, "");
    metrics.add("traffic.t1.shared_goodput", 2'539'428, Quantity::rate, "");
    metrics.add("A.qps.q0.sq.high_water", 0, std::nullopt, "");
    metrics.add("A.qps.q0.sq.capacity", 4, std::nullopt, "");
    metrics.add("A.cpu.stalled", 0, Quantity::time, "");
    metrics.add("A.pcie.read_requests", 0, std::nullopt, "");
    const std::vector<PoolUse> pools{{"A.qps.q0.sq", &QpWatch::kSqPool, {}}};
    const std::vector<Setting> settings{{"hosts.A.cpu.wqe_build", "50 ns", Origin::preset},
                                        {"hosts.A.nic.sq.depth", "4", Origin::file},
                                        {"hosts.A.cpu.store_buffer", "56", Origin::preset},
                                        {"hosts.A.nic.srq.depth", "1024", Origin::default_},
                                        {"hosts.A.root.llc_read", "120 ns", Origin::preset}};
    Metrics side_by_side = metrics;
    side_by_side.add("traffic.t0.shared_goodput", 630'000'000, Quantity::rate, "");  // 11.4 of 11.8 Mbit
    const auto all = without_effect(settings, side_by_side, pools);
    CHECK(why(all, "hosts.A.cpu.wqe_build") == "nothing was posted");
    CHECK(why(all, "hosts.A.nic.sq.depth") == "at most 0 of 4 were used");
    CHECK(why(all, "hosts.A.cpu.store_buffer") == "no core stalled");
    metrics.add("traffic.t0.shared_goodput", 0, Quantity::rate, "");
    const auto known = without_effect(settings, metrics, pools);
    CHECK(why(known, "hosts.A.cpu.wqe_build").empty());
    CHECK(why(known, "hosts.A.nic.sq.depth").empty());
    CHECK(why(known, "hosts.A.cpu.store_buffer").empty());
    CHECK(why(known, "hosts.A.nic.srq.depth") == "there was none");
    CHECK(why(known, "hosts.A.root.llc_read") == "the NIC read nothing");
}

TEST_CASE("effects: a depth could not matter if no queue was ever full") {
    Metrics metrics;
    std::vector<PoolUse> pools;
    const auto pool = [&](const std::string& unit, const PoolFacts& facts, std::uint64_t most, std::uint64_t of,
                          std::uint64_t full) {
        const std::string name = unit + "." + std::string(facts.name);
        pools.push_back({name, &facts, {}});
        metrics.add(name + ".high_water", most, std::nullopt, "");
        metrics.add(name + ".capacity", of, std::nullopt, "");
        metrics.add(name + ".full", full, std::nullopt, "");
    };
    pool("A.qps.q0", QpWatch::kSqPool, 3, 8, 0);
    pool("A.qps.q1", QpWatch::kSqPool, 32, 128, 0);
    pool("A.qps.q0", QpWatch::kSqFetchedPool, 8, 8, 5);  // a part of the first one
    pool("A.qps.q0", QpWatch::kRqPool, 8, 8, 5);
    pool("A.nic.wqe", MessageStarts::kInFlightPool, 128, 128, 1);
    pool("A.nic.tx", Egress::kTxFifoPool, 60'000, 65'536, 900'000);  // a packet would not have fit
    pools.push_back({"A.qps.others.psn_window", &QpWatch::kPsnWindowPool, {}});
    metrics.add("A.qps.others.psn_window.high_water", 4, std::nullopt, "");  // nobody knows of how many
    const std::vector<Setting> settings{
        {"hosts.A.nic.sq.depth", "128", Origin::preset},     {"hosts.A.nic.rq.depth", "512", Origin::preset},
        {"hosts.A.nic.srq.depth", "1024", Origin::default_}, {"hosts.A.nic.max_sge", "30", Origin::preset},
        {"hosts.A.nic.inline_max", "220", Origin::preset},   {"hosts.A.nic.sq_in_flight", "128", Origin::preset},
        {"hosts.A.nic.psn_window", "65536", Origin::preset}, {"hosts.A.nic.tx_fifo", "64 KiB", Origin::preset},
        {"hosts.A.qps.q0.max_sge", "4", Origin::default_},   {"hosts.A.qps.q0.inline_max", "220", Origin::default_}};
    const auto found = without_effect(settings, metrics, pools);
    CHECK(why(found, "hosts.A.nic.sq.depth") == "at most 3 of 8 were used");  // the fuller one
    // The next piece may be as large as the three: 6 of 8 would do.
    CHECK(std::ranges::find(found, "hosts.A.nic.sq.depth", &NoEffect::path)->least == 75);
    CHECK(std::ranges::find(found, "hosts.A.nic.max_sge", &NoEffect::path)->least == 14);  // 4 of 30 are 13.3 %
    CHECK(why(found, "hosts.A.nic.rq.depth").empty());
    CHECK(why(found, "hosts.A.nic.srq.depth") == "there was none");
    CHECK(why(found, "hosts.A.nic.max_sge") == "at most 4 of 30 were asked for");
    CHECK(why(found, "hosts.A.nic.inline_max").empty());
    CHECK(why(found, "hosts.A.nic.sq_in_flight").empty());
    CHECK(why(found, "hosts.A.nic.psn_window").empty());
    CHECK(why(found, "hosts.A.nic.tx_fifo").empty());
}

TEST_CASE("effects: a queue with a depth of its own says nothing of the NIC's") {
    Metrics metrics;
    std::vector<PoolUse> pools;
    const auto add = [&](const std::string& name, std::uint64_t most, std::uint64_t of, const std::string& parameter) {
        metrics.add(name + ".high_water", most, std::nullopt, "");
        metrics.add(name + ".capacity", of, std::nullopt, "");
        pools.push_back({name, &CqWatch::kEntriesPool, parameter});
    };
    add("A.cqs.mine.entries", 18, 64, "hosts.A.cqs.mine.depth");
    add("A.cqs.plain.entries", 20, 128, "hosts.A.cqs.plain.depth");
    add("A.cqs.q0_send.entries", 7, 128, "hosts.A.nic.cq.depth");
    const auto said = [&](Origin of_plain) {
        return why(without_effect({{"hosts.A.nic.cq.depth", "128", Origin::command_line},
                                   {"hosts.A.cqs.mine.depth", "64", Origin::file},
                                   {"hosts.A.cqs.plain.depth", "128", of_plain}},
                                  metrics, pools),
                   "hosts.A.nic.cq.depth");
    };
    CHECK(said(Origin::preset) == "at most 20 of 128 were used");
    CHECK(said(Origin::file) == "at most 7 of 128 were used");
    pools.pop_back();
    CHECK(said(Origin::file) == "each queue has a depth of its own");
}

// Of 1 us measured, the wire is busy for 996.8 ns one way and 0.24 ns the other; that rounds to 0 tenths of a percent.
TEST_CASE("effects: the text says how busy wires and PCIe were, the busiest first") {
    RunResult result;
    Metrics& metrics = result.metrics;
    metrics.add("run.measured", 1'000'000, Quantity::time, "");
    metrics.add("A.pcie.up_busy", 100'000, Quantity::time, "");
    metrics.add("A.pcie.down_busy", 500'000, Quantity::time, "");
    metrics.add("A.cpu.busy", 1'000'000, Quantity::time, "");  // no carrier of bytes
    for (const auto& [lane, busy] : {std::pair{"l0_A_to_B", 996'800U}, std::pair{"l0_B_to_A", 240U}}) {
        metrics.add(std::string(lane) + ".bytes", 1, Quantity::size, "");
        metrics.add(std::string(lane) + ".busy", busy, Quantity::time, "");
    }
    const std::string text = effects_text({}, result, Paint(stdout));
    CHECK_THAT(text, Catch::Matchers::ContainsSubstring(
                         "Busy, of the time: l0_A_to_B 99.6 %, A.pcie down 50.0 %, A.pcie up 10.0 %\n"));
}

TEST_CASE("effects: of a switch what it never dropped, and what never went through it") {
    Metrics metrics;
    for (const char* const name : {"s0.A.packets", "s0.B.packets", "s0.A.pauses", "s0.B.pauses", "s0.A.drops"}) {
        metrics.add(name, 0, std::nullopt, "");
    }
    metrics.add("s0.B.drops", 2, std::nullopt, "");
    for (const char* const name : {"s1.A.packets", "s1.A.pauses", "s1.A.drops"}) {
        metrics.add(name, std::string(name) == "s1.A.packets" ? 5 : 0, std::nullopt, "");
    }
    std::vector<Setting> settings;
    for (const std::string name : {"s0", "s1"}) {
        settings.push_back({"switches." + name + ".latency", "333 ns", Origin::default_});
        settings.push_back({"switches." + name + ".buffer", "16 MiB", Origin::default_});
        settings.push_back({"switches." + name + ".port_buffer", "0 B", Origin::default_});
        settings.push_back({"switches." + name + ".pause", name == "s0" ? "true" : "false", Origin::file});
    }
    const auto found = without_effect(settings, metrics, {});
    CHECK(why(found, "switches.s0.latency") == "nothing went through it");
    CHECK(why(found, "switches.s0.buffer").empty());
    CHECK(why(found, "switches.s0.port_buffer").empty());
    CHECK(why(found, "switches.s0.pause") == "no neighbour was stopped");
    CHECK(why(found, "switches.s1.latency").empty());
    CHECK(why(found, "switches.s1.buffer") == "it was never full");
    CHECK(why(found, "switches.s1.port_buffer") == "no packet was dropped");
    CHECK(why(found, "switches.s1.pause").empty());
}

}  // namespace ndsim::cli::effects_test
