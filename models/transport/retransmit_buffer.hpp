// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "models/proto/packet.hpp"
#include "sim/base/exact_rate.hpp"
#include "sim/base/ring.hpp"
#include "sim/kernel/pool.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// RetransmitBuffer: keeps sent request packets, as they were built, until they are acknowledged. Packets kept without a
// gap from a queue pair's oldest unacknowledged one can be sent again from here; the rest is fetched and read again.
// All queue pairs share its room.
class RetransmitBuffer final : public Unit {
public:
    static constexpr PoolFacts kKeptPool{"kept", "bytes of sent packets kept until they are acknowledged",
                                         PoolUnit::bytes, "nic.retransmit_buffer"};

    // A packet that was sent.
    struct Kept {
        Packet packet;
        std::uint32_t psns = 0;  // of the packet
        Interval ready;          // when it was built

        [[nodiscard]] Psn end() const { return packet.psn + psns; }
        // The packet as built; a Read's without the part before `next`, which has arrived [X14].
        [[nodiscard]] Packet rest_from(Psn next, std::uint32_t mtu) const;
    };

    RetransmitBuffer(const sc_core::sc_module_name& name, Timeline& timeline, Bytes size, PayloadPool& payloads);

    [[nodiscard]] bool is_there() const { return kept_.capacity() > 0; }
    // A packet goes to the transmitter now; it is kept if there is room. `qp` is the queue pair's index.
    void keep(std::uint32_t qp, const Kept& sent);
    // Everything before `up_to` is acknowledged.
    void acknowledge(std::uint32_t qp, Psn up_to);
    // Everything from `oldest` on is sent again. Returns the first packet that has to be read for that.
    [[nodiscard]] Psn rewind(std::uint32_t qp, Psn oldest);
    // The next packet to send again from here; none if the next one has to be read.
    [[nodiscard]] const Kept* next(std::uint32_t qp) const;
    void sent_next(std::uint32_t qp) { --windows_[qp].to_send; }
    // Nothing of the queue pair is sent any more.
    void drop(std::uint32_t qp);

    void report(StatSink& sink) const override;
    void check_idle() const override;

private:
    // In the order of PSNs; the last `to_send` have still to be sent again.
    struct Window {
        Ring<Kept> packets;
        std::size_t to_send = 0;
    };

    void give_back(const Kept& kept);

    PayloadPool& payloads_;
    std::vector<Window> windows_;
    Pool kept_;
    std::uint64_t packets_ = 0;
    std::uint64_t no_room_ = 0;
};

}  // namespace ndsim
