// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/problems.hpp"
#include "sim/config/quantity.hpp"

namespace ndsim {

// What a target is about: the share of the wire that payload takes; a figure of every generator, or one metric; that no
// queue overflows and no request fails; that no message finds its peer without a receive.
enum class TargetKind : std::uint8_t { line_rate, generators, metric, no_overflow, no_rnr };

// Target: what a run must reach for its depths to be enough.
struct Target {
    TargetKind kind{};
    std::string figure;  // of generators what stands behind "traffic.NAME.", else the metric's whole name
    bool at_least = true;
    std::uint64_t bound = 0;  // in the smallest units; a share of the wire in parts per million
    std::optional<Quantity> quantity;
    std::string text;  // as it was said
    Position at{};     // in the scenario's file; zeros: it is from the command line
};

// "95 % of line rate", "p99 < 5 us", "goodput >= 90 Gbps", "traffic.t.failed = 0", "no overflow", "no RNR"; several
// with "," or "and" between them.
[[nodiscard]] Parsed<std::vector<Target>> parse_targets(std::string_view text);

}  // namespace ndsim
