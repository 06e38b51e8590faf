// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <spdlog/logger.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "models/host/core.hpp"
#include "models/nic/node.hpp"
#include "models/proto/status_profile.hpp"
#include "ndapi/core/cm_message.hpp"
#include "ndapi/core/number_table.hpp"
#include "ndapi/core/spinners.hpp"
#include "ndapi/core/status.hpp"
#include "ndapi/windows/abi/ntstatus.h"
#include "sim/base/rng.hpp"
#include "sim/kernel/agenda.hpp"
#include "sim/kernel/deadlines.hpp"

namespace ndsim::core {

// A request that has ended, for observers.
struct Retired {
    QpNum qp{};
    OperationKind kind{};
    NTSTATUS status = 0;
    std::uint32_t bytes = 0;
    bool silent = false;  // no completion was requested; the ledger ends with the acknowledgement
    std::uint32_t request = 0;
    bool slot_is_free = false;  // of a send-queue request: already counted as returned
    QpWatch* watch = nullptr;
    const Ledger* ledger = nullptr;
    SrqWatch* srq = nullptr;      // of a receive from a shared queue
    std::uint32_t srq_slots = 0;  // returned there
};
// A request that has been posted. The queue pair of a shared queue's receive is not yet known.
struct Posted {
    std::uint32_t request = 0;
    OperationKind kind{};
    Picoseconds begun{};
    std::optional<QpNum> qp;
    const Unit* watch = nullptr;  // of its queue
    bool silent = false;
};
// Hears of requests as they are posted and retired.
class RequestObserver {
public:
    virtual void posted(HostId /*host*/, const Posted& /*request*/) {}
    virtual void retired(HostId host, const Retired& request) = 0;

protected:
    ~RequestObserver() = default;
};

// The driver's counts of connections and queues (ndkpi.md 2.7).
struct DriverCounters {
    std::uint64_t connects = 0;           // as the active side
    std::uint64_t accepts = 0;            // as the passive side
    std::uint64_t connect_failures = 0;   // of the active side
    std::uint64_t connection_errors = 0;  // established, and ended before this side disconnected
    std::uint64_t active_connections = 0;
    std::uint64_t cq_errors = 0;
};

// A queue pair that has failed, not by a flush of its program.
struct QpFailure {
    QpNum qp{};
    WcStatus why{};
    Picoseconds at{};
};

class Cq;
class Qp;
class Mr;
class Mw;
class Srq;
class ConnectionManager;

// Driver: the NIC's driver on one host. It hands out numbers and keys, charges the running core for the cost of calls,
// stores to the NIC's BAR, submits commands, and runs callbacks on a core of its own, one at a time.
class Driver final : public HostEvents {
public:
    // `callbacks` is the core that runs callbacks (the host's deferred procedure calls).
    Driver(Node& node, RunningCore& running, Core& callbacks, Ledgers& ledgers, StatusProfile profile,
           std::uint32_t ip_address);
    ~Driver() override;

    [[nodiscard]] Node& node() { return node_; }
    [[nodiscard]] const NodeParams& params() const { return node_.params; }
    [[nodiscard]] StatusProfile profile() const { return profile_; }
    [[nodiscard]] Ledgers& ledgers() { return ledgers_; }
    [[nodiscard]] LedgerBook& book() { return ledgers_.of(node_.host); }
    [[nodiscard]] std::uint32_t ip_address() const { return ip_address_; }
    [[nodiscard]] Spinners& spinners() { return spinners_; }
    [[nodiscard]] ConnectionManager& connections() { return *connections_; }
    [[nodiscard]] DriverCounters& counters() { return counters_; }
    // In the order of time.
    [[nodiscard]] const std::vector<QpFailure>& qp_failures() const { return qp_failures_; }
    // The NIC's frames and octets, layer 2 included [K210].
    struct Traffic {
        std::uint64_t frames = 0;
        std::uint64_t octets = 0;
    };
    [[nodiscard]] Traffic received() const;
    [[nodiscard]] Traffic sent() const;
    // Whether this creation of an object ends within the call; needs_nic: the NIC takes part.
    [[nodiscard]] bool creates_inline(bool needs_nic);
    // Seeds the driver's random choices.
    void seed(std::uint64_t seed, std::string_view name) { choices_ = Rng(seed, std::string(name) + ".adapter"); }
    [[nodiscard]] bool in_callback() { return &core() == &callbacks_; }
    // NDK may be switched off; then no adapter opens [K11].
    void enable(bool enabled) { enabled_ = enabled; }
    [[nodiscard]] bool enabled() const { return enabled_; }
    // Connections made meanwhile count as made before the run, and take the NIC no longer than any other command.
    void connect_before_run(bool before) { connects_before_run_ = before; }
    [[nodiscard]] bool connects_before_run() const { return connects_before_run_; }
    // The hosts that this host's packets reach, by IP address.
    void add_neighbour(std::uint32_t ip_address, HostId host) { neighbours_[ip_address] = host; }
    [[nodiscard]] std::optional<HostId> neighbour(std::uint32_t ip_address) const {
        const auto found = neighbours_.find(ip_address);
        return found == neighbours_.end() ? std::nullopt : std::optional(found->second);
    }

