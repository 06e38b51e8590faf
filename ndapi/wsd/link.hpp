// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "ndapi/core/connector.hpp"
#include "ndapi/wsd/setting.hpp"
#include "ndapi/wsd/turn.hpp"

namespace ndsim::wsd {

// Link: the NIC's objects of one connection: a queue pair, a completion queue for both directions, a connector. It is
// made for one attempt to connect and lives as long as its socket.
class Link {
public:
    // Functions of the socket that the link calls.
    struct Events {
        std::function<void(const core::Completion&)> completed;
        std::function<bool()> needs_interrupts;
        std::function<void()> down;  // the connection has ended without this side's doing
    };
    using Done = std::function<void(NTSTATUS)>;

    // The passive side already has its connector.
    Link(Setting& setting, core::Pd& pd, Events events, std::unique_ptr<core::Connector> asked = nullptr);

    // Active side; does not block.
    void connect(core::SharedEndpoint& local, const core::Endpoint& peer, Done done);
    // Passive side; blocks until the peer has joined.
    [[nodiscard]] NTSTATUS accept();
    // Answers a peer that has ended the connection.
    void disconnect();
    // Takes everything down in the background. `quiet` is called once, when the queue pair has nothing under way and
    // all its completions have been reported.
    void leave(std::function<void()> quiet);
    [[nodiscard]] bool is_leaving() const { return leaving_; }

    // Polls for completions, and reports them.
    void drain();
    // Lets the next completion interrupt.
    void arm();

    [[nodiscard]] core::Qp& qp() { return *qp_; }
    // The number of its queue pair, which may be closed; none before it is created.
    [[nodiscard]] std::optional<QpNum> number() const;
    [[nodiscard]] core::Connector& connector() { return *connector_; }
    [[nodiscard]] std::uint32_t inline_bytes() const { return inline_bytes_; }
    [[nodiscard]] std::uint32_t receive_sges() const { return receive_sges_; }

private:
    void prepare(std::function<void()> prepared);
    void create_qp(std::function<void()> prepared);
    void answered(NTSTATUS status, const Done& done);
    void interrupted();
    void take_down();
    void went_quiet();

    Setting& setting_;
    core::Pd& pd_;
    const Events events_;
    const std::uint32_t inline_bytes_;
    const std::uint32_t receive_sges_;
    std::unique_ptr<core::Connector> connector_;
    std::unique_ptr<core::Cq> cq_;
    std::unique_ptr<core::Qp> qp_;
    Turn turn_;
    bool preparing_ = false;
    bool leaving_ = false;
    bool armed_ = false;
    std::function<void()> quiet_;
};

}  // namespace ndsim::wsd
