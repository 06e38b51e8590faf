// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "models/dma/dma_params.hpp"
#include "models/dma/read_reserve.hpp"
#include "models/ports/dma.hpp"
#include "models/ports/translation.hpp"
#include "models/proto/ledger.hpp"
#include "models/proto/read_shapes.hpp"
#include "sim/kernel/engine_times.hpp"
#include "sim/kernel/lane.hpp"
#include "sim/kernel/pool.hpp"
#include "sim/kernel/unit.hpp"
#include "sim/kernel/work_probe.hpp"

namespace ndsim {

// DmaEngine: moves bytes between the NIC and host memory. Reads need a tag for each request of at most MRRS and a
// place among the reads in flight, both from sending the request to the last byte of its completion. One read of each
// class may wait for them; classes take turns, and each has a few requests of its own. Writes are taken in order;
// express ones (CQEs and interrupts that follow no payload) do not wait behind bulk ones.
class DmaEngine final : public Unit, public DmaPort, public PcieClient, private TranslationClient {
public:
    static constexpr PoolFacts kTagsPool{"tags",      "PCIe tags in use",   PoolUnit::tags,
                                         "pcie.tags", WhenFull::read_limit, {"nic.dma.reads_blocked"}};
    static constexpr PoolFacts kReadsPool{"reads_in_flight",    "read requests sent and not yet answered",
                                          PoolUnit::reads,      "nic.dma_reads_in_flight",
                                          WhenFull::read_limit, {"nic.dma.reads_blocked"}};
    static constexpr PoolFacts kWritesPool{"writes_in_flight", "writes given to PCIe and not yet on the link",
                                           PoolUnit::writes, "nic.dma_writes_in_flight", WhenFull::limit};
    // Of kReadsPool, by class.
    static constexpr PoolFacts kWqeReadsPool{"wqe_reads", "read requests in flight for WQEs", PoolUnit::reads,
                                             "nic.dma_reads_in_flight", WhenFull::part};
    static constexpr PoolFacts kReceiveWqeReadsPool{"receive_wqe_reads", "read requests in flight for receive WQEs",
                                                    PoolUnit::reads, "nic.dma_reads_in_flight", WhenFull::part};
    static constexpr PoolFacts kPayloadReadsPool{"payload_reads", "read requests in flight for payload",
                                                 PoolUnit::reads, "nic.dma_reads_in_flight", WhenFull::part};
    static constexpr PoolFacts kContextReadsPool{"context_reads", "read requests in flight for contexts",
                                                 PoolUnit::reads, "nic.dma_reads_in_flight", WhenFull::part};
    static constexpr PoolFacts kTranslationReadsPool{"translation_reads", "read requests in flight for translations",
                                                     PoolUnit::reads, "nic.dma_reads_in_flight", WhenFull::part};

    sc_core::sc_export<DmaPort> port{"port"};
    sc_core::sc_export<PcieClient> link_events{"link_events"};
    sc_core::sc_port<PciePort> link{"link"};
    sc_core::sc_port<TranslationPort> translation{"translation"};

    DmaEngine(const sc_core::sc_module_name& name, Timeline& timeline, const DmaParams& params, const PcieParams& pcie,
              Bytes forward_grain, Ledgers& ledgers);

    // Payload that is read is sent on at this rate.
    void forward_at(const ExactRate& rate) { forward_rate_ = rate; }
    bool try_read(ReadClass cls, std::span<const ReadPiece> pieces, std::uint32_t token, RequestId request,
                  ReadClient& client) override;
    bool try_read_behind_writes(QpNum qp, std::span<const ReadPiece> pieces, std::uint32_t token, RequestId request,
                                ReadClient& client) override;
    void write(const WriteTrain& train, WriteClient* client) override;
    void read_waited(std::uint32_t train, Interval wait) override;
    void write_waited(std::uint32_t token, Interval wait) override;
    void read_scheduled(std::uint32_t train, Interval arrival) override;
    void write_scheduled(std::uint32_t token, Picoseconds issued, Picoseconds visible) override;
    void report(StatSink& sink) const override;
    void check_idle() const override;

private:
    struct Job {
        ReadClient* client = nullptr;
        std::uint32_t token = 0;
        ReadClass cls{};
        RequestId request;
        std::vector<ReadPiece> pieces;  // those not yet sent, from `next` on
        std::size_t next = 0;
        std::uint32_t missing = 0;  // translations, and the writes that it goes behind
        QpNum behind{};             // whose they are
        std::uint32_t trains = 0;   // sent and not yet scheduled
        std::uint32_t grain = 0;    // bytes that make the forward grain
        std::uint32_t sent = 0;     // bytes
        bool sent_any = false;
        Interval data;
        Picoseconds flow{};  // an even flow that begins now meets no train before it has come
    };
    struct Train {
        std::uint32_t job = 0;
        Address from{};
        std::uint32_t length = 0;
        std::uint32_t place = 0;  // of its first byte in the read
    };
    struct Write {
        WriteTrain train;
        WriteClient* client = nullptr;
        std::uint32_t missing = 0;  // translations
    };
    struct WriteOwner {
        WriteClient* client = nullptr;
        std::uint32_t token = 0;
        bool bulk = false;
    };
    struct BehindWrites {
        std::uint32_t job = 0;
        std::uint64_t write = 0;  // running number of the last one
    };

