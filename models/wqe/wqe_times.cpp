// SPDX-License-Identifier: Apache-2.0
#include "models/wqe/wqe_times.hpp"

#include <array>

namespace ndsim {

namespace {

// With nothing to issue the engine may still work on the last message, for as long as the NIC's message rate says. A
// wait for that rate is a wait for this work.
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

WqeTimes::WqeTimes(Unit& owner)
    : state_(owner, "state", "what the engine waits for", kStallNames), times_(owner, {}, kWqeEngineStates) {}

void WqeTimes::show(Stall stall, Picoseconds now, const MessageStarts& starts) {
    state_.set(stall, now);
    if (stall == Stall::none && starts.nic_free_at() > now) {
        times_.enter(kWorks, now);
        times_.enter(static_cast<std::size_t>(stall), starts.nic_free_at());
    } else {
        times_.enter(static_cast<std::size_t>(stall), now);
    }
}

}  // namespace ndsim
