// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "scenarios/forecast/known.hpp"
#include "scenarios/format/scenario.hpp"

namespace ndsim::forecast {

// The earliest time of an event; and the latest, if it is known.
struct When {
    Picoseconds earliest{};
    std::optional<Picoseconds> latest;
};

// Generous upper bounds of times: sums of the parameters that may delay something, several times over. They decide
// whether a sleep is long enough to order the actions of two programs. There is no bound for a host whose software may
// be held up, or that generators load.
class Times {
public:
    explicit Times(const Scenario& scenario);

    // Whether the times of a program have bounds while it waits for nothing.
    [[nodiscard]] bool are_bounded(Index host) const { return hosts_[host].bounded; }
    // The time of a call that waits for nothing; of a post with a WQE that may be pushed; of a poll that takes
    // completions already written.
    [[nodiscard]] Picoseconds call(Index host) const { return hosts_[host].call; }
    [[nodiscard]] Picoseconds post(Index host) const { return hosts_[host].call + hosts_[host].push; }
    [[nodiscard]] Picoseconds poll(Index host, std::uint64_t completions) const;
    // From the end of a post until the NIC has the request.
    [[nodiscard]] Picoseconds to_nic(Index host) const { return hosts_[host].to_nic; }
    // Until the NIC has executed `count` requests that change keys, and nothing else.
    [[nodiscard]] Picoseconds key_changes(Index host, std::uint64_t count) const;
    // From the end of a post until the message arrives, if nothing holds it off; nothing if that may take too long.
    [[nodiscard]] std::optional<Picoseconds> message(Index from, Index to) const;
    // One step of connecting, one way.
    [[nodiscard]] Picoseconds management(Index from, Index to) const;
    // Until a connect is refused: the refusal may wait for a connection that the peer's NIC is making.
    [[nodiscard]] Picoseconds refusal(Index from, Index to) const;

private:
    // The bounds of one host.
    struct HostTimes {
        bool bounded = true;
        Picoseconds call{};
        Picoseconds push{};
        Picoseconds detect{};
        Picoseconds poll{};
        Picoseconds to_nic{};
        Picoseconds key_change{};
        Picoseconds request{};  // between two requests of a queue pair
        Picoseconds command{};
        Picoseconds connecting{};  // to connect a queue pair
    };
    [[nodiscard]] static HostTimes times_of(const NodeParams& node);

    std::vector<HostTimes> hosts_;
    Picoseconds flight_{};                // of the slowest link
    std::optional<Picoseconds> payload_;  // of all messages of all programs, one after the other
    std::uint64_t turns_ = 0;             // requests of all programs, and the smallest pieces of their payload
};

// Sums over everything that a program does; saturated.
struct Totals {
    std::uint64_t requests = 0;
    std::uint64_t bytes = 0;
    Picoseconds slept{};
};
[[nodiscard]] Totals totals_of(const std::vector<Op>& ops);

inline constexpr Picoseconds kForEver = Picoseconds::max();
// A product that saturates at the largest value.
[[nodiscard]] std::uint64_t saturated_product(std::uint64_t a, std::uint64_t b);

}  // namespace ndsim::forecast
