// SPDX-License-Identifier: Apache-2.0
#include "scenarios/measure/metrics.hpp"

#include <fmt/format.h>

#include <array>

namespace ndsim {

namespace {

// A percentile that latencies have.
struct Percentile {
    std::string_view name;
    std::uint32_t ppm;
};
constexpr std::array<Percentile, 5> kPercentiles{
    {{"p50", 500'000}, {"p90", 900'000}, {"p99", 990'000}, {"p99_9", 999'000}, {"p99_99", 999'900}}};

}  // namespace

std::string Metric::text() const {
    return to_text(Amount{value, quantity});
}

void Metrics::add(std::string name, std::optional<std::uint64_t> value, std::optional<Quantity> quantity,
                  std::string_view sentence) {
    if (value || are_of_any_run()) {
        places_.try_emplace(name, metrics_.size());
        metrics_.push_back({std::move(name), value.value_or(0), quantity, std::string(sentence)});
    }
}

void Metrics::add_time(std::string name, std::optional<Picoseconds> value, std::string_view sentence) {
    const auto count = value ? std::optional(static_cast<std::uint64_t>(value->count())) : std::nullopt;
    add(std::move(name), count, Quantity::time, sentence);
}

void Metrics::add_rate(std::string name, std::optional<std::uint64_t> bytes, std::string_view sentence) {
    add(std::move(name), bytes ? std::optional(8 * *bytes) : std::nullopt, Quantity::rate, sentence);
}

void Metrics::add_latency(const std::string& name, const Histogram& histogram, std::string_view sentence) {
    add(name + ".count", histogram.count(), std::nullopt, fmt::format("samples of: {}", sentence));
    add_time(name + ".mean", histogram.mean(), sentence);
    add_time(name + ".min", histogram.min(), sentence);
    for (const Percentile& percentile : kPercentiles) {
        add_time(fmt::format("{}.{}", name, percentile.name), histogram.percentile(percentile.ppm), sentence);
    }
    add_time(name + ".max", histogram.max(), sentence);
}

const Metric* Metrics::find(std::string_view name) const {
    const auto place = places_.find(name);
    return place == places_.end() ? nullptr : &metrics_[place->second];
}

}  // namespace ndsim
