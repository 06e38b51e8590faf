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

// The subject of a target: the share of the wire that payload takes; a figure of every generator, or one metric; no
// queue overflow and no failed request; no message without a receive at its peer.
enum class TargetKind : std::uint8_t { line_rate, generators, metric, no_overflow, no_rnr };

// Target: what a run must reach for its depths to be enough.
struct Target {
    TargetKind kind{};
    std::string figure;  // of generators: the part behind "traffic.NAME.", otherwise the metric's whole name
    bool at_least = true;
    std::uint64_t bound = 0;  // in the smallest units; a share of the wire in parts per million
    std::optional<Quantity> quantity;
    std::string text;  // as the user wrote it
    Position at{};     // in the scenario's file; zeros: from the command line
    std::string path;  // there: "target", or "target[1]" of several
};

// Whether it asks for a rate, of the wire, of every generator or of one: the more, the better.
[[nodiscard]] bool is_rate(const Target& target);

// "95 % of line rate", "p99 < 5 us", "goodput >= 90 Gbps", "traffic.t.failed <= 0", "no overflow", "no RNR"; several
// are separated by "," or "and". A latency can only be bounded from above.
[[nodiscard]] Parsed<std::vector<Target>> parse_targets(std::string_view text);

}  // namespace ndsim
