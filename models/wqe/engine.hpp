// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "models/ports/context.hpp"
#include "models/ports/dma.hpp"
#include "models/ports/qp.hpp"
#include "models/ports/queues.hpp"
#include "models/ports/wire.hpp"
#include "models/wqe/ring_reader.hpp"
#include "models/wqe/wqe_params.hpp"
#include "models/wqe/wqe_pool.hpp"
#include "sim/kernel/agenda.hpp"
#include "sim/kernel/alarm.hpp"
#include "sim/kernel/engine_times.hpp"
#include "sim/kernel/lane.hpp"
#include "sim/kernel/pool.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// WqeEngine: serves the send queues. It fetches WQEs in batches ahead of need, up to the producer index that a
// doorbell announced, and lets queue pairs with work take turns packet by packet. Within a queue pair everything is
// in order; messages start no faster than the queue pair's and the NIC's message rates.
class WqeEngine final : public Unit,
                        public SqDoorbellPort,
                        public WorkPort,
                        public TxRoomPort,
                        public QpLifecycle,
                        private ContextClient,
                        private RingOwner {
public:
    static constexpr PoolFacts kCachePool{"cache", "units of fetched WQEs held", PoolUnit::wqe_units, "nic.wqe_cache"};
    static constexpr PoolFacts kInFlightPool{"sq_in_flight", "requests started, last packet not yet in the TX FIFO",
                                             PoolUnit::requests, "nic.sq_in_flight", WhenFull::limit};

    sc_core::sc_export<SqDoorbellPort> doorbells{"doorbells"};
    sc_core::sc_export<WorkPort> work{"work"};
    sc_core::sc_export<TxRoomPort> room{"room"};
    sc_core::sc_export<QpLifecycle> lifecycle{"lifecycle"};
    sc_core::sc_port<DmaPort> dma{"dma"};
    sc_core::sc_port<ContextPort> context{"context"};
    sc_core::sc_port<SendGatePort> gate{"gate"};
    sc_core::sc_port<RequesterPort> requester{"requester"};

    WqeEngine(const sc_core::sc_module_name& name, Timeline& timeline, const WqeParams& params, HostId host,
              Ledgers& ledgers, PayloadPool& payloads);

    void sq_doorbell(const SqDoorbell& doorbell) override;
    [[nodiscard]] std::optional<Address> record_of(QpNum qp) const override { return queues_.at(qp_index(qp)).record; }
    void resume() override;
    void resume_qp(QpNum qp) override;
    void rewind(QpNum qp, std::uint32_t place) override;
    void tx_room() override;
    void message_built(Picoseconds when) override;
    void create_qp(const QpAttributes& attributes) override;
    void connect_qp(QpNum qp, const QpConnection& connection) override;
    void fail_qp(QpNum qp) override;
    void flush_deferred(QpNum qp, std::uint32_t producer, std::uint32_t entries, std::uint32_t receives) override;
    [[nodiscard]] bool is_quiet(QpNum qp) const override;
    void destroy_qp(QpNum qp) override;
    void report(StatSink& sink) const override;
    void check_idle() const override;

private:
    enum class State : std::uint8_t { absent, idle, connected, failed };
    struct SendQueue {
        explicit SendQueue(ExactRate message_rate) : rate(message_rate) {}
        [[nodiscard]] bool has_work() const {
            return state == State::connected && (repeats || message_open || !ready.empty());
        }
        [[nodiscard]] bool needs_no_slot() const { return repeats || message_open; }

        QpNum qp{};
        State state = State::absent;
        bool has_turn = false;         // stands in turns_ or starters_
        bool repeats = false;          // packets that the requester has kept
        bool message_open = false;     // its first WQE is with the requester
        Stall held = Stall::none;      // waits for resume_qp()
        bool paced = false;            // waits for its message rate
        bool starved = false;          // has nothing ready, and no room for its next WQE
        std::uint32_t accepted = 0;    // units of whole WQEs, absolute, as all places below
        std::uint32_t front = 0;       // place of ready.front()
        std::uint32_t seen = 0;        // up to here WQEs have been fetched at least once
        std::uint32_t begun = 0;       // and up to here they have begun
        std::uint32_t held_units = 0;  // in the WQE cache
        Stall waited_for = Stall::none;
        std::optional<Picoseconds> no_room_since{};  // for its next read
        Interval no_room{};                          // the wait of its next read
        Interval read_waited{};                      // that of the read under way
        QpWatch* watch = nullptr;
        std::optional<Address> record;       // while it is there
        std::uint32_t entries = 0;           // announced, absolute
        std::vector<std::byte> partial;      // units of a WQE that has not wholly arrived
        std::vector<std::byte> behind_read;  // pushed WQEs that come after the read under way
        Ring<Wqe*> ready;
        ExactServer rate;
    };

    void rate_allows(const std::uint32_t& qp_index);  // Agenda: a queue pair may start its next message
    void look_at(std::optional<Picoseconds> when);
    void look_again();  // Alarm: a slot or the NIC's message rate has become free

    void serve();
    [[nodiscard]] static std::span<const EngineState> states();
    void show(Stall stall);
    void context_ready(QpNum qp) override;
    [[nodiscard]] Stall serve_one(SendQueue& queue);
    [[nodiscard]] Stall repeat(SendQueue& queue);
    [[nodiscard]] Stall blocked(SendQueue& queue, Stall stall);
    [[nodiscard]] Stall start_message(SendQueue& queue);
    void finish_message(SendQueue& queue);
    std::uint32_t wanted(std::uint32_t index, std::uint32_t there) override;
    void reading(std::uint32_t index, std::uint32_t units) override;
    void arrived(std::uint32_t index, std::span<const std::byte> units) override;
    void discarded(std::uint32_t index, std::uint32_t units) override;
    void note_room(SendQueue& queue, bool has_room);
    void take_pushed(SendQueue& queue, std::span<const std::byte> units);
    void take_behind_read(SendQueue& queue);
    void take_units(SendQueue& queue, std::span<const std::byte> bytes);
    void accept(SendQueue& queue, std::span<const std::byte> bytes);
    void enqueue(SendQueue& queue);
    void hold(SendQueue& queue, Stall stall);
    void let_go(SendQueue& queue);
    void drop_front(SendQueue& queue);
    void go_to(SendQueue& queue, std::uint32_t place);
    void flush_ready(SendQueue& queue);
    [[nodiscard]] Stall own_stall() const;
    [[nodiscard]] SendQueue& queue_of(QpNum qp) { return queues_.at(qp_index(qp)); }

    const WqeParams params_;
    const HostId host_;
    Ledgers& ledgers_;
    PayloadPool& payloads_;
    WqePool wqes_;
    std::vector<SendQueue> queues_;
    Ring<std::uint32_t> turns_;     // queue pairs with work, by index
    Ring<std::uint32_t> starters_;  // those whose turn came when there was no slot
    std::uint32_t starved_ = 0;     // queue pairs for whose WQEs there is no room
    ExactServer nic_rate_;
    std::array<std::uint32_t, kStallNames.size()> held_{};  // queue pairs that wait for resume_qp(), by what for
    std::uint32_t held_in_all_ = 0;

    RingReader reader_;
    Agenda<std::uint32_t, &WqeEngine::rate_allows> paced_;
    Alarm<&WqeEngine::look_again> looks_;
    Pool cache_;
    Pool in_flight_;
    Probe<Stall> state_{*this, "state", "what the engine waits for", kStallNames};
    EngineTimes times_;
    Probe<std::uint32_t> request_{*this, "request", "number of the request started last"};
    std::uint64_t pushed_taken_ = 0;
    std::uint64_t pushed_dropped_ = 0;
    std::uint64_t cut_fetches_ = 0;
    std::uint64_t messages_ = 0;
    std::uint64_t paced_messages_ = 0;
};

}  // namespace ndsim