    // The calling core; outside of software's time (in a command's answer) the callback core.
    [[nodiscard]] Core& core() { return running_.core() != nullptr ? *running_.core() : callbacks_; }
    [[nodiscard]] Picoseconds now() { return node_.memory.now(); }

    // The calling core writes the store to the queue's doorbell record, if there is one, and spends the time of the
    // store, which then goes to the NIC.
    void store(const Mmio& mmio, const HostMemory::Region& record);
    // As store(), without the store itself: the NIC reads the record when it needs to.
    void record(const Mmio& mmio, const HostMemory::Region& record);
    // The calling core writes its consumer index to the queue's record at its own clock, and not before.
    void store_index(CqNum cq, std::uint32_t consumer);
    // Whether stores are also recorded: for a NIC that drops doorbells.
    [[nodiscard]] bool records_doorbells() const {
        return params().nic.doorbell.doorbell_policy == DoorbellPolicy::drop_recover;
    }
    // Whether receives of queue pairs are only recorded.
    [[nodiscard]] bool records_receives() const { return params().nic.wqe.rq_doorbell == RqDoorbell::record; }
    void command(Command command, std::function<void()> done);
    void send_datagram(
        const CmMessage& message, std::function<void()> sent = [] {});
    // Answered on the callback core when nothing of a failed queue pair is left in the NIC.
    void quiesce(QpNum qp, std::function<void()> done);
    // Calls `due` after `span`, unless cancelled; outside of software's time.
    [[nodiscard]] Deadlines::Id set_deadline(Picoseconds span, std::function<void()> due) {
        return deadlines_.set(std::max(now(), core().clock()) + span, std::move(due));
    }
    // As set_deadline(), at `due`, or now if that has passed.
    [[nodiscard]] Deadlines::Id set_deadline_at(Picoseconds due, std::function<void()> action) {
        return deadlines_.set(std::max(now(), due), std::move(action));
    }
    void cancel(const Deadlines::Id& deadline) { deadlines_.cancel(deadline); }
    // Runs `call` on the callback core, from `at` on, behind earlier ones.
    void defer_call(Picoseconds at, std::function<void()> call);
    // The callback core's program. A callback that calls it never continues itself, but later ones do.
    [[noreturn]] void run_callbacks();

