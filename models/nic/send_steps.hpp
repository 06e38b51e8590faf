// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "sim/kernel/pool_facts.hpp"

namespace ndsim {

// Where a viewer shows a step of a Send's life.
enum class ShownAs : std::uint8_t {
    none,
    wave,              // among the waveform's first signals
    track,             // a track of the timeline
    wave_and_track,    // both
    wave_and_counter,  // wave, and a counter of the timeline
    counter,
};

// SendStep: a pool, a probe, pieces of work or a lane that a Send passes.
struct SendStep {
    static constexpr std::string_view kNetwork = "network";  // the unit that stands for switches and cables
    static constexpr std::string_view kCores = "cpu";        // for every core

    constexpr SendStep(std::string_view of, const PoolFacts& facts, ShownAs as = ShownAs::none)
        : unit(of), name(facts.name), pool(&facts), shown(as) {}
    constexpr SendStep(std::string_view of, std::string_view what = {}, ShownAs as = ShownAs::none)
        : unit(of), name(what), shown(as) {}

    [[nodiscard]] constexpr bool is_wave() const {
        return shown == ShownAs::wave || shown == ShownAs::wave_and_track || shown == ShownAs::wave_and_counter;
    }
    [[nodiscard]] constexpr bool is_track() const {
        return shown == ShownAs::track || shown == ShownAs::wave_and_track;
    }
    [[nodiscard]] constexpr bool is_counter() const {
        return shown == ShownAs::counter || shown == ShownAs::wave_and_counter;
    }

    std::string_view unit;  // within its host, "nic.tx"
    std::string_view name;  // of the pool or probe; empty: the port's lane
    const PoolFacts* pool = nullptr;
    ShownAs shown;
};

// The steps of a Send's life in two hosts, from the core that posts it to the completion at its receiver. Waveforms and
// timelines show the steps in this order; among limits that count about equally, the later step goes first.
[[nodiscard]] std::span<const SendStep> send_steps();

}  // namespace ndsim
