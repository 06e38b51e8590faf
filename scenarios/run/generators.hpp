// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "scenarios/generators/dma_runner.hpp"
#include "scenarios/generators/traffic_runner.hpp"
#include "scenarios/result/shared_window.hpp"

namespace ndsim {

// Generators: those of a scenario, for messages and for DMA. They begin together, and have a common window: from when
// the last one is warm until the first one has measured its own window.
class Generators {
public:
    Generators(World& world, const Scenario& scenario, std::span<const std::unique_ptr<HostSide>> sides);

    // Called once when every generator is warm, and whenever one has measured its whole window.
    void on_warm(std::function<void()> callback) { on_warm_ = std::move(callback); }
    void on_measured(std::function<void()> callback) { on_measured_ = std::move(callback); }

    // Run on the host's main core: buffers, and the receives posted ahead. Blocks.
    void set_up(const HostSide& side);
    void start(Picoseconds at);

    [[nodiscard]] bool are_warm() const { return warming_ == 0; }
    // Whether there are any, and all of them have measured their windows.
    [[nodiscard]] bool have_measured() const { return measuring_ == 0 && !(traffic_.empty() && dma_.empty()); }
    [[nodiscard]] bool finished() const;
    // The current actions of those that have not finished.
    [[nodiscard]] std::vector<std::string> waiting() const;
    // Every request still to be posted began then or later, unless that time lies ahead of the present.
    [[nodiscard]] Picoseconds next_begins() const;
    // Messages that have arrived, and DMA transfers that have ended.
    [[nodiscard]] std::uint64_t messages() const;
    void report(Metrics& metrics) const;

private:
    void is_warm();
    void has_measured();
    void note_bytes();
    [[nodiscard]] std::vector<std::uint64_t> bytes_moved() const;

    World& world_;
    const Scenario& scenario_;
    std::vector<std::unique_ptr<TrafficRunner>> traffic_;
    std::vector<std::unique_ptr<DmaRunner>> dma_;
    std::function<void()> on_warm_;
    std::function<void()> on_measured_;
    Picoseconds started_{};
    std::size_t warming_;
    std::size_t measuring_;  // those whose window is not complete
    SharedWindow shared_;
};

}  // namespace ndsim
