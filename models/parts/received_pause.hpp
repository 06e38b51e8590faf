// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "sim/kernel/probe.hpp"
#include "sim/kernel/state_times.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// ReceivedPause: whether pause frames of the peer hold a port, since when, and how long all in all.
class ReceivedPause {
public:
    ReceivedPause(Unit& owner, std::string_view sentence, std::span<const std::string_view> sentences_of_times)
        : owner_(owner), probe_(owner, "paused", sentence), times_(owner, kStates, sentences_of_times) {}

    // From now on; false if it is so already.
    [[nodiscard]] bool set(bool paused) {
        if (paused == paused_) {
            return false;
        }
        paused_ = paused;
        probe_.set(paused, owner_.now());
        times_.enter(paused ? 1 : 0, owner_.now());
        since_ = paused ? owner_.now() : since_;
        return true;
    }
    [[nodiscard]] bool is_paused() const { return paused_; }
    // Of the last pause.
    [[nodiscard]] Picoseconds since() const { return since_; }

private:
    static constexpr std::array<std::string_view, 2> kStates{"free", "paused"};

    Unit& owner_;
    bool paused_ = false;
    Picoseconds since_{};
    Probe<bool> probe_;
    StateTimes times_;
};

}  // namespace ndsim
