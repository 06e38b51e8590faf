// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ndapi/core/cm_message.hpp"
#include "ndapi/core/endpoint.hpp"
#include "ndapi/core/qp.hpp"

namespace ndsim::core {

// CmTerms: the messages of one end of a connection. It writes its own end's from the adapter's parameters and the
// queue pair, keeps what the peer's messages say, and works out what both ends agree on.
class CmTerms {
public:
    explicit CmTerms(Driver& driver) : driver_(driver) {}

    // The interface wants senders to wait for receives as long as it takes, whatever the adapter's setting.
    void wait_for_receives() { waits_for_receives_ = true; }
    // A new attempt of the connection with this number: nothing is known of the peer but its address.
    void begin(std::uint32_t id, Endpoint local, Endpoint peer, ReadLimits limits);

    [[nodiscard]] std::uint32_t id() const { return id_; }
    [[nodiscard]] std::uint32_t peer_id() const { return peer_id_; }
    [[nodiscard]] Endpoint local() const { return local_; }
    [[nodiscard]] Endpoint peer() const { return peer_; }
    // At first this end's limits, later those that both ends have agreed on.
    [[nodiscard]] ReadLimits limits() const { return limits_; }
    void limit(ReadLimits limits);
    [[nodiscard]] std::span<const std::byte> peer_data() const { return peer_data_; }
    [[nodiscard]] std::uint32_t peer_data_sent() const { return peer_data_sent_; }

    // `qp` may be null: then no queue pair is attached yet.
    [[nodiscard]] CmMessage message(CmKind kind, const Qp* qp, std::span<const std::byte> data = {}) const;
    // The peer's request or reply.
    void take(const CmMessage& message, std::uint32_t data_size);
    // The private data of a message of the peer.
    void take_private_data(const CmMessage& message, std::uint32_t data_size);
    // How the NIC connects the queue pair to that of the peer, who sent `theirs`.
    [[nodiscard]] QpConnection connection(const Qp& qp, const CmMessage& theirs) const;

private:
    [[nodiscard]] bool uses_credits(const Qp* qp) const;

    Driver& driver_;
    std::uint32_t id_ = 0;
    std::uint32_t peer_id_ = 0;
    Endpoint local_;
    Endpoint peer_;
    ReadLimits limits_;
    std::vector<std::byte> peer_data_;
    std::uint32_t peer_data_sent_ = 0;
    bool waits_for_receives_ = false;
};

}  // namespace ndsim::core