    // Marks the tokens of writes that wait for translations; the rest is the write's running number.
    static constexpr std::uint32_t kWriteToken = 1U << 31U;

    void retry_reads(const int& nothing);   // Lane: read requests have become free
    void retry_writes(const int& nothing);  // Lane: writes in flight have become fewer

    void translated(std::uint32_t token) override;
    [[nodiscard]] bool accept(ReadClass cls, QpNum behind, std::span<const ReadPiece> pieces, std::uint32_t token,
                              RequestId request, ReadClient& client);
    [[nodiscard]] std::uint64_t last_write_of(QpNum qp) const;
    void writes_gone();
    void start(std::uint32_t job);
    // Sends as much of the job as there are requests free; true if all of it.
    bool send(std::uint32_t job);
    void send_train(std::uint32_t job, const ReadPiece& piece);
    [[nodiscard]] std::uint32_t free_requests(ReadClass cls);
    void wait_for_requests();
    void issue_waiting();
    [[nodiscard]] static std::span<const EngineState> read_states();
    [[nodiscard]] static std::span<const EngineState> write_states();
    void note_reads();
    void note_writes();
    void issue(const Write& write);
    void finish(std::uint32_t job);

    const DmaParams params_;
    const ReadReserve reserve_;
    ReadShapes shapes_;
    const ExactRate rate_;
    const std::uint32_t forward_grain_;
    std::optional<ExactRate> forward_rate_;
    Ledgers& ledgers_;

    std::vector<Job> jobs_;
    std::vector<std::uint32_t> free_jobs_;
    std::vector<Train> trains_;
    std::vector<std::uint32_t> free_trains_;
    std::array<std::optional<std::uint32_t>, kReadClasses> waiting_;  // jobs that wait for tags
    std::uint32_t waiting_reads_ = 0;                                 // how many there are
    std::array<std::vector<ReadClient*>, kReadClasses> refused_;      // in the order in which they tried
    std::vector<ReadClient*> told_;
    std::size_t next_class_ = 0;
    bool retry_pending_ = false;
    Ring<std::uint32_t> late_;  // payload jobs that had to wait for translations, and now for tags
    Ring<Write> waiting_writes_;
    std::uint32_t first_waiting_ = 0;  // running number of its front
    Ring<Write> waiting_express_;
    bool express_turn_ = true;  // if both kinds wait
    bool write_retry_pending_ = false;
    std::uint64_t bulk_given_ = 0;           // writes so far
    std::uint64_t bulk_gone_ = 0;            // of these, on the link or through it
    std::vector<std::uint64_t> last_write_;  // by qp_index(): the running number of its last payload
    std::vector<BehindWrites> behind_writes_;
    std::vector<WriteOwner> write_owners_;
    std::vector<std::uint32_t> free_owners_;

    Lane<int, &DmaEngine::retry_reads> read_retries_;
    Lane<int, &DmaEngine::retry_writes> write_retries_;
    WorkProbe reading_{*this, "reads", "reads from their acceptance to their last byte"};
    WorkProbe writing_{*this, "writes", "writes from their place among those in flight until they are visible"};
    EngineTimes read_times_;
    EngineTimes write_times_;
    Picoseconds data_until_{};    // of the reads that have their times
    Picoseconds issued_until_{};  // and of the writes
    Pool tags_;
    Pool reads_;
    Pool writes_;
    std::array<Pool, kReadClasses> in_flight_;  // of reads_, by class
    std::array<std::uint64_t, kReadClasses> read_bytes_{};
    std::uint64_t write_bytes_ = 0;
    std::uint64_t read_waits_ = 0;
};

}  // namespace ndsim
