// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "models/ledger/ledger.hpp"
#include "models/switch/switch_port.hpp"
#include "sim/base/payload_pool.hpp"
#include "sim/kernel/agenda.hpp"

namespace ndsim {

// Switch: forwards packets between its ports by their destination host. Each port has an output queue; all queues share
// one buffer. Packets that reach a queue in the same picosecond take turns by their ports of entry. There is no
// congestion control: no marks, no credits.
class Switch final : public Unit {
public:
    static constexpr PoolFacts kBufferPool{"buffer", "bytes waiting in the switch, or on a lane out of it",
                                           PoolUnit::bytes, "switch.buffer", WhenFull::limit};

    // Ports by their names.
    Switch(const sc_core::sc_module_name& name, Timeline& timeline, const SwitchParams& params,
           std::span<const std::string> ports, Ledgers& ledgers, PayloadPool& payloads);

    [[nodiscard]] SwitchPort& port(std::size_t index) { return *ports_.at(index); }
    // Packets to this host leave by that port.
    void add_way(HostId to, std::size_t port);

    void check_idle() const override;

    // For the ports. The packet that entered at `from` is through the pipeline at `due`.
    void forward(const Packet& packet, SwitchPort& from, Picoseconds due);
    [[nodiscard]] SwitchPort& way_to(HostId to);
    [[nodiscard]] Pool& buffer() { return buffer_; }
    [[nodiscard]] Ledgers& ledgers() { return ledgers_; }
    [[nodiscard]] PayloadPool& payloads() { return payloads_; }

private:
    // A packet on its way through the pipeline.
    struct Passage {
        Picoseconds due{};
        Packet packet;
        SwitchPort* from = nullptr;
        SwitchPort* to = nullptr;
    };
    void come_out(const int& nothing);  // Agenda: a packet is through the pipeline
    [[nodiscard]] std::size_t turn(const Passage& passage) const;

    Ledgers& ledgers_;
    PayloadPool& payloads_;
    Pool buffer_;
    std::vector<std::unique_ptr<SwitchPort>> ports_;
    std::vector<SwitchPort*> ways_;  // by the host's index
    Ring<Passage> pipeline_;         // by the time at which they are through
    std::vector<Passage> at_once_;   // packets of one picosecond
    Agenda<int, &Switch::come_out> outs_;
};

}  // namespace ndsim
