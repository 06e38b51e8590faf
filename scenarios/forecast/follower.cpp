// SPDX-License-Identifier: Apache-2.0
#include "scenarios/forecast/follower.hpp"

#include <algorithm>

#include "ndapi/core/cq_depth.hpp"
#include "scenarios/forecast/generators.hpp"
#include "scenarios/format/cq_rounding.hpp"

namespace ndsim::forecast {

namespace {

// Limits for all programs together: operations, and numbers that are kept.
constexpr std::uint64_t kMostOperations = 200'000;
constexpr std::uint64_t kMostNumbers = 20'000'000;

}  // namespace

Follower::Follower(const Scenario& scenario, const Times& times, const Failures& failures)
    : scenario_(scenario), times_(times), failures_(failures) {
    for (const Host& host : scenario.hosts) {
        add_host(host);
    }
    connect_qps();
    for (Software& software : hosts_) {
        software.now.known = Known(hosts_.size(), qps_.size());
        if (times.are_bounded(software.now.host)) {
            software.now.when.latest = Picoseconds{};
        }
        if (software.host->program) {
            software.frames.push_back({&software.host->program->ops, 0, 1});
        } else {
            software.progress = Progress::ended;
        }
    }
    for (const auto& [place, failure] : failures) {
        const Index qp = place.first;
        breaks_.emplace(qp, failure);
        breaks_.emplace(*qps_[qp].peer, failure);
    }
    leave_out_accidents();
    left_to_follow_ = std::min(kMostOperations, kMostNumbers / (hosts_.size() + 2 * qps_.size() + 1));
}

// Causes that break connections without a program's action, or end the run before the programs.
void Follower::leave_out_accidents() {
    constexpr Picoseconds kLongWay = std::chrono::milliseconds{1};
    if (!foresee_time_limit(scenario_).empty()) {
        findings_.leave_out({}, "limits.time",
                            "which events come before the end of the run, and which would come after it",
                            Doubt::unsure);
    }
    if (!scenario_.faults.empty()) {
        findings_.leave_out({}, "faults", "the effects of the faults", Doubt::broken);
    }
    for (const Host& host : scenario_.hosts) {
        const std::uint32_t code = host.node.nic.transport.timeout_code;
        if (host.program && code != 0 && ack_timeout(code) < kLongWay) {
            findings_.leave_out({}, "hosts." + host.name + ".nic.timeout_code",
                                "whether acknowledgements come within so short a time", Doubt::broken);
        }
    }
}

void Follower::add_host(const Host& host) {
    Software& software = hosts_.emplace_back();
    software.host = &host;
    software.now.host = static_cast<Index>(hosts_.size() - 1);
    for (const MemoryObject& object : host.memory) {
        software.memories.emplace(object.name, static_cast<Index>(memories_.size()));
        memories_.push_back({.host = software.now.host, .declared = &object});
    }
    for (const SharedReceiveQueue& srq : host.srqs) {
        software.srqs.emplace(srq.name, static_cast<Index>(srqs_.size()));
        srqs_.push_back({.host = software.now.host,
                         .declared = &srq,
                         .depth = srq.depth,
                         .threshold = srq.threshold,
                         .arms = srq.threshold > 0 ? 1U : 0U});
    }
    for (const CompletionQueue& cq : host.cqs) {
        (void)cq_of(software, cq.name);
    }
    for (const QueuePair& qp : host.qps) {
        add_qp(software, qp);
    }
    if (host.program) {
        watch(host.program->ops, software.spots);
    }
}

void Follower::add_qp(Software& software, const QueuePair& declared) {
    const auto index = static_cast<Index>(qps_.size());
    software.qps.emplace(declared.name, index);
    Qp& qp = qps_.emplace_back();
    qp.host = software.now.host;
    qp.declared = &declared;
    qp.send_stream = add_stream(index, false, cq_of(software, declared.send_cq));
    qp.receive_stream = add_stream(index, true, cq_of(software, declared.receive_cq));
    if (!declared.srq.empty()) {
        qp.srq = software.srqs.at(declared.srq);
        srqs_[*qp.srq].users.push_back(index);
    }
}

// One side of each pair names the other.
void Follower::connect_qps() {
    for (Index i = 0; i < qps_.size(); ++i) {
        const Endpoint& peer = qps_[i].declared->connect;
        if (peer.empty()) {
            continue;
        }
        const auto host =
            std::ranges::find_if(hosts_, [&](const Software& other) { return other.host->name == peer.host; });
        const Index other = host->qps.at(peer.name);
        qps_[i].peer = other;
        qps_[other].peer = i;
        const bool by_programs = qps_[i].declared->by_programs;
        qps_[i].link = qps_[other].link = by_programs ? Link::none : Link::up;
    }
}

Index Follower::cq_of(Software& software, const std::string& name) {
    const auto [found, is_new] = software.cqs.emplace(name, static_cast<Index>(cqs_.size()));
    if (is_new) {
        const std::uint32_t depth = cq_depth(*software.host, name);
        Cq& cq = cqs_.emplace_back();
        cq.host = software.now.host;
        cq.name = name;
        cq.depth = rounds_cq_depths(*software.host) ? core::field_cq_depth(depth) : depth;
    }
    return found->second;
}

Index Follower::add_stream(Index qp, bool receives, Index cq) {
    const auto index = static_cast<Index>(streams_.size());
    streams_.push_back({.qp = qp, .receives = receives, .cq = cq});
    cqs_[cq].streams.push_back(index);
    return index;
}

// Counts writes from the beginning.
void Follower::watch(const std::vector<Op>& ops, std::vector<Spot>& spots) {
    for (const Op& op : ops) {
        if (const auto* const spin = std::get_if<SpinOp>(&op.what)) {
            const std::uint64_t byte = spin->piece.offset.count + spin->piece.size.count - 1;
            if (std::ranges::none_of(
                    spots, [&](const Spot& spot) { return spot.buffer == spin->piece.buffer && spot.byte == byte; })) {
                spots.push_back({spin->piece.buffer, byte});
            }
        } else if (const auto* const repeat = std::get_if<RepeatOp>(&op.what)) {
            watch(repeat->body, spots);
        }
    }
}

void Follower::run() {
    for (bool goes_on = true; goes_on && found_.empty() && left_to_follow_ > 0;) {
        goes_on = false;
        for (Software& software : hosts_) {
            goes_on = advance(software) || goes_on;
        }
        if (std::exchange(stirred_, false)) {
            for (Index qp = 0; qp < qps_.size() && found_.empty(); ++qp) {
                deliver(qp);
            }
            goes_on = true;
        }
        goes_on = goes_on || (found_.empty() && resolve());
    }
    if (!found_.empty()) {
        return;
    }
    if (left_to_follow_ == 0) {
        for (Software& software : hosts_) {
            if (software.progress != Progress::ended) {
                lose(software, "there are more operations than are followed");
            }
        }
    }
    conclude();
}

// Goes on until the program has to wait.
bool Follower::advance(Software& software) {
    bool has_advanced = false;
    while ((software.progress == Progress::runs || software.progress == Progress::blocked) && found_.empty() &&
           left_to_follow_ > 0) {
        const Op* const op = next(software);
        if (op == nullptr) {
            software.progress = Progress::ended;
            return true;
        }
        software.now.op = op;
        const Step step =
            std::visit([&](const auto& what) { return carry_out(software, what); }, software.now.op->what);
        if (software.progress == Progress::lost) {
            return true;
        }
        software.has_begun = step == Step::blocked;
        software.progress = step == Step::blocked ? Progress::blocked : Progress::runs;
        if (step == Step::blocked) {
            return has_advanced;
        }
        has_advanced = true;
        finish(software);
    }
    return has_advanced;
}

// The operation that the program has reached; at its end a list begins again, or gives way to the one around it.
const Op* Follower::next(Software& software) {
    while (!software.frames.empty()) {
        Frame& frame = software.frames.back();
        if (frame.next < frame.ops->size()) {
            return &(*frame.ops)[frame.next];
        }
        if (--frame.rounds > 0 && !frame.ops->empty()) {
            frame.next = 0;
        } else {
            software.frames.pop_back();
        }
    }
    return nullptr;
}

void Follower::finish(Software& software) {
    --left_to_follow_;
    software.steps.push_back(software.now.when.earliest);
    ++software.now.step;
    software.now.known.learn_steps(software.now.host, software.now.step);
    if (!std::holds_alternative<RepeatOp>(software.now.op->what)) {
        ++software.frames.back().next;
    }
}

void Follower::lose(Software& software, const std::string& why) {
    software.progress = Progress::lost;
    if (software.now.op != nullptr) {
        findings_.leave_out(*software.now.op, why, Doubt::unsure);
    } else {
        findings_.doubt(Doubt::unsure);
    }
}

}  // namespace ndsim::forecast
