// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "models/host/core.hpp"
#include "models/host/host_memory.hpp"
#include "models/host/interrupt_controller.hpp"
#include "models/nic/nic_params.hpp"
#include "models/ports/control.hpp"

namespace ndsim::core {

// Device: a NIC and the memory of its host, as a driver reaches them. Nothing else crosses the line between the
// interfaces and the hardware: stores to the BAR, commands, memory, interrupts, and the events that the NIC reports.
class Device {
public:
    Device() = default;
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;
    virtual ~Device() = default;

    [[nodiscard]] virtual HostId host() const = 0;
    [[nodiscard]] virtual const NodeParams& params() const = 0;
    [[nodiscard]] virtual Timeline& timeline() = 0;
    [[nodiscard]] virtual HostMemory& memory() = 0;
    [[nodiscard]] virtual InterruptController& interrupts() = 0;
    [[nodiscard]] virtual ControlPort& control() = 0;
    // A store of a core to the NIC's BAR, at the core's clock. A pushed WQE goes along in its push_buffer().
    virtual void store(const Mmio& mmio, Core& core) = 0;
    [[nodiscard]] virtual PayloadRef push_buffer(std::span<const std::byte> wqe) = 0;
    // What the NIC knows of a window's key. It checks it in the command that ends a region, so the question takes no
    // time of its own.
    [[nodiscard]] virtual WindowKey state_of(MrKey window) const = 0;
    // Before the simulation starts: where the NIC's events go.
    virtual void report_to(HostEvents& events) = 0;

    // Frames and octets, layer 2 included [K210].
    struct Traffic {
        std::uint64_t frames = 0;
        std::uint64_t octets = 0;
    };
    [[nodiscard]] virtual Traffic received() const = 0;
    [[nodiscard]] virtual Traffic sent() const = 0;
};

}  // namespace ndsim::core
