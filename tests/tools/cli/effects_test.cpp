// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/effects.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>

#include "models/nic/nic_params.hpp"
#include "sim/config/params.hpp"

using namespace ndsim;
using namespace ndsim::cli;

namespace {

std::string why(const std::vector<NoEffect>& found, const std::string& path) {
    const auto each = std::find_if(found.begin(), found.end(), [&](const NoEffect& e) { return e.path == path; });
    return each == found.end() ? "" : each->why;
}

// Limits and choices that a queue or a program meets, or set-up does: the scenario's own affair.
constexpr std::array<std::string_view, 17> kOfTheScenario{"adapter.",
                                                          "nic.sq.depth",
                                                          "nic.rq.depth",
                                                          "nic.srq.",
                                                          "nic.cq.",
                                                          "nic.max_sge",
                                                          "nic.inline_max",
                                                          "nic.wqe_push_max",
                                                          "nic.mtu",
                                                          "nic.read_local_invalidate",
                                                          "nic.command_",
                                                          "nic.registration",
                                                          "nic.event_latency",
                                                          "nic.connect_timeout",
                                                          "nic.disconnect_timeout",
                                                          "nic.cq_update",
                                                          "nic.registration_per_page"};

}  // namespace

TEST_CASE("effects: there is a rule for every parameter of the machine") {
    NodeParams node;
    for (const Param& param : params_of(node, "")) {
        INFO(param.path());
        const bool of_the_scenario =
            std::any_of(kOfTheScenario.begin(), kOfTheScenario.end(),
                        [&](std::string_view prefix) { return param.path().starts_with(prefix); });
        CHECK((of_the_scenario || has_effect_rule(param.path())));
    }
}

TEST_CASE("effects: what never happened, what was never full, and what is switched off") {
    Metrics metrics;
    metrics.add("A.interrupts.taken", 0, std::nullopt, "");
    metrics.add("A.root.dram_reads", 0, std::nullopt, "");
    metrics.add("A.root.dram_writes", 3, std::nullopt, "");
    metrics.add("A.nic.dma.tags.high_water", 34, std::nullopt, "");
    metrics.add("A.nic.dma.tags.capacity", 256, std::nullopt, "");
    metrics.add("A.nic.wqe.sq_in_flight.high_water", 128, std::nullopt, "");
    metrics.add("A.nic.wqe.sq_in_flight.capacity", 128, std::nullopt, "");
    const std::vector<Setting> settings{
        {"hosts.A.cpu.msix_to_isr", "1200 ns", "preset"}, {"hosts.A.root.dram_extra", "80 ns", "preset"},
        {"hosts.A.pcie.tags", "256", "preset"},           {"hosts.A.nic.sq_in_flight", "128", "preset"},
        {"hosts.A.iommu.enabled", "false", "preset"},     {"hosts.A.iommu.page", "4 KiB", "preset"}};
    const auto found = without_effect(settings, metrics);
    CHECK(why(found, "hosts.A.cpu.msix_to_isr") == "there was no interrupt");
    CHECK(why(found, "hosts.A.root.dram_extra").empty());
    CHECK(why(found, "hosts.A.pcie.tags") == "at most 34 of 256 were used");
    CHECK(why(found, "hosts.A.nic.sq_in_flight").empty());
    CHECK(why(found, "hosts.A.iommu.page") == "the IOMMU was off");
    CHECK(why(found, "hosts.A.iommu.enabled").empty());
}

TEST_CASE("effects: the table says which wire was busiest") {
    Metrics metrics;
    metrics.add("run.started", 0, Quantity::time, "");
    metrics.add("run.ended", 1'000'000, Quantity::time, "");  // 1 us of 100 Gb/s are 12,500 bytes
    metrics.add("l0_A_to_B.bytes", 12'460, Quantity::size, "");
    metrics.add("l0_B_to_A.bytes", 100, Quantity::size, "");
    const std::string text = effects_text({{"links.l0.rate", "100 Gbps", "default"}}, metrics, Paint(stdout));
    CHECK_THAT(text, Catch::Contains("l0_A_to_B busy 99.6 % of the time"));
}
