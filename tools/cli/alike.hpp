// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenarios/format/scenario.hpp"
#include "scenarios/measure/metrics.hpp"
#include "tools/cli/host_classes.hpp"

namespace ndsim::cli {

// Alike: generators with the same configuration that send from one host, or hosts that are alike, to one host, or hosts
// that are alike. A table shows them in one row. A generator without others like it has its own row.
class Alike {
public:
    explicit Alike(std::vector<const Traffic*> generators) : generators_(std::move(generators)) {}

    [[nodiscard]] const std::vector<const Traffic*>& generators() const { return generators_; }
    [[nodiscard]] bool has(std::string_view generator) const;
    [[nodiscard]] std::string title() const;  // "t", or "t1 .. t8 (8 alike)"
    [[nodiscard]] std::string ends() const;   // "A.q0 to B.q0", or "S1.q0 .. S8.q0 to R.q1 .. R.q8"
    // The least, the largest, or both of their figures of one name, "latency.mean"; a dash if one of them has none.
    [[nodiscard]] std::string least(const Metrics& metrics, std::string_view figure) const;
    [[nodiscard]] std::string most(const Metrics& metrics, std::string_view figure) const;
    [[nodiscard]] std::string range(const Metrics& metrics, std::string_view figure) const;

private:
    std::vector<const Traffic*> generators_;
};

// "6.12 .. 6.14 Gbps": the least and the largest of these figures, or a dash if one is missing.
[[nodiscard]] std::string range_of(const std::vector<const Metric*>& metrics);

// All generators of a scenario, in the order of each row's first one.
[[nodiscard]] std::vector<Alike> alike_generators(const Scenario& scenario, const HostClasses& hosts);
[[nodiscard]] std::vector<Alike> alike_generators(const Scenario& scenario);

}  // namespace ndsim::cli
