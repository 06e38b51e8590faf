// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ndapi/core/connector.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/device_double.hpp"

namespace ndsim::test {

// A host that connects to another one's listener from 1 us on, and the answers that come back.
struct Connecting : DriverBench {
    using CmKind = core::CmKind;
    using CmMessage = core::CmMessage;
    using Notes = std::vector<QueuePair::Note>;
    static constexpr core::Endpoint kPeer{kPeerIp, 4000};

    // It waits 10 us for an answer.
    static NodeParams impatient() {
        NodeParams params = driver_params();
        params.nic.control.connect_timeout = 10us;
        return params;
    }

    explicit Connecting(const NodeParams& params = impatient()) : DriverBench(params) {}

    NTSTATUS connect(core::Endpoint peer = kPeer, core::ReadLimits limits = {4, 4},
                     std::span<const std::byte> data = {}) {
        return connector.connect(pair.qp, {0, 0}, peer, limits, data, [this](NTSTATUS status) { note(status); });
    }
    NTSTATUS complete() {
        return connector.complete_connect([this] { disconnects.push_back(callback_core.clock()); },
                                          [this](NTSTATUS status) { note(status); });
    }
    void note(NTSTATUS status) { notes.push_back({callback_core.clock(), status}); }
    // The peer's message to the connection that the first request, or this one, was for.
    [[nodiscard]] CmMessage from_peer(CmKind kind, std::size_t request = 0) {
        const CmMessage asked = device.messages().at(request).what;
        CmMessage message;
        message.kind = kind;
        message.local_id = 77;
        message.remote_id = asked.local_id;
        message.source_ip = kPeerIp;
        message.destination_ip = kIp;
        message.source_port = asked.destination_port;
        message.destination_port = asked.source_port;
        message.qp = QpNum{0x99};
        message.psn = 1234;
        message.mtu = 1024;
        message.inbound_reads = 2;
        message.outbound_reads = 8;
        message.rnr_retry = 3;
        return message;
    }
    // Once the request has been sent.
    void answer(Picoseconds when, CmKind kind) {
        at(when, [this, when, kind] { device.datagram(when, from_peer(kind)); });
    }

    // The NIC answers commands from `from` on only at `until`, and 100 ns later they are done.
    void hold_answers(Picoseconds from, Picoseconds until) {
        at(from, [this] { device.holds_answers = true; });
        at(until, [this] { device.answer_all(); });
    }

    QueuePair pair{*this};
    core::Connector connector{driver};
    Notes notes;  // the ends of its calls
    std::vector<Picoseconds> disconnects;
};

}  // namespace ndsim::test
