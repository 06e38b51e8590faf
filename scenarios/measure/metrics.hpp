// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/histogram.hpp"
#include "sim/config/quantity.hpp"

namespace ndsim {

// A figure of a result: a whole number of the smallest units of its quantity, or a plain count.
struct Metric {
    std::string name;  // traffic.stream.goodput
    std::uint64_t value = 0;
    std::optional<Quantity> quantity;  // none: a count
    std::string sentence;

    [[nodiscard]] std::string text() const;  // with its unit
};

// Metrics: the figures of a run, in the order in which they were added.
class Metrics {
public:
    // The metrics of this run; or of any run of its scenario, with meaningless values.
    enum class Of : std::uint8_t { this_run, any_run };
    Metrics() = default;
    explicit Metrics(Of of) : of_(of) {}
    [[nodiscard]] bool are_of_any_run() const { return of_ == Of::any_run; }

    // Without a value, this run lacks the figure, but another may have it.
    void add(std::string name, std::optional<std::uint64_t> value, std::optional<Quantity> quantity,
             std::string_view sentence);
    void add_time(std::string name, std::optional<Picoseconds> value, std::string_view sentence);
    // The rate of this many bytes per second; as everywhere, a rate is in bits.
    void add_rate(std::string name, std::optional<std::uint64_t> bytes, std::string_view sentence);
    // Count, mean, extremes and the percentiles that the number of samples supports.
    void add_latency(const std::string& name, const Histogram& histogram, std::string_view sentence);

    [[nodiscard]] const Metric* find(std::string_view name) const;
    [[nodiscard]] const std::vector<Metric>& all() const { return metrics_; }

private:
    Of of_ = Of::this_run;
    std::vector<Metric> metrics_;
    std::map<std::string, std::size_t, std::less<>> places_;  // in metrics_, by name
};

}  // namespace ndsim
