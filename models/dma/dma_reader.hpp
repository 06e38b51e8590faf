// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "models/dma/dma_params.hpp"
#include "models/dma/read_tags.hpp"
#include "models/dma/reads_behind_writes.hpp"
#include "models/dma/refused_clients.hpp"
#include "models/ledger/ledger.hpp"
#include "models/parts/read_shapes.hpp"
#include "models/ports/dma.hpp"
#include "models/ports/translation.hpp"
#include "sim/base/ring.hpp"
#include "sim/kernel/alarm.hpp"
#include "sim/kernel/engine_times.hpp"
#include "sim/kernel/timeline.hpp"
#include "sim/kernel/unit.hpp"
#include "sim/kernel/work_probe.hpp"

namespace ndsim {

// DmaReader: the reads of the DMA engine. It cuts a read into requests and sends as many as may be under way. One read
// per class may wait for more; further ones are refused meanwhile, and classes take turns. Payload first waits for its
// translations, and for the writes that it must follow.
class DmaReader final : private TranslationClient {
public:
    // The writes that a read must follow: those of a queue pair, up to bulk write number `last`; 0: none.
    struct BehindWrites {
        QpNum qp{};
        std::uint64_t last = 0;
    };

    DmaReader(Unit& owner, Timeline& timeline, const DmaParams& params, const PcieParams& pcie, DmaPools& pools,
              Bytes forward_grain, Ledgers& ledgers, sc_core::sc_port<PciePort>& link,
              sc_core::sc_port<TranslationPort>& translation);

    // Payload is sent on at this rate while it arrives.
    void forward_at(const ExactRate& rate) { forward_rate_ = rate; }
    [[nodiscard]] bool try_read(ReadClass cls, std::span<const ReadPiece> pieces, std::uint32_t token,
                                RequestId request, ReadClient& client, const BehindWrites& behind);
    // The first `gone` bulk writes have their place on the link, the last of them until then: reads behind them may
    // follow.
    void writes_gone(std::uint64_t gone, Picoseconds until) {
        behind_writes_.gone(gone, until, [this](std::uint32_t job) { may_follow(job); });
    }

    // The link reports on a train.
    void waited(std::uint32_t train, Interval wait);
    void scheduled(std::uint32_t train, Interval arrival);

    // Reads are numbered from 1 in the order in which they are taken. Whether one of the first `number` has no answer
    // yet.
    [[nodiscard]] std::uint64_t given() const { return given_; }
    [[nodiscard]] bool has_unanswered(std::uint64_t number) const;

    [[nodiscard]] bool is_idle() const { return free_jobs_.size() == jobs_.size(); }
    [[nodiscard]] std::uint64_t bytes(ReadClass cls) const { return bytes_[static_cast<std::size_t>(cls)]; }
    [[nodiscard]] std::uint64_t waits() const { return waits_; }

private:
    // A read that has been taken.
    struct Job {
        std::uint64_t number = 0;  // 0: none, it is over
        ReadClient* client = nullptr;
        std::uint32_t token = 0;
        ReadClass cls{};
        RequestId request;
        std::vector<ReadPiece> pieces;  // those not yet sent, from `next` on
        std::size_t next = 0;
        std::uint32_t missing = 0;  // translations, and writes that must go first
        QpNum behind{};             // their queue pair
        std::uint32_t trains = 0;   // sent and not yet scheduled
        std::uint32_t grain = 0;    // bytes that make the forward grain
        std::uint32_t sent = 0;     // bytes
        bool sent_any = false;
        bool has_waited = false;  // for tags or reads in flight
        Interval data;
        Picoseconds flow{};  // an even flow from here never outruns a train
    };
    // Requests of a job that are sent together.
    struct Train {
        std::uint32_t job = 0;
        Address from{};
        std::uint32_t length = 0;
        std::uint32_t place = 0;  // of its first byte in the read
    };
    void may_follow(std::uint32_t job);
    void retry();  // Alarm: requests have become free
    void translated(std::uint32_t job) override;
    void start(std::uint32_t job);
    // Sends as much of the job as free requests allow; true if that is all of it.
    [[nodiscard]] bool send(std::uint32_t job);
    void send_train(std::uint32_t job, const ReadPiece& piece, std::span<const ReadRequest> requests);
    void retry_class(std::size_t cls);
    [[nodiscard]] bool one_that_waits_may_go();
    void wait_for_requests();
    void note();
    void finish(std::uint32_t job);
    [[nodiscard]] Picoseconds now() const { return timeline_.now(); }

    Timeline& timeline_;
    Ledgers& ledgers_;
    sc_core::sc_port<PciePort>& link_;
    sc_core::sc_port<TranslationPort>& translation_;
    ReadShapes shapes_;
    const ExactRate rate_;
    const std::uint32_t forward_grain_;
    std::optional<ExactRate> forward_rate_;

    std::vector<Job> jobs_;
    std::vector<std::uint32_t> free_jobs_;
    std::vector<Train> trains_;
    std::vector<std::uint32_t> free_trains_;
    std::vector<Picoseconds> answers_;                                // to the requests of a train
    ReadsBehindWrites behind_writes_;                                 // jobs
    std::array<std::optional<std::uint32_t>, kReadClasses> waiting_;  // jobs that wait for requests
    std::uint32_t waiting_jobs_ = 0;                                  // their number
    std::array<RefusedClients, kReadClasses> refused_;
    std::size_t next_class_ = 0;
    Ring<std::uint32_t> late_;  // payload jobs that waited for translations, and now for requests
    Alarm<&DmaReader::retry> retry_;
    WorkProbe reading_;
    EngineTimes times_;
    Picoseconds data_until_{};  // of the reads that have their times
    ReadTags requests_;
    std::array<std::uint64_t, kReadClasses> bytes_{};
    std::uint64_t waits_ = 0;
    std::uint64_t given_ = 0;
};

}  // namespace ndsim
