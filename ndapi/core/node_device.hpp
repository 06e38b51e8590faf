// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/nic/node.hpp"
#include "ndapi/core/device.hpp"

namespace ndsim::core {

// NodeDevice: the simulated NIC and host, as the driver's device.
class NodeDevice final : public Device {
public:
    explicit NodeDevice(Node& node) : node_(node) {}

    [[nodiscard]] HostId host() const override { return node_.host; }
    [[nodiscard]] const NodeParams& params() const override { return node_.params; }
    [[nodiscard]] Timeline& timeline() override { return node_.timeline; }
    [[nodiscard]] HostMemory& memory() override { return node_.memory; }
    [[nodiscard]] InterruptController& interrupts() override { return node_.interrupts; }
    [[nodiscard]] ControlPort& control() override;
    void store(const Mmio& mmio, Core& core) override { node_.store(mmio, core); }
    [[nodiscard]] PayloadRef push_buffer(std::span<const std::byte> wqe) override;
    [[nodiscard]] WindowKey state_of(MrKey window) const override;
    void report_to(HostEvents& events) override;
    [[nodiscard]] Traffic received() const override;
    [[nodiscard]] Traffic sent() const override;

private:
    Node& node_;
};

}  // namespace ndsim::core
