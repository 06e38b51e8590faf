// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "models/proto/packet.hpp"
#include "sim/base/exact_rate.hpp"
#include "sim/base/ring.hpp"
#include "sim/kernel/pool.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// RetransmitBuffer: keeps request packets that have been sent, as they were built, until they are acknowledged. What of
// a queue pair is kept without a gap from its oldest unacknowledged packet on can be sent again from here; the rest is
// fetched and read again. All queue pairs share its room.
class RetransmitBuffer final : public Unit {
public:
    static constexpr PoolFacts kKeptPool{"kept", "bytes of sent packets kept until they are acknowledged",
                                         PoolUnit::bytes, "nic.retransmit_buffer"};

    struct Kept {
        Packet packet;
        std::uint32_t psns = 0;  // that it takes
        Interval ready;          // when it was built

        [[nodiscard]] Psn end() const { return packet.psn + psns; }
        // As it was built; of a Read what has come before `next` is left out [X14].
        [[nodiscard]] Packet rest_from(Psn next, std::uint32_t mtu) const;
    };

    RetransmitBuffer(const sc_core::sc_module_name& name, Timeline& timeline, Bytes size, PayloadPool& payloads);

    [[nodiscard]] bool is_there() const { return kept_.capacity() > 0; }
    // A packet that goes to the transmitter now; it is kept if there is room. Queue pairs are called by index.
    void keep(std::uint32_t qp, const Kept& sent);
    // Everything before `up_to` is acknowledged.
    void acknowledge(std::uint32_t qp, Psn up_to);
    // Everything from `oldest` on is to be sent again. Returns the first packet that has to be read for that.
    [[nodiscard]] Psn rewind(std::uint32_t qp, Psn oldest);
    // The next packet to be sent again from here; none, if what follows has to be read.
    [[nodiscard]] const Kept* next(std::uint32_t qp) const;
    void sent_next(std::uint32_t qp) { --windows_[qp].to_send; }
    // Nothing of the queue pair is sent any more.
    void drop(std::uint32_t qp);

    void report(StatSink& sink) const override;
    void check_idle() const override;

private:
    // In the order of PSNs; of those that are to be sent again the last ones have not been.
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
