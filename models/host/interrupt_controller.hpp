// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "models/host/cpu_params.hpp"
#include "models/ports/memory.hpp"
#include "sim/base/resting_numbers.hpp"
#include "sim/kernel/lane.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// InterruptController: takes MSI-X messages and calls the vectors' handlers in order, after the time that the host
// needs to reach the first instruction of a handler.
class InterruptController final : public Unit, public InterruptPort {
public:
    sc_core::sc_export<InterruptPort> port{"port"};

    InterruptController(const sc_core::sc_module_name& name, Timeline& timeline, const CpuParams& params);

    // The handler is called with the time at which its first instruction runs.
    [[nodiscard]] std::uint32_t allocate_vector(std::function<void(Picoseconds)> handler);
    // Interrupts on their way may still call its handler.
    void free_vector(std::uint32_t vector) { vectors_.give(vector); }
    void interrupt(std::uint32_t vector, Picoseconds at) override { pending_.push(at + delay_, vector); }
    void report(StatSink& sink) const override { sink.add("taken", taken_, StatUnit::count, "interrupts taken"); }

private:
    void handle(const std::uint32_t& vector);  // Lane: the handler starts

    const Picoseconds delay_;
    RestingNumbers vectors_;
    std::vector<std::function<void(Picoseconds)>> handlers_;
    Lane<std::uint32_t, &InterruptController::handle> pending_;
    std::uint64_t taken_ = 0;
};

}  // namespace ndsim
