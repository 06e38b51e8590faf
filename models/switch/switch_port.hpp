// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "models/parts/pause_sender.hpp"
#include "models/parts/received_pause.hpp"
#include "models/ports/lane.hpp"
#include "models/switch/switch_params.hpp"
#include "sim/base/ring.hpp"
#include "sim/kernel/alarm.hpp"
#include "sim/kernel/lane.hpp"
#include "sim/kernel/pool.hpp"
#include "sim/kernel/request_probe.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

class Switch;

// SwitchPort: one port of a switch. Packets that enter here go through the switch into the queue of the port to their
// host, or are dropped if that queue has no room. The queue is served in order of arrival.
class SwitchPort final : public Unit, public PacketSink, public PausePort {
public:
    static constexpr PoolFacts kQueuePool{"queue", "bytes waiting at this port, or on the lane", PoolUnit::bytes,
                                          "switch.port_buffer", WhenFull::limit};
    // The same without a limit of its own.
    static constexpr PoolFacts kWholeQueuePool{kQueuePool.name, kQueuePool.sentence, PoolUnit::bytes, "switch.buffer",
                                               WhenFull::limit};
    static constexpr PoolFacts kInputPool{"input", "bytes that came in at this port and have not left the switch",
                                          PoolUnit::bytes, "switch.buffer"};

    sc_core::sc_export<PacketSink> in{"in"};
    sc_core::sc_export<PausePort> pause_in{"pause_in"};
    sc_core::sc_port<LanePort, 1, sc_core::SC_ZERO_OR_MORE_BOUND> lane{"lane"};  // none: no cable
    sc_core::sc_port<PausePort, 1, sc_core::SC_ZERO_OR_MORE_BOUND> peer{"peer"};
    sc_core::sc_port<LaneTap, 0, sc_core::SC_ZERO_OR_MORE_BOUND> taps{"taps"};  // any watchers

    // Port `index` of the switch. `part` of its buffer is for packets that enter here; without it, no pause frames.
    SwitchPort(const sc_core::sc_module_name& name, Timeline& timeline, Switch& whole, std::size_t index,
               const SwitchParams& params, std::optional<Bytes> part);

    // A packet that entered at `from` goes into the queue, or is dropped.
    void enqueue(const Packet& packet, SwitchPort& from);
    [[nodiscard]] std::size_t index() const { return index_; }
    // The port where the last packet of the queue entered.
    [[nodiscard]] std::size_t took_from() const { return took_from_; }

    void arrive(const Packet& packet, Interval at) override;
    void pause(bool stop, Picoseconds at) override;
    [[nodiscard]] bool holds_packets() const override { return paused_.is_paused() && !waiting_.empty(); }
    void report(StatSink& sink) const override;
    void check_idle() const override;

private:
    // A packet in the queue.
    struct Queued {
        Packet packet;
        SwitchPort* from = nullptr;
        Picoseconds since{};
    };
    // A pause frame's effect on this port.
    struct Pause {
        bool stop = false;
    };

    void pause_arrives(const Pause& pause);  // Lane: the neighbour holds or frees this port

    [[nodiscard]] bool take_room(const Packet& packet, SwitchPort& from);
    void grant();  // Alarm, too: the packet on the lane has left
    void put(const Queued& queued);
    void left_queue(const Queued& queued, Picoseconds at);

    Switch& whole_;
    const std::size_t index_;
    const SwitchParams params_;
    std::size_t took_from_;
    Ring<Queued> waiting_;

    Alarm<&SwitchPort::grant> lane_free_;
    Lane<Pause, &SwitchPort::pause_arrives> pauses_;
    Pool queue_;
    // With pause frames: room for packets that enter here.
    struct Input {
        Input(SwitchPort& port, Timeline& timeline, Bytes part);
        Pool pool;
        PauseSender hold;
    };
    std::optional<Input> input_;
    RequestProbe dropped_{*this, "dropped", "request of the packet that was dropped last"};
    ReceivedPause paused_;
    std::uint64_t packets_ = 0;
    std::uint64_t bytes_ = 0;
    std::uint64_t drops_ = 0;
};

}  // namespace ndsim
