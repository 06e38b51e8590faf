// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/node_device.hpp"

#include <cstring>

#include "models/nic/nic.hpp"
#include "sim/base/payload_pool.hpp"

namespace ndsim::core {

namespace {

// Preamble and gap belong to layer 1.
template <class Port>
Device::Traffic octets_of(const Port& port) {
    constexpr std::uint64_t kLayer1 = 20;
    return {port.packets(), port.bytes() - port.packets() * kLayer1};
}

}  // namespace

ControlPort& NodeDevice::control() {
    return node_.nic->control;
}

PayloadRef NodeDevice::push_buffer(std::span<const std::byte> wqe) {
    const PayloadRef buffer = node_.payloads.take();
    std::memcpy(node_.payloads.data(buffer), wqe.data(), wqe.size());
    return buffer;
}

WindowKey NodeDevice::state_of(MrKey window) const {
    return node_.nic->protection.state_of(window);
}

void NodeDevice::report_to(HostEvents& events) {
    node_.nic->control.host.bind(events);
}

Device::Traffic NodeDevice::received() const {
    return octets_of(node_.nic->rx);
}

Device::Traffic NodeDevice::sent() const {
    return octets_of(node_.nic->tx);
}

}  // namespace ndsim::core
