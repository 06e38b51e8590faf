// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "ndapi/core/cm_ends.hpp"
#include "ndapi/core/connector_life.hpp"

namespace ndsim::core {

// Connector: one end of a connection. The active side connects, then completes; the passive side, made by a listener,
// accepts or rejects. A connector serves one connection; a failed connect may be tried again.
class Connector final : public Object, public CmConnection {
public:
    using Done = ConnectorLife::Done;
    using Event = ConnectorLife::Event;

    explicit Connector(Driver& driver);

    void end_as_in_ndspi() { life_.end_as_in_ndspi(); }
    // The interface wants senders to wait for receives as long as it takes, whatever the adapter's setting. Call before
    // the first message to the peer.
    void wait_for_receives() { life_.terms().wait_for_receives(); }

    NTSTATUS connect(Qp& qp, Endpoint local, Endpoint peer, ReadLimits limits, std::span<const std::byte> data,
                     Done done);
    NTSTATUS connect(Qp& qp, SharedEndpoint& local, Endpoint peer, ReadLimits limits, std::span<const std::byte> data,
                     Done done);
    NTSTATUS complete_connect(Event disconnected, Done done);
    NTSTATUS accept(Qp& qp, ReadLimits limits, std::span<const std::byte> data, Event disconnected, Done done);
    NTSTATUS reject(std::span<const std::byte> data);
    // A rendezvous: done when the peer has disconnected too, or the connection has died, or the wait timed out; and
    // when the queue pair has nothing under way any more [K151, K152].
    NTSTATUS disconnect(Done done);

    [[nodiscard]] Endpoint local() const { return life_.terms().local(); }
    [[nodiscard]] Endpoint peer() const override { return life_.terms().peer(); }
    [[nodiscard]] ReadLimits limits() const { return life_.terms().limits(); }
    [[nodiscard]] std::span<const std::byte> peer_data() const { return life_.terms().peer_data(); }
    // Bytes of private data in this connection's message, whatever the peer sent.
    [[nodiscard]] std::uint32_t peer_data_size() const { return passive_ && !refused_ ? kCallerData : kCalleeData; }
    // Bytes of it that the peer sent.
    [[nodiscard]] std::uint32_t peer_data_sent() const { return life_.terms().peer_data_sent(); }
    // Whether the peer has refused explicitly.
    [[nodiscard]] bool refused() const { return refused_; }
    // Whether the peer's host refused, since nothing listens there.
    [[nodiscard]] bool nobody_listened() const { return nobody_listened_; }
    // Whether the peer has given up before there was a connection.
    [[nodiscard]] bool given_up() const { return state() == State::aborted; }
    // Whether the peer's software has ended the connection, in order or not. Otherwise it was a failure.
    [[nodiscard]] bool peer_ended() const { return peer_ended_; }
    [[nodiscard]] Driver& driver() { return driver_; }

    static constexpr std::uint32_t kCallerData = 56;
    static constexpr std::uint32_t kCalleeData = 196;
    static constexpr std::uint32_t kMaxReads = 16;  // the adapter's limit, each way

    // For the connection manager.
    void handle(const CmMessage& message) override;
    void requested(const CmMessage& request, Object& listener);
    [[nodiscard]] std::uint32_t id() const { return life_.terms().id(); }
    [[nodiscard]] std::uint32_t peer_id() const override { return life_.terms().peer_id(); }
    [[nodiscard]] bool joins(const Endpoint& local, const Endpoint& peer) const override;

    // For the queue pair: it has failed, or is being closed.
    void qp_failed(WcStatus why) { life_.qp_failed(why, STATUS_CONNECTION_ABORTED); }
    void qp_closing() { life_.qp_closing(); }

private:
    using State = ConnectorState;

    void begin_close() override { life_.close(); }
    void end_close() override;
    [[nodiscard]] std::vector<Object*> antecedents() override;

    [[nodiscard]] State state() const { return life_.state(); }
    [[nodiscard]] NTSTATUS usable(const Qp& qp) const;
    [[nodiscard]] NTSTATUS may_connect(const Qp& qp, Endpoint local, Endpoint peer,
                                       std::span<const std::byte> data) const;
    void request(Qp& qp, Endpoint local, Endpoint peer, ReadLimits limits, std::span<const std::byte> data, Done done);
    void reply_came(const CmMessage& reply);

    Driver& driver_;
    ConnectorLife life_;
    bool passive_ = false;
    std::unique_ptr<const CmMessage> request_;  // on the passive side, until it is accepted
    Object* listener_ = nullptr;
    bool refused_ = false;
    bool nobody_listened_ = false;
    bool peer_ended_ = false;
};

}  // namespace ndsim::core
