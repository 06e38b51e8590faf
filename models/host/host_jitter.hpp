// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "models/host/cpu_params.hpp"
#include "sim/base/exact_rate.hpp"
#include "sim/base/rng.hpp"

namespace ndsim {

// HostJitter: the random delays of the software of one core. Each kind has its own stream of random numbers, seeded
// with the core's name; a kind that is off draws nothing.
class HostJitter {
public:
    HostJitter() = default;  // all kinds are off
    HostJitter(const CpuParams& params, std::uint64_t seed, std::string_view core);

    // The time beyond poll_detect until a spinning core notices something.
    [[nodiscard]] Picoseconds poll() { return drawn(poll_, poll_mean_); }
    // The time that software works on a message before it posts the receive again.
    [[nodiscard]] Picoseconds repost() { return drawn(repost_, repost_mean_); }

    // Other software takes the core now and then. Returns the first such time that contains `at`
    // or begins before `at` + `span`, if there is one; `at` never goes back.
    [[nodiscard]] std::optional<Interval> preemption(Picoseconds at, Picoseconds span) {
        return away_.end > Picoseconds{} ? next_preemption(at, span) : std::nullopt;
    }

private:
    [[nodiscard]] static Picoseconds drawn(Rng& stream, Picoseconds mean) {
        return mean > Picoseconds{} ? stream.exponential(mean) : Picoseconds{};
    }
    [[nodiscard]] std::optional<Interval> next_preemption(Picoseconds at, Picoseconds span);
    void draw_preemption();

    Rng poll_{Rng::State{1}};
    Rng repost_{Rng::State{1}};
    Rng preempt_{Rng::State{1}};
    Picoseconds poll_mean_{};
    Picoseconds repost_mean_{};
    Picoseconds preempt_mean_{};
    Picoseconds preempt_time_{};
    Interval away_;  // next time that other software has the core; empty: never
};

}  // namespace ndsim
