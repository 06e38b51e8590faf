// SPDX-License-Identifier: Apache-2.0
#include "scenarios/generators/dma_runner.hpp"

#include <fmt/format.h>

#include <array>

namespace ndsim {

namespace {

// The span that is the latency of each operation.
constexpr std::array<std::string_view, kDmaOperationNames.size()> kLatencies{
    "from issue to the last byte in the NIC", "from issue to visible in host memory",
    "from issue to the last byte in the NIC, or to visible in host memory",
    "from the issue of the write to the last byte of the read in the NIC"};

}  // namespace

DmaRunner::DmaRunner(DmaGenerator& generator, const DmaLoad& load, const Measure& measure)
    : generator_(generator), load_(load), measured_(measure, load.params.count), latency_(measured_.window()) {
    generator.observe(*this);
}

void DmaRunner::transfer_ended(Interval span) {
    if (measured_.is_measuring()) {
        latency_.record(measured_.rate().measured(), span.end - span.start);
    }
    measured_.record(span.end, load_.params.size.count);
}

std::string DmaRunner::where() const {
    return fmt::format("dma {}: {} of {} transfers issued, {} ended on {}", load_.name, generator_.issued(),
                       load_.params.count, generator_.ended(), load_.host);
}

void DmaRunner::report(Metrics& metrics) const {
    const std::string prefix = "dma." + load_.name;
    const RateWindow& rate = measured_.rate();
    metrics.add(prefix + ".transfers", generator_.ended(), std::nullopt, "transfers that have ended");
    metrics.add(prefix + ".bytes", bytes(), Quantity::size, "their payload; what is written and read back counts once");
    metrics.add(prefix + ".measured", rate.measured(), std::nullopt, "transfers in the measured window");
    // Figures that the sample cannot support are left out.
    metrics.add_rate(prefix + ".rate", rate.amount_per_second(), "payload per second");
    metrics.add(prefix + ".transfer_rate", rate.events_per_second(), Quantity::frequency,
                "transfers that end per second");
    measured_.report_trust(metrics, prefix, "transfer rate", measured_.rate().steady());
    latency_.report(metrics, prefix + ".latency", kLatencies.at(static_cast<std::size_t>(load_.params.operation)));
}

}  // namespace ndsim
