// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/busy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>

#include "sim/base/histogram.hpp"
#include "tools/cli/figures.hpp"

namespace ndsim::cli {

namespace {

constexpr std::size_t kShown = 6;

// The name of the lane of "l0_A_to_B.busy", or the PCIe direction of "A.pcie.up_busy"; "" for any other metric.
std::string carrier_of(std::string_view name, const Metrics& metrics) {
    for (const std::string_view direction : {"up", "down"}) {
        const std::string end = fmt::format(".pcie.{}_busy", direction);
        if (name.ends_with(end)) {
            return fmt::format("{}.pcie {}", name.substr(0, name.size() - end.size()), direction);
        }
    }
    const std::string_view lane = name.substr(0, name.find('.'));
    const bool is_lane = name.substr(lane.size()) == ".busy" && metrics.find(fmt::format("{}.bytes", lane)) != nullptr;
    return is_lane ? std::string(lane) : "";
}

}  // namespace

std::vector<Busy> busy_shares(const Metrics& metrics) {
    std::vector<Busy> shares;
    const Metric* const measured = metrics.find("run.measured");
    if (measured == nullptr || measured->value == 0) {
        return shares;
    }
    for (const Metric& metric : metrics.all()) {
        if (std::string what = carrier_of(metric.name, metrics); !what.empty()) {
            const auto per_mille = static_cast<WideSum>(metric.value) * 1000 / measured->value;
            shares.push_back({std::move(what), static_cast<std::uint64_t>(per_mille)});
        }
    }
    std::ranges::stable_sort(shares, std::ranges::greater{}, &Busy::per_mille);
    return shares;
}

std::string busy_text(const std::vector<Busy>& shares, const Paint& paint) {
    std::vector<std::string> words;
    for (const Busy& each : shares) {
        if (each.per_mille > 0 && words.size() < kShown) {
            words.push_back(fmt::format("{} {} %", each.what, decimal(each.per_mille, 1)));
        }
    }
    return words.empty() ? "" : fmt::format("\n{}, of the time: {}\n", paint.strong("Busy"), fmt::join(words, ", "));
}

}  // namespace ndsim::cli
