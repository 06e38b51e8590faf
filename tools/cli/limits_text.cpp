// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/limits_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "models/ports/stall.hpp"
#include "sim/config/params.hpp"
#include "tools/cli/figures.hpp"
#include "tools/cli/table.hpp"

namespace ndsim::cli {

namespace {

constexpr std::size_t kPools = 6;
constexpr std::size_t kBounds = 4;

// One pool, as its metrics tell.
struct Pool {
    std::string name;
    std::uint64_t high_water = 0;
    std::uint64_t capacity = 0;
    std::uint64_t mean_milli = 0;
    std::uint64_t full_ppm = 0;
    std::string sentence;
};

std::uint64_t value_of(const Metrics& metrics, const std::string& name) {
    const Metric* const metric = metrics.find(name);
    return metric == nullptr ? 0 : metric->value;
}

std::vector<Pool> pools_of(const Metrics& metrics) {
    constexpr std::string_view kMark = ".high_water";
    std::vector<Pool> pools;
    for (const Metric& metric : metrics.all()) {
        if (metric.name.ends_with(kMark) && metric.value > 0) {
            const std::string name = metric.name.substr(0, metric.name.size() - kMark.size());
            if (metrics.find(name + ".capacity") == nullptr) {
                continue;  // it limits nothing
            }
            pools.push_back({name, metric.value, value_of(metrics, name + ".capacity"),
                             value_of(metrics, name + ".mean_milli"), value_of(metrics, name + ".full"),
                             metric.sentence});
        }
    }
    return pools;
}

// Which of two pools is the busier one.
bool is_busier(const Pool& a, const Pool& b) {
    if (a.full_ppm != b.full_ppm) {
        return a.full_ppm > b.full_ppm;
    }
    return a.high_water * b.capacity > b.high_water * a.capacity;
}

std::string pools_text(const Metrics& metrics, const Paint& paint) {
    std::vector<Pool> pools = pools_of(metrics);
    std::stable_sort(pools.begin(), pools.end(), is_busier);
    pools.resize(std::min(pools.size(), kPools));
    Table table({Align::left, Align::right, Align::right, Align::right, Align::right, Align::right, Align::left});
    table.heading({"", "at most", "of", "mean", "% used", "% of time full", ""});
    for (const Pool& pool : pools) {
        table.row({pool.name, std::to_string(pool.high_water), std::to_string(pool.capacity),
                   decimal((pool.mean_milli + 50) / 100, 1), percent(pool.mean_milli, 1000 * pool.capacity),
                   percent(pool.full_ppm, 1'000'000), pool.sentence});
    }
    return pools.empty() ? "" : "\n" + paint.strong("Busiest pools") + "\n" + table.text(paint);
}

// In words, what an engine waited for, the longest first.
std::string waits_of(const Metrics& metrics, const std::string& engine) {
    struct Wait {
        std::string_view name;
        std::uint64_t time;
    };
    std::vector<Wait> waits;
    std::uint64_t total = 0;
    for (const std::string_view stall : kStallNames) {
        const std::uint64_t time = value_of(metrics, engine + "." + std::string(stall));
        total += time;
        if (time > 0) {
            waits.push_back({stall, time});
        }
    }
    std::stable_sort(waits.begin(), waits.end(), [](const Wait& a, const Wait& b) { return a.time > b.time; });
    std::vector<std::string> words;
    words.reserve(waits.size());
    for (const Wait& wait : waits) {
        words.push_back(fmt::format("{} {} %", wait.name == kStallNames[0] ? "nothing to do" : wait.name,
                                    percent(wait.time, total)));
    }
    return fmt::format("{}", fmt::join(words, ", "));
}

// What other engines of a host may wait for.
struct EngineWait {
    std::string_view engine;
    std::string_view wait;
    std::string_view words;
};
constexpr std::array kEngineWaits{
    EngineWait{"pcie", "up_blocked", "posted credits"},
    EngineWait{"nic.dma", "reads_blocked", "tags or reads in flight"},
    EngineWait{"nic.dma", "writes_blocked", "writes in flight"},
    EngineWait{"nic.dma", "writes_translate", "translations of writes"},
    EngineWait{"nic.read_responder", "tx_fifo", "tx_fifo"},
    EngineWait{"nic.read_responder", "tags", "tags"},
    EngineWait{"nic.responder", "receive_wqe", "receive WQEs"},
    EngineWait{"nic.tx", "paused", "the peer, which holds the lane"},
};
constexpr std::uint64_t kLeastWait = 1000;  // a thousandth of the time is worth a line

// The time that a host's engines were observed: the states of one of them make it up.
std::uint64_t observed(const Metrics& metrics, const std::string& host) {
    std::uint64_t sum = 0;
    for (const std::string_view stall : kStallNames) {
        sum += value_of(metrics, host + ".nic.wqe." + std::string(stall));
    }
    return sum;
}

std::string waits_text(const Metrics& metrics, const Paint& paint) {
    constexpr std::string_view kMark = ".nic.wqe.messages";
    Table table({Align::left, Align::left});
    for (const Metric& metric : metrics.all()) {
        if (!metric.name.ends_with(kMark)) {
            continue;
        }
        const std::string host = metric.name.substr(0, metric.name.size() - kMark.size());
        if (metric.value > 0) {
            table.row({host + ".nic.wqe", waits_of(metrics, host + ".nic.wqe")});
        }
        const std::uint64_t whole = observed(metrics, host);
        for (const EngineWait& row : kEngineWaits) {
            const std::uint64_t time = value_of(metrics, fmt::format("{}.{}.{}", host, row.engine, row.wait));
            if (time >= whole / kLeastWait && time > 0) {
                table.row(
                    {fmt::format("{}.{}", host, row.engine), fmt::format("{} {} %", row.words, percent(time, whole))});
            }
        }
    }
    return table.empty() ? "" : "\n" + paint.strong("Engines") + ": what they waited for\n" + table.text(paint);
}

// How a limit shows.
std::string_view sign_of(LimitKind kind) {
    constexpr std::array<std::string_view, kLimitKindNames.size()> kSigns{
        "full", "full for want of a completion", "full", "full or waited for", "waited for", "busy", "busy", "busy"};
    return kSigns.at(static_cast<std::size_t>(kind));
}

}  // namespace

std::string bound_text(const std::vector<Limit>& limits, const Paint& paint) {
    Table table({Align::left, Align::left, Align::right, Align::left, Align::left});
    std::size_t lines = 0;
    for (const Limit& limit : limits) {
        if (!limit.binds || lines == kBounds) {
            break;  // the others are not ahead of one that does not
        }
        const LimitParameter& parameter = limit.parameter;
        std::string basis(kLimitBasisNames.at(static_cast<std::size_t>(parameter.basis)));
        if (parameter.basis != LimitBasis::chosen) {
            basis += fmt::format(" ({})", word(parameter.source));
        }
        table.row({fmt::format("{}: {}", kLimitKindNames.at(static_cast<std::size_t>(limit.kind)), limit.what),
                   std::string(sign_of(limit.kind)), percent(limit.share_ppm, 1'000'000) + " %",
                   fmt::format("{} = {}", parameter.path, parameter.value), basis});
        ++lines;
    }
    return "\n" + paint.strong("Bound by") + (lines == 0 ? ": nothing that was full or busy for long\n" : "\n") +
           table.text(paint);
}

std::string limits_text(const Metrics& metrics, const Paint& paint) {
    return pools_text(metrics, paint) + waits_text(metrics, paint);
}

}  // namespace ndsim::cli
