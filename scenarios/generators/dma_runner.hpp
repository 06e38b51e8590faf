// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "models/dma/dma_generator.hpp"
#include "scenarios/measure/measured_latency.hpp"
#include "scenarios/measure/measured_rate.hpp"
#include "scenarios/measure/metrics.hpp"

namespace ndsim {

// DmaRunner: starts a DMA generator of a host, and measures its transfers.
class DmaRunner final : public TransferObserver {
public:
    DmaRunner(DmaGenerator& generator, const DmaLoad& load, const Measure& measure);

    void start(Picoseconds at) {
        measured_.begin(at);
        generator_.start(at);
    }
    // Called once when the warm-up is over, and once when the window is complete.
    void on_warm(std::function<void()> callback) { measured_.on_warm(std::move(callback)); }
    void on_complete(std::function<void()> callback) { measured_.on_complete(std::move(callback)); }

    [[nodiscard]] bool finished() const { return generator_.ended() == load_.params.count; }
    [[nodiscard]] std::uint64_t completed() const { return generator_.ended(); }
    [[nodiscard]] std::uint64_t bytes() const { return generator_.ended() * load_.params.size.count; }
    [[nodiscard]] std::string where() const;
    void report(Metrics& metrics) const;

    void transfer_ended(Interval span) override;

private:
    DmaGenerator& generator_;
    const DmaLoad& load_;
    MeasuredRate measured_;
    MeasuredLatency latency_;
};

}  // namespace ndsim
