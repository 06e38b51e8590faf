// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/format/scenario.hpp"
#include "scenarios/measure/metrics.hpp"
#include "scenarios/result/limit_parameter.hpp"
#include "scenarios/result/mean_ledger.hpp"

namespace ndsim {

// Possible limits of a run: how much the application keeps outstanding, how seldom it asks for completions, the depth
// of a ring, a pool of the NIC or of its link, a message rate, a direction of PCIe or of the cable, a core.
enum class LimitKind : std::uint8_t { window, signalling, ring, pool, rate, pcie, wire, core };
inline constexpr std::array<std::string_view, 8> kLimitKindNames{"window", "signalling", "ring", "pool",
                                                                 "rate",   "pcie",       "wire", "core"};

// A limit of a run, and its share of the measured time.
struct Limit {
    LimitKind kind{};
    std::string what;  // A.nic.dma.tags, l0_A_to_B, traffic t
    std::uint64_t share_ppm = 0;
    bool binds = false;  // changing it would have changed the rates, as far as the shares tell
    LimitParameter parameter;
    std::vector<std::string> generators;     // that it may hold up: traffic t, dma d
    std::vector<std::string> behind_wire{};  // those of them whose data has left the wire when it comes to this pool
};
inline constexpr std::uint64_t kLeastLimit = 10'000;  // smaller shares are not mentioned

// The limits of a run, binding ones first. Servers that hardly rest come before everything that is full because of
// them; then comes what was full for longest, and behind that what was busy, but not all the time.
[[nodiscard]] std::vector<Limit> limits_of(const Scenario& scenario, const Metrics& metrics,
                                           std::span<const MeanLedger> ledgers = {});

}  // namespace ndsim
