// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/reference/outcomes.hpp"

namespace ndsim::reference {

// Completions: those of an epoch in their queues: whether they fit, and what is polled. A queue that has overrun is
// dead from the next epoch on.
class Completions {
public:
    Completions(Scene& scene, const Outcomes& outcomes);

    // An epoch begins.
    void begin();
    [[nodiscard]] std::uint32_t depth(std::size_t side, const std::string& name) const;
    void resize(std::size_t side, const std::string& name, std::uint32_t depth) { depths_[side][name] = depth; }
    [[nodiscard]] bool is_dead(std::size_t side, const std::string& name) const { return dead_[side].contains(name); }
    [[nodiscard]] bool has_overrun(std::size_t side, const std::string& name) const {
        return overrun_[side].contains(name);
    }
    [[nodiscard]] bool has_overrun(std::size_t side) const { return !overrun_[side].empty(); }
    // One is polled within the epoch.
    void poll(std::size_t side, const std::string& name) { ++polled_[side][name]; }
    [[nodiscard]] std::uint32_t polled(std::size_t side, const std::string& name) const;

    // Whether a request leaves a completion in this queue.
    [[nodiscard]] bool completes_in(const Request& request, std::size_t side, const std::string& name) const;
    // Completions by queue.
    [[nodiscard]] std::map<std::string, std::uint32_t> count(std::size_t side) const;
    // Breaks the connections of queues that overrun. True if there is a new one.
    [[nodiscard]] bool find_overruns();
    // The epoch ends: what is polled, and which completions are lost or in doubt.
    void conclude(std::size_t epoch, std::array<Polls, kSides>& polls);

    [[nodiscard]] std::array<std::uint32_t, kSides> totals() const { return totals_; }
    [[nodiscard]] std::array<bool, kSides> overruns() const { return overruns_; }

private:
    void conclude(std::size_t ending, std::size_t epoch);
    [[nodiscard]] bool is_doubtful(std::size_t ending, std::size_t epoch) const;
    [[nodiscard]] bool may_be_refused(const Request& request, std::size_t epoch) const;

    Scene& scene_;
    const Outcomes& outcomes_;
    std::array<std::map<std::string, std::uint32_t>, kSides> depths_;  // others are ample
    std::array<std::set<std::string>, kSides> dead_;
    std::array<std::set<std::string>, kSides> overrun_;                // in this epoch
    std::array<std::map<std::string, std::uint32_t>, kSides> polled_;  // within the epoch
    std::array<std::uint32_t, kSides> totals_{};
    std::array<bool, kSides> overruns_{};
};

}  // namespace ndsim::reference