    [[nodiscard]] QpNum add(Qp& qp);
    void remove(QpNum qp);
    [[nodiscard]] Qp* find(QpNum qp);
    [[nodiscard]] CqNum add(Cq& cq);
    void remove(CqNum cq);
    [[nodiscard]] Cq* find(CqNum cq);
    [[nodiscard]] SrqNum add(Srq& srq);
    void remove(SrqNum srq);
    // A key for one object, for ever. Hosts' keys differ, so that a key is good at its own host alone.
    [[nodiscard]] MrKey new_key();
    void add(Mr& mr);
    void remove(MrKey key);
    [[nodiscard]] const Mr* find(MrKey key) const;
    void add(Mw& mw);
    void remove(Mw& mw);
    // A Bind for this key has failed, or the key has been invalidated: a window that had it no longer has it.
    void key_died(MrKey key);
    [[nodiscard]] PdNum new_pd() { return PdNum{next_pd_++}; }
    // From now on peers use the simulated address of registered memory, which is the same in every run.
    void use_simulated_addresses() { simulated_addresses_ = true; }
    [[nodiscard]] bool simulated_addresses() const { return simulated_addresses_; }
    // This watch counts queues created from now on.
    void watch_qps(QpWatch& watch) { qp_watch_ = &watch; }
    void watch_cqs(CqWatch& watch) { cq_watch_ = &watch; }
    void watch_srqs(SrqWatch& watch) { srq_watch_ = &watch; }
    [[nodiscard]] QpWatch& qp_watch() { return *qp_watch_; }
    [[nodiscard]] CqWatch& cq_watch() { return *cq_watch_; }
    [[nodiscard]] SrqWatch& srq_watch() { return *srq_watch_; }
    void observe(RequestObserver& observer) { observers_.push_back(&observer); }
    void set_log(std::shared_ptr<spdlog::logger> log) { log_ = std::move(log); }
    // The program broke a rule of the interface: logs it, and the call goes on.
    void consumer_error(std::string_view what);
    [[nodiscard]] std::uint64_t consumer_errors() const { return consumer_errors_; }
    // Deferred requests. warn_of_deferred(): names their queue pairs in a warning.
    [[nodiscard]] std::uint64_t deferred() const;
    void warn_of_deferred() const;
    // Opens the ledger of a request that began at `begun`.
    Ledger& open_ledger(Posted request);
    // The request's completion is being polled; its ledger closes when the poll returns.
    void retire(const Retired& request) { retired_.push_back(request); }
    void close_ledgers(Picoseconds poll_returns);
    [[nodiscard]] PayloadRef push_buffer(std::span<const std::byte> wqe);

    // Keeps an object that a program has opened. Objects left open are destroyed with the driver: only their memory is
    // freed, and the NIC is not told.
    template <class Object>
    Object& keep(std::unique_ptr<Object> object) {
        Object& kept = *object;
        open_[&kept] = std::move(object);
        return kept;
    }
    void drop(const void* object) { open_.erase(object); }

    void qp_error(QpNum qp, WcStatus why) override;
    void cq_error(CqNum cq) override;
    void srq_limit(SrqNum srq) override;
    void datagram(std::span<const std::byte> bytes) override;

private:
    [[nodiscard]] static std::uint32_t first_key(HostId host);
    void note_slots_held(const Retired& request, const Ledger& ledger, std::optional<Picoseconds>& silent_done);
    // A write to a doorbell record at its core's time.
    struct RecordWrite {
        Address record{};
        Mmio mmio;
    };
    void write_record(const RecordWrite& write);  // Agenda: a core's write of a doorbell record
    // A write of a consumer index at its core's time.
    struct IndexWrite {
        CqNum cq{};
        std::uint32_t consumer = 0;
    };
    void write_index(const IndexWrite& write);  // Agenda: a core's write of a consumer index

    Node& node_;
    RunningCore& running_;
    Core& callbacks_;
    Ledgers& ledgers_;
    StatusProfile profile_;
    std::uint32_t ip_address_;
    std::unique_ptr<ConnectionManager> connections_;
    std::map<std::uint32_t, HostId> neighbours_;
    Spinners spinners_;
    Deadlines deadlines_;
    Agenda<RecordWrite, &Driver::write_record> record_writes_;
    Agenda<IndexWrite, &Driver::write_index> index_writes_;
    std::optional<HostMemory::Region> event_;  // the NIC writes here that a queue pair is quiet
    DriverCounters counters_;
    std::vector<QpFailure> qp_failures_;
    Rng choices_{0, "adapter"};
    bool enabled_ = true;
    bool connects_before_run_ = false;
    NumberTable<Qp> qps_;
    NumberTable<Cq> cqs_;
    NumberTable<Srq> srqs_;
    std::unordered_map<MrKey, Mr*> mrs_;          // never iterated
    std::unordered_map<std::uint32_t, Mw*> mws_;  // by key_index(); never iterated
    std::uint32_t next_key_;
    std::uint32_t next_pd_ = 1;
    Ring<std::function<void()>> calls_;
    std::function<void()> call_;  // under way; it may block
    std::vector<Retired> retired_;
    bool simulated_addresses_ = false;
    std::uint64_t consumer_errors_ = 0;
    QpWatch* qp_watch_;
    CqWatch* cq_watch_;
    SrqWatch* srq_watch_;
    std::vector<RequestObserver*> observers_;
    std::shared_ptr<spdlog::logger> log_;
    std::unordered_map<const void*, std::shared_ptr<void>> open_;  // never iterated
};

}  // namespace ndsim::core
