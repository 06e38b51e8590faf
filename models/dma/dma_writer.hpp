// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "models/ports/dma.hpp"
#include "models/ports/translation.hpp"
#include "sim/base/ring.hpp"
#include "sim/kernel/alarm.hpp"
#include "sim/kernel/engine_times.hpp"
#include "sim/kernel/pool.hpp"
#include "sim/kernel/timeline.hpp"
#include "sim/kernel/unit.hpp"
#include "sim/kernel/work_probe.hpp"

namespace ndsim {

// DmaWriter: the writes of the DMA engine, taken in order; payload waits for its translations first. Express writes
// (CQEs and interrupts that follow no payload) do not wait behind bulk writes: if both kinds wait, they take turns.
class DmaWriter final : private TranslationClient {
public:
    // The client of a write on its way.
    struct Client {
        WriteClient* client = nullptr;
        std::uint32_t token = 0;
        bool bulk = false;
    };

    DmaWriter(Unit& owner, Timeline& timeline, Pool& writes, sc_core::sc_port<PciePort>& link,
              sc_core::sc_port<TranslationPort>& translation);

    void write(const WriteTrain& train, WriteClient* client);
    // The link has the times of a write. Returns its client.
    [[nodiscard]] Client scheduled(std::uint32_t slot, Picoseconds issued, Picoseconds visible);
    [[nodiscard]] const Client& client_of(std::uint32_t slot) const { return clients_[slot]; }

    // Bulk writes are numbered from 1 in order. This many are on the link or through it.
    [[nodiscard]] std::uint64_t gone() const { return bulk_gone_; }
    [[nodiscard]] std::uint64_t given() const { return bulk_given_; }
    // When the first `number` of them are visible; none while that is not known.
    [[nodiscard]] std::optional<Picoseconds> visible(std::uint64_t number) const;
    // The last bulk write for a queue pair, if it is not yet gone; 0: none.
    [[nodiscard]] std::uint64_t last_write_of(QpNum qp) const;

    [[nodiscard]] bool is_idle() const { return free_clients_.size() == clients_.size(); }
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

private:
    // A write that has been taken and not yet given to the link.
    struct Write {
        WriteTrain train;
        WriteClient* client = nullptr;
        std::uint32_t missing = 0;  // translations
    };

    void retry() { issue_waiting(); }  // Alarm: there is room among the writes in flight
    void translated(std::uint32_t number) override;
    void issue(const Write& write);
    void issue_waiting();
    [[nodiscard]] bool bulk_may_go() const { return !waiting_.empty() && waiting_.front().missing == 0; }
    void note();
    [[nodiscard]] Picoseconds now() const { return timeline_.now(); }

    Timeline& timeline_;
    Pool& writes_;  // in flight
    sc_core::sc_port<PciePort>& link_;
    sc_core::sc_port<TranslationPort>& translation_;
    Ring<Write> waiting_;              // bulk
    std::uint32_t first_waiting_ = 0;  // number of bulk writes before the first of them
    Ring<Write> waiting_express_;
    bool express_turn_ = true;               // if both kinds wait
    std::uint64_t bulk_given_ = 0;           // writes so far
    std::uint64_t bulk_gone_ = 0;            // of those, on the link or through it
    std::vector<std::uint64_t> last_write_;  // by qp_index(): the number of its last payload
    std::vector<Client> clients_;
    std::vector<std::uint32_t> free_clients_;
    Alarm<&DmaWriter::retry> retry_;
    WorkProbe writing_;
    EngineTimes times_;
    Picoseconds issued_until_{};  // of the writes that have their times
    Picoseconds visible_until_{};
    std::uint64_t bytes_ = 0;
};

}  // namespace ndsim
