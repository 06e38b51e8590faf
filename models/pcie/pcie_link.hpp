// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/pcie/down_link.hpp"
#include "models/pcie/link_direction.hpp"
#include "models/pcie/posted_credits.hpp"
#include "models/ports/pcie.hpp"
#include "models/ports/root.hpp"
#include "sim/kernel/alarm.hpp"
#include "sim/kernel/engine_times.hpp"
#include "sim/kernel/pool.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// PcieLink: the link between the NIC and the host's root complex. Writes and read requests go up; completions and the
// CPU's stores go down (DownLink). Credits limit the transfers under way; small transfers enter long ones.
class PcieLink final : public Unit, public PciePort, public RootClient {
public:
    static constexpr PoolFacts kNonpostedHeadersPool{"nonposted_headers", "credits for read requests in use",
                                                     PoolUnit::credits, "pcie.nonposted_headers", WhenFull::limit};

    sc_core::sc_export<PciePort> device{"device"};
    sc_core::sc_export<RootClient> root_events{"root_events"};
    sc_core::sc_port<PcieClient> client{"client"};  // the NIC's DMA engine
    sc_core::sc_port<BarPort> bar{"bar"};
    sc_core::sc_port<RootPort> root{"root"};

    PcieLink(const sc_core::sc_module_name& name, Timeline& timeline, const PcieParams& params);

    void read(const ReadTrain& train) override;
    void write(const WriteTrain& train) override;
    // The store leaves the core at `leaves`, now or later.
    void store(Picoseconds leaves, const Mmio& mmio, StoreClient& core) { down_.store(leaves, mmio, core); }
    void read_ready(const ReadTrain& train) override { down_.complete(train); }
    // Nothing starts in either direction until `until`; transfers under way arrive.
    void stall(Picoseconds until);
    void report(StatSink& sink) const override;
    void check_idle() const override;

private:
    // A read that waits for credits.
    struct WaitingRead {
        ReadTrain train;
        Picoseconds since{};
    };

    void up_free();             // Alarm: the upward direction may serve the next train
    void read_credits_there();  // Alarm: the first read that waits for credits has them

    void send_read(const ReadTrain& train);
    void wait_for_read_credits();
    void wait_for_up();
    void send_bulk(const WriteTrain& train);
    void send_express(const WriteTrain& train);
    // Tells of a write that waits for credits from `since` on, when its own data would let it start.
    void wait_for_posted(std::uint32_t token, Picoseconds since, const PostedCredits::Ready& ready);
    void book_posted(Picoseconds at, std::uint32_t tlps, std::uint32_t bytes, Picoseconds visible);
    void note_up();
    [[nodiscard]] std::size_t up_rest() const { return waiting_reads_.empty() ? kUpIdle : kUpReads; }

    const PcieParams params_;
    const Picoseconds flight_;
    LinkDirection up_;
    Ring<WriteTrain> waiting_up_;
    Ring<WaitingRead> waiting_reads_;  // for credits

    Alarm<&PcieLink::up_free> up_free_;
    Alarm<&PcieLink::read_credits_there> read_credits_;

    PostedCredits posted_;
    Pool nonposted_headers_;
    EngineTimes up_times_;
    Probe<TlpUse> up_bulk_{*this, "up_bulk", "what payload-sized writes carry upwards", kTlpUseNames};
    Probe<TlpUse> up_express_{*this, "up_express", "read requests and small writes upwards", kTlpUseNames};
    DownLink down_;

    std::uint64_t up_bytes_ = 0;
    std::uint64_t read_requests_ = 0;
    std::uint64_t writes_ = 0;
    std::uint64_t credit_waits_ = 0;
};

}  // namespace ndsim
