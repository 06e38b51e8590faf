// SPDX-License-Identifier: Apache-2.0
#include "scenarios/engine/metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ndsim {

namespace {

struct Percentile {
    std::string_view name;
    std::uint32_t ppm;
};
constexpr std::array<Percentile, 5> kPercentiles{
    {{"p50", 500'000}, {"p90", 900'000}, {"p99", 990'000}, {"p99_9", 999'000}, {"p99_99", 999'900}}};

}  // namespace

std::string Metric::text() const {
    return quantity ? to_text(*quantity, value) : std::to_string(value);
}

void Metrics::add(std::string name, std::uint64_t value, std::optional<Quantity> quantity, std::string_view sentence) {
    metrics_.push_back({std::move(name), value, quantity, std::string(sentence)});
}

void Metrics::add_latency(const std::string& name, const Histogram& histogram, std::string_view sentence) {
    add(name + ".count", histogram.count(), std::nullopt, fmt::format("samples of: {}", sentence));
    if (histogram.count() == 0) {
        return;
    }
    add_time(name + ".mean", *histogram.mean(), sentence);
    add_time(name + ".min", *histogram.min(), sentence);
    for (const Percentile& percentile : kPercentiles) {
        if (const auto value = histogram.percentile(percentile.ppm)) {
            add_time(fmt::format("{}.{}", name, percentile.name), *value, sentence);
        }
    }
    add_time(name + ".max", *histogram.max(), sentence);
}

const Metric* Metrics::find(std::string_view name) const {
    const auto found =
        std::find_if(metrics_.begin(), metrics_.end(), [name](const Metric& metric) { return metric.name == name; });
    return found == metrics_.end() ? nullptr : &*found;
}

}  // namespace ndsim
