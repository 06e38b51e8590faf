// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "scenarios/forecast/follower.hpp"

// The operations of programs, except posts and those of connections.
namespace ndsim::forecast {

namespace {

void no_longer_bounded(Software& software) {
    software.now.when.latest.reset();
}
void takes_at_most(Software& software, Picoseconds span) {
    if (software.now.when.latest) {
        *software.now.when.latest += span;
    }
}

}  // namespace

Follower::Step Follower::carry_out(Software& software, const SleepOp& sleep) {
    software.now.when.earliest += sleep.span;
    takes_at_most(software, sleep.span);
    return Step::done;
}

Follower::Step Follower::carry_out(Software& software, const RepeatOp& repeat) {
    ++software.frames.back().next;
    software.frames.push_back({&repeat.body, 0, repeat.count});
    return Step::done;
}

Follower::Step Follower::carry_out(Software& software, const PollOp& poll) {
    Cq& cq = cqs_[software.cqs.at(poll.cq)];
    if (!software.has_begun) {
        software.left = poll.count;
        note_crowd(software, cq);
    }
    const std::uint64_t taken = std::min(software.left, cq.placed - cq.taken);
    cq.taken += taken;
    software.polled += taken;
    software.left -= taken;
    if (taken > 0) {
        learn(software, cq);
    }
    if (software.left > 0) {
        return Step::blocked;
    }
    const auto last = cq.streams.size() == 1 ? latest(streams_[cq.streams.front()]) : std::nullopt;
    if (last && software.now.when.latest) {
        software.now.when.latest =
            std::max(*software.now.when.latest, *last) + times_.poll(software.now.host, poll.count);
    } else {
        no_longer_bounded(software);
    }
    return Step::done;
}

// The latest time at which the completions taken had come: those of a stream come in order.
std::optional<Picoseconds> Follower::latest(const Stream& stream) const {
    const Entry& last = stream.entries[stream.taken_surely - 1];
    return stream.taken_surely == cqs_[stream.cq].taken && tells(stream, last) ? last.latest : std::nullopt;
}

// The queue may hold more by now than it has room for; how much more, is known at the end.
void Follower::note_crowd(const Software& software, Cq& cq) {
    constexpr std::size_t kMost = 10'000;
    const std::uint64_t if_broken = most_if_broken(cq);
    if (if_broken <= cq.taken + cq.depth) {
        return;
    }
    if (cq.crowds.size() == kMost) {
        findings_.leave_out(*software.now.op, "how full " + name_of(cq) + " gets from here on", Doubt::unsure);
        return;
    }
    Crowd& crowd = cq.crowds.emplace_back(Crowd{software.now.op, software.now.step, cq.taken, cq.depth, {}, if_broken});
    for (const Index stream : cq.streams) {
        crowd.possible.push_back(streams_[stream].possible);
    }
}

Follower::Step Follower::carry_out(Software& software, const ArmOp& arm) {
    Cq& cq = cqs_[software.cqs.at(arm.cq)];
    ++cq.arms;
    cq.wish = arm.wish;
    cq.taken_at_arm = cq.taken;
    takes_at_most(software, times_.call(software.now.host));
    return Step::done;
}

Follower::Step Follower::carry_out(Software& software, const WaitOp& wait) {
    const Step step = !wait.qp.empty()    ? wait_for_disconnect(software, qps_[software.qps.at(wait.qp)])
                      : !wait.srq.empty() ? wait_for_srq(software, srqs_[software.srqs.at(wait.srq)])
                                          : wait_for_cq(software, cqs_[software.cqs.at(wait.cq)]);
    if (step == Step::done) {
        no_longer_bounded(software);
    }
    return step;
}

// A notification has come or will, if there is an entry of the kind armed for that was not there at the last one.
Follower::Step Follower::wait_for_cq(Software& software, Cq& cq) {
    if (cq.waits >= cq.arms) {
        return Step::blocked;
    }
    const bool failures_count =
        software.host->api != Api::ndk || software.host->node.nic.queues.cq.errors_arm_on_failed_wr;
    bool meets = false;
    bool is_new = cq.waits == 0;
    for (const Index index : cq.streams) {
        const Stream& stream = streams_[index];
        const std::size_t from = cq.streams.size() == 1 ? cq.taken_at_arm : 0;
        for (std::size_t i = from; i < stream.entries.size(); ++i) {
            const Entry& entry = stream.entries[i];
            meets = meets || cq.wish == ArmFor::any ||
                    (cq.wish == ArmFor::solicited && (entry.solicited || entry.failed)) ||
                    (cq.wish == ArmFor::errors && failures_count && entry.failed);
            const bool is_posted_later = requests_[entry.request].at.step > cq.step_of_wait;
            const bool is_sent_later =
                entry.message && requests_[*entry.message].at.known.steps(cq.host) > cq.step_of_wait;
            is_new = is_new || is_posted_later || is_sent_later;
        }
    }
    if (!meets || cq.placed <= cq.taken_at_arm) {
        return Step::blocked;
    }
    if (!is_new || cq.arms == cq.arms_at_wait || cq.streams.size() > 1) {
        findings_.leave_out(*software.now.op, "whether it is notified depends on when completions come", Doubt::slower);
    }
    ++cq.waits;
    cq.arms_at_wait = cq.arms;
    cq.step_of_wait = software.now.step;
    return Step::done;
}

Follower::Step Follower::wait_for_srq(Software& software, Srq& srq) {
    if (srq.waits >= srq.arms || srq.requests.size() - srq.matched >= srq.threshold) {
        return Step::blocked;
    }
    findings_.leave_out(*software.now.op, "whether it is notified depends on when messages come", Doubt::slower);
    ++srq.waits;
    return Step::done;
}

Follower::Step Follower::carry_out(Software& software, const SpinOp& spin) {
    const std::uint64_t byte = spin.piece.offset.count + spin.piece.size.count - 1;
    Spot& spot = *std::ranges::find_if(
        software.spots, [&](const Spot& each) { return each.buffer == spin.piece.buffer && each.byte == byte; });
    if (spot.spins == spot.writes) {
        return Step::blocked;
    }
    ++spot.spins;
    no_longer_bounded(software);
    return Step::done;
}

Follower::Step Follower::carry_out(Software& software, const ModerateOp&) {
    no_longer_bounded(software);
    return Step::done;
}

// The resize is refused if more completions have come than the queue will hold.
Follower::Step Follower::carry_out(Software& software, const ResizeOp& resize) {
    Cq& cq = cqs_[software.cqs.at(resize.cq)];
    if (most_of(cq) - cq.taken > std::min(cq.depth, resize.depth)) {
        findings_.leave_out(*software.now.op, "whether the queue can be resized depends on what it holds by then",
                            Doubt::unsure);
    }
    cq.depth = resize.depth;
    no_longer_bounded(software);
    return Step::done;
}

Follower::Step Follower::carry_out(Software& software, const ModifySrqOp& modify) {
    Srq& srq = srqs_[software.srqs.at(modify.srq)];
    if (modify.depth != 0) {
        if (srq.requests.size() - receives_freed(srq).first > modify.depth) {
            findings_.leave_out(*software.now.op, "whether the queue can be changed depends on what it holds by then",
                                Doubt::unsure);
        }
        srq.depth = modify.depth;
    }
    if (modify.threshold != 0) {
        ++srq.arms;
        srq.threshold = modify.threshold;
    }
    no_longer_bounded(software);
    return Step::done;
}

}  // namespace ndsim::forecast
