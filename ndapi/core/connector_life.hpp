// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>

#include "ndapi/core/cm_terms.hpp"
#include "ndapi/core/connector_state.hpp"
#include "ndapi/core/held_port.hpp"
#include "ndapi/core/held_qp.hpp"
#include "ndapi/core/pending_call.hpp"

namespace ndsim::core {

// ConnectorLife: the way of a connector from idle to its end, with what it has on the way: the messages of both ends,
// its queue pair, its local port, and the call under way. Each step is a wish of the consumer, which must be allowed in
// this state, or an event from the peer or the queue pair. All events come on the callback core.
class ConnectorLife {
public:
    using State = ConnectorState;
    using Done = PendingCall::Done;
    using Event = std::function<void()>;

    ConnectorLife(Connector& connector, Driver& driver);

    [[nodiscard]] State state() const { return state_; }
    [[nodiscard]] bool call_under_way() const { return call_.under_way(); }
    [[nodiscard]] CmTerms& terms() { return terms_; }
    [[nodiscard]] const CmTerms& terms() const { return terms_; }
    [[nodiscard]] HeldPort& port() { return port_; }
    [[nodiscard]] Qp* qp() const { return qp_.get(); }
    // A disconnect of the peer flushes the queue pair [R98], and the close of one's own is reported, too [R97, R102].
    void end_as_in_ndspi() { ends_as_in_ndspi_ = true; }

    // The active side asks the peer at the addresses of terms().
    void connect(Qp& qp, std::span<const std::byte> data, Done done);
    // The peer has accepted.
    void accepted(const CmMessage& reply);
    void complete(Event disconnected, Done done);
    // The passive side is asked, and accepts the request of the peer.
    void requested() { state_ = State::requested; }
    void accept(Qp& qp, const CmMessage& request, std::span<const std::byte> data, Event disconnected, Done done);
    // The peer has completed its connect.
    void completed();

    void reject(std::span<const std::byte> data);
    void disconnect(Done done);
    // The peer has refused, or there will be no connection for another reason, or no longer.
    void peer_gave_up(WcStatus why, NTSTATUS outcome = STATUS_CONNECTION_ABORTED);
    void peer_disconnected();
    void qp_failed(WcStatus why, NTSTATUS outcome);
    void qp_closing();
    void close();

private:
    void send(CmKind kind, std::span<const std::byte> data = {});
    void connect_fails(NTSTATUS status);
    void accept_fails(NTSTATUS status);
    void established();
    [[nodiscard]] bool connects_still() const;
    [[nodiscard]] bool flushes_when_peer_leaves() const;
    void end_in_order();
    void lost(WcStatus why);
    void leave(NTSTATUS outcome);
    void over(State how);
    void tell_consumer();

    Connector& connector_;
    Driver& driver_;
    CmTerms terms_;
    HeldQp qp_;
    PendingCall call_;
    HeldPort port_;
    State state_ = State::idle;
    bool given_up_ = false;  // by the peer, which had accepted, while the connect is still under way
    bool peer_left_ = false;
    bool ends_as_in_ndspi_ = false;
    Event disconnected_;
};

}  // namespace ndsim::core
