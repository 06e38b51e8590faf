// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "scenarios/format/scenario.hpp"
#include "sim/config/field.hpp"

namespace ndsim {

struct TrafficEnds;

// How far to trust a limit. Its value is measured (seen in a source, or derived from such), assumed (remembered or
// estimated), or chosen by the scenario (or an option and no property of hardware).
enum class LimitBasis : std::uint8_t { measured, assumed, chosen };
inline constexpr std::array<std::string_view, 3> kLimitBasisNames{"measured parameter", "assumed", "chosen"};

// The parameter that sets a limit.
struct LimitParameter {
    std::string path;  // hosts.A.nic.sq_in_flight, as --set takes it
    std::string value;
    Mark source{};  // of the preset's value, or of the default
    LimitBasis basis{};
};

// A parameter of a host's hardware, "nic.sq_in_flight"; the path begins with "hosts.A.".
[[nodiscard]] LimitParameter parameter_of(const Host& host, std::string_view parameter);
// A parameter of one of its queue pairs, "sq.depth".
[[nodiscard]] LimitParameter parameter_of(const Host& host, const QueuePair& qp, std::string_view parameter);
// The parameter that sets the depth of a completion queue: its own, if the scenario declares the queue.
[[nodiscard]] LimitParameter depth_of(const Host& host, std::string_view cq);
// The parameter that sets how many receives the peer of a generator has.
[[nodiscard]] LimitParameter receives_of(const TrafficEnds& ends, const Traffic& traffic);
// The parameter that sets how many receives a host's NIC may have fetched: `nic.rq_prefetch`, or what sizes the queue
// of its generators with most receives, if that has no more.
[[nodiscard]] LimitParameter fetched_receives_of(const Scenario& scenario, const Host& host);
[[nodiscard]] LimitParameter parameter_of(const Link& link, std::string_view parameter);
[[nodiscard]] LimitParameter parameter_of(const NetworkSwitch& of, std::string_view parameter);
[[nodiscard]] LimitParameter parameter_of(const Traffic& traffic, std::string_view parameter);
[[nodiscard]] LimitParameter parameter_of(const DmaLoad& load, std::string_view parameter);

}  // namespace ndsim
