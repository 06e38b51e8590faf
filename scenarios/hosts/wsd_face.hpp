// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ndapi/sockets/wsd_switch.hpp"
#include "ndapi/wsd/provider.hpp"
#include "scenarios/hosts/host_side.hpp"

namespace ndsim {

// WsdFace: a host whose programs use sockets, which the switch carries over Winsock Direct. A queue pair of the
// scenario is a connected socket here, a stream of bytes each way; a send and a receive block until they are done.
class WsdFace final : public Face {
public:
    explicit WsdFace(HostSide& side) : process_(side.new_process()) {}

    NTSTATUS open() override;
    NTSTATUS add_buffer(const std::string& name, HostBuffer& buffer) override;
    NTSTATUS add_cq(const std::string&, std::uint32_t) override { return STATUS_SUCCESS; }  // sockets have their own
    NTSTATUS add_qp(const QueuePair&) override { return STATUS_SUCCESS; }  // its socket comes with its connection

    NTSTATUS connect(const QueuePair& qp, const sockaddr_in& peer) override;
    NTSTATUS listen(const QueuePair& qp, USHORT port) override;
    NTSTATUS accept(const QueuePair& qp) override { return keep(qp, switch_->accept(ports_.at(qp.name))); }
    void stop_listening(const QueuePair& qp) override;
    NTSTATUS disconnect(const QueuePair& qp) override;
    void wait_for_disconnect(const QueuePair&) override {}
    void flush(const QueuePair&) override {}

    Posted post(const PostOp& op) override;
    std::uint32_t poll(const std::string&, std::uint32_t most) override { return most; }
    void arm(const std::string&, ArmFor) override {}
    void wait_for_cq(const std::string&) override {}
    void wait_for_srq(const std::string&) override {}

    // None before its socket has connected for the first time.
    [[nodiscard]] std::optional<QpNum> number_of(const std::string& qp) const override;
    [[nodiscard]] std::uint64_t cq_failures() const override { return 0; }

private:
    [[nodiscard]] NTSTATUS keep(const QueuePair& qp, WsdSwitch::Connected connected);
    [[nodiscard]] Posted send(WsdStream& stream, const std::vector<Piece>& pieces) const;
    [[nodiscard]] Posted receive(WsdStream& stream, const std::vector<Piece>& pieces) const;

    os::Process& process_;
    wsd::Provider* provider_ = nullptr;
    std::unique_ptr<WsdSwitch> switch_;
    std::map<std::string, std::byte*> buffers_;
    std::map<std::string, USHORT> ports_;  // it listens on these, by queue pair
    std::map<std::string, std::unique_ptr<WsdStream>> streams_;
    std::map<std::string, QpNum> numbers_;  // of their last connections
};

}  // namespace ndsim
