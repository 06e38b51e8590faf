// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "ndapi/core/endpoint.hpp"
#include "ndapi/core/qp.hpp"

namespace ndsim::core {

class Listener;

// Connector: one end of a connection. Active side: connect, then complete; passive side, made by a listener: accept
// or reject. It is usable once; a refused connect may be tried again.
class Connector final : public Object {
public:
    using Done = std::function<void(NTSTATUS)>;

    explicit Connector(Driver& driver);

    NTSTATUS connect(Qp& qp, Endpoint local, Endpoint peer, ReadLimits limits, std::span<const std::byte> data,
                     Done done);
    NTSTATUS complete_connect(std::function<void()> disconnected, Done done);
    NTSTATUS accept(Qp& qp, ReadLimits limits, std::span<const std::byte> data, std::function<void()> disconnected,
                    Done done);
    NTSTATUS reject(std::span<const std::byte> data);
    // A rendezvous: done when the peer has disconnected, too, or the connection has died.
    NTSTATUS disconnect(Done done);

    [[nodiscard]] Endpoint local() const { return local_; }
    [[nodiscard]] Endpoint peer() const { return peer_; }
    [[nodiscard]] ReadLimits limits() const { return limits_; }
    [[nodiscard]] std::span<const std::byte> peer_data() const { return peer_data_; }
    // Bytes of private data that this connection's message carries, whatever the peer sent of it.
    [[nodiscard]] std::uint32_t peer_data_size() const { return passive_ ? kCallerData : kCalleeData; }
    [[nodiscard]] Driver& driver() { return driver_; }

    static constexpr std::uint32_t kCallerData = 56;
    static constexpr std::uint32_t kCalleeData = 196;

    // The connection manager's side.
    void handle(const CmMessage& message);
    void requested(const CmMessage& request, Listener& listener);
    void qp_failed();
    [[nodiscard]] std::uint32_t id() const { return id_; }

private:
    enum class State : std::uint8_t {
        idle,
        connecting,
        accepted,
        accepting,
        requested,
        connected,
        disconnecting,
        dead
    };

    void begin_close() override;
    void end_close() override;
    [[nodiscard]] std::vector<Object*> antecedents() override;
    [[nodiscard]] CmMessage message(CmKind kind, std::span<const std::byte> data = {}) const;
    void take_data(const CmMessage& message);
    void join_qp(const CmMessage& message, std::function<void()> joined);
    void attach(Qp& qp);
    void detach();
    void lost();
    void dies(NTSTATUS outcome, Qp::State left = Qp::State::disconnected);
    void finish(NTSTATUS outcome);
    [[nodiscard]] static ReadLimits effective(ReadLimits ours, const CmMessage& theirs);

    Driver& driver_;
    const std::uint32_t id_;
    std::uint32_t peer_id_ = 0;
    bool passive_ = false;
    bool peer_left_ = false;
    State state_ = State::idle;
    Endpoint local_;
    Endpoint peer_;
    ReadLimits limits_;
    CmMessage request_;  // of the passive side
    std::vector<std::byte> peer_data_;
    Qp* qp_ = nullptr;
    Listener* listener_ = nullptr;
    Done done_;
    std::function<void()> disconnected_;
};

}  // namespace ndsim::core
