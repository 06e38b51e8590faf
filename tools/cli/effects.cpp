// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/effects.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "tools/cli/figures.hpp"
#include "tools/cli/table.hpp"

namespace ndsim::cli {

namespace {

// How a run tells that a parameter of a host had no effect.
enum class Rule : std::uint8_t {
    counter,  // what it is for never happened: the metric is 0
    pool,     // it is the size of a pool that was never full
    setting,  // another parameter of the host switches it off
    always,   // every message meets it
};
struct EffectRule {
    std::string_view parameter;
    Rule rule{};
    std::string_view where;  // of the host: metrics whose sum counts, "a+b"; a pool; the other parameter
    std::string_view what;   // in words: what never happened
};

constexpr std::array kRules{
    EffectRule{"cpu.wqe_build", Rule::always, {}, {}},
    EffectRule{"cpu.mmio_wc64", Rule::counter, "nic.wqe.pushed_taken", "no WQE was pushed and used"},
    EffectRule{"cpu.mmio_uc", Rule::always, {}, {}},
    EffectRule{"cpu.store_buffer", Rule::counter, "cpu.stalled", "no core stalled"},
    EffectRule{"cpu.payload_cached", Rule::counter, "nic.dma.payload_bytes", "no payload was read"},
    EffectRule{"cpu.poll_detect", Rule::counter, "nic.cq.cqes", "no completion was written"},
    EffectRule{"cpu.poll_cq", Rule::counter, "nic.cq.cqes", "no completion was written"},
    EffectRule{"cpu.poll_empty", Rule::always, {}, {}},
    EffectRule{"cpu.msix_to_isr", Rule::counter, "interrupts.taken", "there was no interrupt"},
    EffectRule{"cpu.event_wakeup", Rule::counter, "interrupts.taken", "there was no interrupt"},
    EffectRule{"root.llc_read", Rule::counter, "pcie.read_requests", "the NIC read nothing"},
    EffectRule{"root.write_visible", Rule::counter, "pcie.writes", "the NIC wrote nothing"},
    EffectRule{"root.dram_extra", Rule::counter, "root.dram_reads+root.dram_writes", "nothing went to DRAM"},
    EffectRule{"root.llc_size", Rule::counter, "root.dram_reads+root.dram_writes", "the cache held everything"},
    EffectRule{"root.llc_ways", Rule::counter, "root.dram_reads+root.dram_writes", "the cache held everything"},
    EffectRule{"root.ddio", Rule::counter, "pcie.writes", "the NIC wrote nothing"},
    EffectRule{"root.ddio_ways", Rule::counter, "root.dram_reads+root.dram_writes", "the cache held everything"},
    EffectRule{"root.remote_socket", Rule::always, {}, {}},
    EffectRule{"root.numa_extra", Rule::setting, "root.remote_socket", "no memory was at the other socket"},
    EffectRule{"root.strict_write_cap", Rule::counter, "pcie.writes", "the NIC wrote nothing"},
    EffectRule{"iommu.enabled", Rule::always, {}, {}},
    EffectRule{"iommu.page", Rule::setting, "iommu.enabled", "the IOMMU was off"},
    EffectRule{"iommu.iotlb_entries", Rule::counter, "root.iotlb_misses", "no page was missing in the IOTLB"},
    EffectRule{"iommu.parallel_walks", Rule::pool, "root.walks", {}},
    EffectRule{"iommu.miss", Rule::counter, "root.iotlb_misses", "no page was missing in the IOTLB"},
    EffectRule{"iommu.ats", Rule::setting, "iommu.enabled", "the IOMMU was off"},
    EffectRule{"iommu.atc_entries", Rule::counter, "root.ats_requests", "the NIC asked for no translation"},
    EffectRule{"iommu.ats_rtt", Rule::counter, "root.ats_requests", "the NIC asked for no translation"},
    EffectRule{"pcie.generation", Rule::always, {}, {}},
    EffectRule{"pcie.width", Rule::always, {}, {}},
    EffectRule{"pcie.dll_overhead", Rule::always, {}, {}},
    EffectRule{"pcie.one_way", Rule::always, {}, {}},
    EffectRule{"pcie.switch_hops", Rule::always, {}, {}},
    EffectRule{"pcie.switch_hop", Rule::setting, "pcie.switch_hops", "there was no switch"},
    EffectRule{"pcie.mps", Rule::always, {}, {}},
    EffectRule{"pcie.mrrs", Rule::counter, "pcie.read_requests", "the NIC read nothing"},
    EffectRule{"pcie.rcb", Rule::counter, "pcie.read_requests", "the NIC read nothing"},
    EffectRule{"pcie.write_header", Rule::always, {}, {}},
    EffectRule{"pcie.read_header", Rule::counter, "pcie.read_requests", "the NIC read nothing"},
    EffectRule{"pcie.completion_header", Rule::counter, "pcie.read_requests", "the NIC read nothing"},
    EffectRule{"pcie.tags", Rule::pool, "nic.dma.tags", {}},
    EffectRule{"pcie.posted_headers", Rule::pool, "pcie.posted_headers", {}},
    EffectRule{"pcie.posted_data", Rule::pool, "pcie.posted_data", {}},
    EffectRule{"pcie.nonposted_headers", Rule::pool, "pcie.nonposted_headers", {}},
    EffectRule{"pcie.bar_posted_headers", Rule::pool, "pcie.bar_headers", {}},
    EffectRule{"pcie.update_fc", Rule::always, {}, {}},
    EffectRule{"pcie.relaxed_ordering", Rule::counter, "nic.responder.packets", "no message came in"},
    EffectRule{"pcie.arbiter_grain", Rule::always, {}, {}},
    EffectRule{"nic.doorbell_fifo", Rule::counter, "nic.doorbell.fifo_full", "the FIFO was never full"},
    EffectRule{"nic.doorbell_decode", Rule::always, {}, {}},
    EffectRule{"nic.doorbell_to_sched", Rule::always, {}, {}},
    EffectRule{"nic.wqe_fetch_batch", Rule::counter, "nic.wqe.fetches", "no WQE was fetched"},
    EffectRule{"nic.wqe_cache", Rule::pool, "nic.wqe.cache", {}},
    EffectRule{"nic.rq_prefetch", Rule::counter, "nic.rq.fetches", "no receive was fetched"},
    EffectRule{"nic.rq_fetch_batch", Rule::counter, "nic.rq.fetches", "no receive was fetched"},
    EffectRule{"nic.sq_in_flight", Rule::pool, "nic.wqe.sq_in_flight", {}},
    EffectRule{"nic.per_qp_rate", Rule::counter, "nic.wqe.qp_rate", "nobody waited for it"},
    EffectRule{"nic.global_rate", Rule::counter, "nic.wqe.nic_rate", "nobody waited for it"},
    EffectRule{"nic.dma_reads_in_flight", Rule::pool, "nic.dma.reads_in_flight", {}},
    EffectRule{"nic.dma_writes_in_flight", Rule::pool, "nic.dma.writes_in_flight", {}},
    EffectRule{"nic.dma_reserved_reads", Rule::pool, "nic.dma.reads_in_flight", {}},
    EffectRule{"nic.qp_context_entries", Rule::pool, "nic.context.entries", {}},
    EffectRule{"nic.qp_context_bytes", Rule::counter, "nic.context.misses", "no context was missing"},
    EffectRule{"nic.qp_context_fetches", Rule::pool, "nic.context.fetches", {}},
    EffectRule{"nic.mtt_entries", Rule::pool, "nic.translation.entries", {}},
    EffectRule{"nic.mtt_page", Rule::counter, "nic.translation.misses", "no translation was missing"},
    EffectRule{"nic.mtt_bytes", Rule::counter, "nic.translation.misses", "no translation was missing"},
    EffectRule{"nic.mtt_fetches", Rule::pool, "nic.translation.fetches", {}},
    EffectRule{"nic.ack_every", Rule::counter, "nic.requester.packets", "it sent no request"},
    EffectRule{"nic.ack_point", Rule::counter, "nic.responder.packets", "no message came in"},
    EffectRule{"nic.psn_window", Rule::counter, "nic.wqe.psn_window", "nobody waited for it"},
    EffectRule{"nic.timeout_code", Rule::counter, "nic.completer.timeouts", "there was no timeout"},
    EffectRule{"nic.retry_count", Rule::counter, "nic.completer.rewinds", "nothing was sent again"},
    EffectRule{"nic.rnr_retry", Rule::counter, "nic.completer.rnr_naks", "no peer asked to wait"},
    EffectRule{"nic.rnr_timer", Rule::counter, "nic.responder.rnr_naks", "no sender was asked to wait"},
    EffectRule{"nic.overflow", Rule::counter, "nic.rq.none_posted", "every message found a receive"},
    EffectRule{"nic.read_buffer", Rule::pool, "nic.read_responses.read_buffer", {}},
    EffectRule{"nic.read_response_sched", Rule::counter, "nic.read_responder.reads", "nobody read from it"},
    EffectRule{"nic.key_update", Rule::counter, "nic.local_operations.done", "no request changed a key"},
    EffectRule{"nic.tx_fifo", Rule::counter, "nic.wqe.tx_fifo", "nobody waited for room"},
    EffectRule{"nic.rx_buffer", Rule::counter, "nic.rx.pauses", "the peer was never held"},
    EffectRule{"nic.pause", Rule::counter, "nic.rx.pauses", "the buffer was never full"},
    EffectRule{"nic.tx_pipe", Rule::always, {}, {}},
    EffectRule{"nic.rx_pipe", Rule::always, {}, {}},
    EffectRule{"nic.forward_grain", Rule::always, {}, {}},
    EffectRule{"nic.cq_update_every", Rule::counter, "nic.cq.cqes", "no completion was written"},
};

std::uint64_t value_of(const Metrics& metrics, const std::string& name) {
    const Metric* const metric = metrics.find(name);
    return metric == nullptr ? 0 : metric->value;
}

std::uint64_t sum_of(const Metrics& metrics, const std::string& host, std::string_view names) {
    std::uint64_t sum = 0;
    while (!names.empty()) {
        const std::string_view name = names.substr(0, names.find('+'));
        sum += value_of(metrics, host + "." + std::string(name));
        names.remove_prefix(std::min(names.size(), name.size() + 1));
    }
    return sum;
}

bool is_off(const std::vector<Setting>& settings, const std::string& path) {
    return std::any_of(settings.begin(), settings.end(), [&](const Setting& setting) {
        return setting.path == path && (setting.value == "false" || setting.value == "0");
    });
}

// Why the parameter had no effect; nothing, if it had one, or nobody can tell.
std::string reason(const EffectRule& rule, const std::string& host, const std::vector<Setting>& settings,
                   const Metrics& metrics) {
    const std::string name = host + "." + std::string(rule.where);
    switch (rule.rule) {
        case Rule::counter:
            return sum_of(metrics, host, rule.where) == 0 ? std::string(rule.what) : "";
        case Rule::pool: {
            const std::uint64_t most = value_of(metrics, name + ".high_water");
            const std::uint64_t capacity = value_of(metrics, name + ".capacity");
            return most < capacity ? fmt::format("at most {} of {} were used", most, capacity) : "";
        }
        case Rule::setting:
            return is_off(settings, "hosts." + name) ? std::string(rule.what) : "";
        case Rule::always:
            break;
    }
    return "";
}

const EffectRule* rule_of(std::string_view parameter) {
    const auto found =
        std::find_if(kRules.begin(), kRules.end(), [&](const EffectRule& rule) { return rule.parameter == parameter; });
    return found == kRules.end() ? nullptr : &*found;
}

// The link's direction that carried most for its rate, and its share of the time.
std::string busiest_wire(const std::vector<Setting>& settings, const Metrics& metrics) {
    constexpr std::string_view kBytes = ".bytes";
    const std::uint64_t time = value_of(metrics, "run.ended") - value_of(metrics, "run.started");
    std::string busiest;
    std::uint64_t most = 0;
    for (const Setting& setting : settings) {
        if (!setting.path.starts_with("links.") || !setting.path.ends_with(".rate") || time == 0) {
            continue;
        }
        const std::string link = setting.path.substr(6, setting.path.size() - 11);
        const std::uint64_t rate = parse(Quantity::rate, setting.value).value.value_or(1);
        for (const Metric& metric : metrics.all()) {
            if (!metric.name.starts_with(link + "_") || !metric.name.ends_with(kBytes)) {
                continue;
            }
            // Bits over rate are seconds; in thousandths of the run, which bits alone would overflow at 10^15.
            const auto busy = static_cast<std::uint64_t>(1000.0 * static_cast<double>(metric.value) * 8e12 /
                                                         static_cast<double>(rate) / static_cast<double>(time));
            if (busy >= most) {
                most = busy;
                busiest = fmt::format("{} busy {} % of the time", metric.name.substr(0, metric.name.size() - 6),
                                      decimal(busy, 1));
            }
        }
    }
    return busiest;
}

}  // namespace

bool has_effect_rule(std::string_view parameter) {
    return rule_of(parameter) != nullptr;
}

std::vector<NoEffect> without_effect(const std::vector<Setting>& settings, const Metrics& metrics) {
    constexpr std::string_view kHosts = "hosts.";
    std::vector<NoEffect> found;
    for (const Setting& setting : settings) {
        if (!setting.path.starts_with(kHosts)) {
            continue;
        }
        const std::size_t end = setting.path.find('.', kHosts.size());
        const std::string host = setting.path.substr(kHosts.size(), end - kHosts.size());
        if (const EffectRule* const rule = rule_of(std::string_view(setting.path).substr(end + 1))) {
            if (std::string why = reason(*rule, host, settings, metrics); !why.empty()) {
                found.push_back({setting.path, std::move(why)});
            }
        }
    }
    return found;
}

std::string effects_text(const std::vector<Setting>& settings, const Metrics& metrics, const Paint& paint) {
    Table table({Align::left, Align::left, Align::left});
    for (const NoEffect& each : without_effect(settings, metrics)) {
        const auto setting = std::find_if(settings.begin(), settings.end(),
                                          [&](const Setting& candidate) { return candidate.path == each.path; });
        table.row({each.path, setting->value, each.why});
    }
    return "\n" + paint.strong("Parameters without effect") + " (" + busiest_wire(settings, metrics) + ")\n" +
           table.text(paint);
}

}  // namespace ndsim::cli
