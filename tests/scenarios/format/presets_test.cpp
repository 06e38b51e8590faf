// SPDX-License-Identifier: Apache-2.0
#include "scenarios/format/presets.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "models/switch/switch_params.hpp"
#include "sim/config/params.hpp"
#include "tests/support/catch.hpp"

namespace ndsim::test::presets_test {

// The parameters of a host, a switch and a link, with their defaults.
struct Registry {
    NodeParams node;
    SwitchParams network_switch;
    LinkParams link;

    std::vector<Param> params() {
        std::vector<Param> all = params_of(node, "");
        for (Param& param : params_of(network_switch, "switch")) {
            all.push_back(std::move(param));
        }
        for (Param& param : params_of(link, "link")) {
            all.push_back(std::move(param));
        }
        return all;
    }
};

// The parameters that no preset sets: all presets have their default.
constexpr auto kSame = std::to_array<std::string_view>({
    "cpu.poll_empty",
    "cpu.payload_cached",
    "cpu.poll_jitter",
    "cpu.repost_jitter",
    "cpu.preempt_every",
    "cpu.preempt_time",
    "pcie.switch_hops",
    "root.remote_socket",
    "pcie.update_fc",
    "nic.cq_update_every",
    "nic.cqe_compression",
    "nic.cqe_compression_time",
    "nic.read_local_invalidate",
    "nic.doorbell_policy",
    "nic.doorbell_recovery",
    "nic.rq_doorbell",
    "nic.dma_reserved_reads",
    "nic.mtt_page",
    "nic.mtt_bytes",
    "nic.srq.depth",
    "nic.srq.max_depth",
    "nic.ack_point",
    "nic.overflow",
    "nic.rnr_retry",
    "nic.key_update",
    "nic.event_latency",
    "nic.registration_per_page",
    "nic.deregistration",
    "nic.cq.arm_immediate",
    "nic.cq.arm_stale",
    "nic.cq.errors_arm_on_failed_wr",
    "nic.cq.can_moderate",
    "nic.cq.can_resize",
    "nic.connect_latency",
    "nic.connect_timeout",
    "nic.disconnect_timeout",
    "adapter.create_inline",
    "adapter.flush_on_peer_disconnect",
    "adapter.rounding",
    "adapter.defer_policy",
    "adapter.max_initiator_depth",
    "adapter.defer_max",
    "adapter.reclaim",
    "switch.forwarding",
    "switch.latency",
    "switch.buffer",
    "switch.port_buffer",
    "switch.pause",
    "link.framing",
});

TEST_CASE("presets: every parameter has a row or is the same in all presets, and nothing else is there") {
    Registry registry;
    std::set<std::string> parameters;
    for (const Param& param : registry.params()) {
        parameters.insert(param.path());
    }
    std::set<std::string> covered;
    for (const PresetRow& row : preset_rows()) {
        CAPTURE(row.path);
        CHECK(covered.insert(std::string(row.path)).second);
    }
    for (const std::string_view path : kSame) {
        CAPTURE(path);
        CHECK(covered.insert(std::string(path)).second);
    }
    CHECK(covered == parameters);
}

TEST_CASE("presets: B is what the parameters are by default") {
    Registry defaults;
    Registry preset;
    apply_preset("B", preset.node);
    apply_preset("B", preset.link);
    const auto expected = defaults.params();
    const auto found = preset.params();
    for (std::size_t i = 0; i < expected.size(); ++i) {
        CAPTURE(expected[i].path());
        CHECK(found[i].current() == expected[i].current());
    }
}

TEST_CASE("presets: a parameter's mark is that of B's value, and what no preset sets was seen nowhere") {
    Registry registry;
    for (const Param& param : registry.params()) {
        CAPTURE(param.path());
        if (const PresetRow* const row = preset_row(param.path())) {
            CHECK(word(mark_of(row->sources.at(1))) == word(param.mark()));
        } else {
            CHECK((param.mark() == Mark::estimate || param.mark() == Mark::documented));
        }
    }
}

// Rows of timing.md section 7 whose mark is not that of every value.
TEST_CASE("presets: each value has a source of its own") {
    const auto sources = [](std::string_view path) { return preset_row(path)->sources; };
    using Sources = std::array<std::string_view, kPresetNames.size()>;
    CHECK(sources("nic.inline_max") == Sources{"E", "S:cx3", "S:cx3", "S:cx3"});  // cx3 has 220, A's is 64
    CHECK(sources("iommu.page") == Sources{"S:pb", "S:pb", "E", "E"});            // pb has pages of 4 KB
    CHECK(sources("nic.rx_buffer") == Sources{"S:cor", "E", "E", "E"});
    CHECK(sources("nic.global_rate") == Sources{"E", "S:dell", "M", "M"});
    CHECK(sources("nic.read_response_sched") == Sources{"E", "D", "E", "E"});
    CHECK(word(mark_of("S:cx3")) == "seen");
    CHECK(word(mark_of("M")) == "memory");
    CHECK(word(mark_of("D")) == "derived");
    CHECK(word(mark_of("E")) == "estimate");
    CHECK(word(mark_of("modelling")) == "estimate");
    CHECK(word(mark_of("-")) == "documented");
}

// The rate comes from a measurement, but that a cap makes it is an assumption.
TEST_CASE("presets: the cap of strict writes is assumed") {
    CHECK(word(mark_of(preset_row("root.strict_write_cap")->sources.at(2))) == "estimate");
}

TEST_CASE("presets: each sets every value of its column") {
    for (std::size_t column = 0; column < kPresetNames.size(); ++column) {
        CAPTURE(kPresetNames.at(column));
        Registry registry;
        apply_preset(kPresetNames.at(column), registry.node);
        apply_preset(kPresetNames.at(column), registry.link);
        auto params = registry.params();
        for (const PresetRow& row : preset_rows()) {
            CAPTURE(row.path);
            const auto param =
                std::find_if(params.begin(), params.end(), [&](const Param& p) { return p.path() == row.path; });
            REQUIRE(param != params.end());
            const std::string is = param->current();
            REQUIRE_FALSE(param->set(row.values.at(column)));
            CHECK(param->current() == is);
        }
    }
}

// Spot checks against timing.md section 7, each from another part of the table.
TEST_CASE("presets: some values of the fact file") {
    NodeParams d;
    apply_preset("D", d);
    CHECK(d.pcie.generation == 5);
    CHECK(d.pcie.tags == 768);
    CHECK(d.nic.port.rx_buffer == 1_MiB);
    CHECK(d.nic.wqe.per_qp_rate == 8_Mps);
    NodeParams a;
    apply_preset("A", a);
    CHECK(a.nic.port.rx_pipe == std::chrono::nanoseconds{400});
    CHECK(a.nic.queues.inline_max == 64);
    CHECK(a.nic.doorbell.doorbell_decode == std::chrono::nanoseconds{4});  // one cycle of 250 MHz
    LinkParams c;
    apply_preset("C", c);
    CHECK(c.rate == 200_Gbps);
    CHECK(c.fec == std::chrono::nanoseconds{100});
}

// Credits for stores come back when the NIC has taken a store of 88 B and has told so: with one for each message, as
// for inline ones, they must not be what limits the NIC.
TEST_CASE("presets: the credits for stores let the NIC start as many messages as it can") {
    for (const std::string name : {"A", "B", "C", "D"}) {
        INFO(name);
        NodeParams node;
        apply_preset(name, node);
        const PcieParams& pcie = node.pcie;
        const Picoseconds round = 2 * pcie.flight() + pcie.update_fc + pcie.tlp_rate().time(64_B + pcie.write_header);
        const double rate = 1e12 * pcie.bar_posted_headers / static_cast<double>(round.count());
        CHECK(rate >= static_cast<double>(node.nic.wqe.global_rate.per_second));
    }
}

}  // namespace ndsim::test::presets_test
