// SPDX-License-Identifier: Apache-2.0
#include "models/host/host_jitter.hpp"

#include <string>

namespace ndsim {

HostJitter::HostJitter(const CpuParams& params, std::uint64_t seed, std::string_view core)
    : poll_(seed, std::string(core) + ".poll_jitter"),
      repost_(seed, std::string(core) + ".repost_jitter"),
      preempt_(seed, std::string(core) + ".preempt"),
      poll_mean_(params.poll_jitter),
      repost_mean_(params.repost_jitter),
      preempt_mean_(params.preempt_every),
      preempt_time_(params.preempt_time) {
    if (preempt_mean_ > Picoseconds{} && preempt_time_ > Picoseconds{}) {
        draw_preemption();
    }
}

// Counts from the end of the last preemption, so that two never overlap.
void HostJitter::draw_preemption() {
    away_.start = away_.end + preempt_.exponential(preempt_mean_);
    away_.end = away_.start + preempt_time_;
}

// Behind a long rest only the last preemptions are drawn: after so many it does not matter when an earlier one was.
std::optional<Interval> HostJitter::next_preemption(Picoseconds at, Picoseconds span) {
    constexpr std::int64_t kForgotten = 1000;
    const Picoseconds forgotten = kForgotten * (preempt_mean_ + preempt_time_);
    if (at - away_.end > 2 * forgotten) {
        away_.end = at - forgotten;
    }
    while (away_.end <= at) {
        draw_preemption();
    }
    return away_.start <= at || away_.start < at + span ? std::optional(away_) : std::nullopt;
}

}  // namespace ndsim
