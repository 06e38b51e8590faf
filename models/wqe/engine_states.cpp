// SPDX-License-Identifier: Apache-2.0
#include "models/wqe/engine.hpp"

// What the work-queue engine does, or waits for.
namespace ndsim {

namespace {

// With nothing to issue it may still work at the message started last, for as long as the NIC's message rate says; and
// who waits for that rate waits for its work.
constexpr std::size_t kWorks = kStallNames.size();
constexpr auto kWqeEngineStates = [] {
    std::array<EngineState, kWorks + 1> states;
    for (std::size_t i = 0; i < kWorks; ++i) {
        states.at(i) = {kStallNames.at(i), kStallSentences.at(i)};
    }
    states.at(static_cast<std::size_t>(Stall::none)) = {EngineState::kIdle, kStallSentences[0], kStallNames[0]};
    states.at(kWorks) = {EngineState::kBusy, kStallSentences[0], kStallNames[0]};
    EngineState& rate = states.at(static_cast<std::size_t>(Stall::nic_rate));
    rate = {EngineState::kBusy, rate.sentence, rate.what};
    return states;
}();

}  // namespace

std::span<const EngineState> WqeEngine::states() {
    return kWqeEngineStates;
}

void WqeEngine::show(Stall stall) {
    state_.set(stall, now());
    if (stall == Stall::none && nic_rate_.free_at() > now()) {
        times_.enter(kWorks, now());
        times_.enter(static_cast<std::size_t>(stall), nic_rate_.free_at());
    } else {
        times_.enter(static_cast<std::size_t>(stall), now());
    }
}

// Nobody who has a WQE is held up by a shared resource: some have none for want of room, or it is what the queue pairs
// themselves wait for. Their message rate comes last: it holds each for a known time, and only if nothing else does,
// that is all they wait for.
Stall WqeEngine::own_stall() const {
    if (starved_ > 0) {
        return Stall::wqe_cache;
    }
    for (std::size_t i = 0; i < held_.size() && held_in_all_ > 0; ++i) {
        if (held_[i] > 0) {
            return static_cast<Stall>(i);
        }
    }
    if (!paced_.empty()) {
        return Stall::qp_rate;
    }
    return reader_.reads_under_way() > 0 ? Stall::wqe_fetch : Stall::none;
}

}  // namespace ndsim
