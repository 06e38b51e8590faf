// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <spdlog/logger.h>

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "models/parts/cq_watch.hpp"
#include "models/proto/status_profile.hpp"
#include "ndapi/core/doorbells.hpp"
#include "ndapi/core/request_book.hpp"
#include "ndapi/core/spinners.hpp"
#include "ndapi/windows/abi/ntstatus.h"
#include "sim/base/rng.hpp"

namespace ndsim::core {

class CmRouter;

// What the driver counts of connections and queues (ndkpi.md 2.7).
struct DriverCounters {
    std::uint64_t connects = 0;           // as the active side
    std::uint64_t accepts = 0;            // as the passive side
    std::uint64_t connect_failures = 0;   // of the active side
    std::uint64_t connection_errors = 0;  // established, and ended before this side disconnected
    std::uint64_t active_connections = 0;
    std::uint64_t cq_errors = 0;

    // A connect that this side has cancelled is no failure.
    void connect_failed(NTSTATUS status) { connect_failures += status == STATUS_CANCELLED ? 0U : 1U; }
};

// A queue pair that has gone into error, not by a flush of its program.
struct QpFailure {
    QpNum qp{};
    WcStatus why{};
    Picoseconds at{};

    // A queue pair whose completion queue has overrun fails like this [X58]. One that has failed otherwise may overrun
    // its queue by what it flushes.
    [[nodiscard]] bool may_be_by_overrun() const { return why == WcStatus::loc_qp_op; }
};

// The watches that count the queues which are created from now on.
struct QueueWatches {
    QpWatch* qps = nullptr;
    CqWatch* cqs = nullptr;
    SrqWatch* srqs = nullptr;
};

// Driver: the NIC's driver on one host. It owns what all objects of the interfaces share: their numbers (Registry),
// doorbells, callbacks, the book of requests and the connections. It submits commands and passes on the NIC's events.
class Driver final : public HostEvents {
public:
    // `callback_core` runs the callbacks. The watches count queues until others are set.
    Driver(std::unique_ptr<Device> device, RunningCore& running, Core& callback_core, LedgerBook& ledgers,
           StatusProfile profile, std::uint32_t ip_address, const QueueWatches& watches);
    ~Driver() override;

    [[nodiscard]] Device& device() { return *device_; }
    [[nodiscard]] HostMemory& memory() { return memory_; }
    [[nodiscard]] const NodeParams& params() const { return params_; }
    [[nodiscard]] StatusProfile profile() const { return profile_; }
    [[nodiscard]] std::uint32_t ip_address() const { return ip_address_; }

    [[nodiscard]] Registry& registry() { return registry_; }
    [[nodiscard]] const Registry& registry() const { return registry_; }
    [[nodiscard]] Doorbells& doorbells() { return doorbells_; }
    [[nodiscard]] Callbacks& callbacks() { return callbacks_; }
    [[nodiscard]] RequestBook& requests() { return requests_; }
    [[nodiscard]] CmRouter& connections() { return *connections_; }
    [[nodiscard]] Spinners& spinners() { return spinners_; }
    [[nodiscard]] QueueWatches& watches() { return watches_; }

    // The core that is calling, and the time of the simulation.
    [[nodiscard]] Core& core() { return callbacks_.calling(); }
    [[nodiscard]] Picoseconds now() { return memory_.now(); }

    void command(Command command, std::function<void()> done);
    // Answered on the callback core when nothing of a failed queue pair is left in the NIC.
    void quiesce(QpNum qp, std::function<void()> done);

    // Whether this creation of an object is to be over when the call returns. needs_nic: the NIC takes part.
    [[nodiscard]] bool creates_inline(bool needs_nic);
    // For what the driver chooses by chance.
    void seed(std::uint64_t seed, std::string_view name) { choices_ = Rng(seed, std::string(name) + ".adapter"); }
    // NDK may be switched off, and then no adapter opens [K11].
    void enable(bool enabled) { enabled_ = enabled; }
    [[nodiscard]] bool enabled() const { return enabled_; }
    // Connections that are made meanwhile count as made before the run. They take the NIC no longer than any other
    // command.
    void connect_before_run(bool before) { connects_before_run_ = before; }
    [[nodiscard]] bool connects_before_run() const { return connects_before_run_; }
    // Peers call memory that is registered from now on by its simulated address, which is the same in every run.
    void use_simulated_addresses() { simulated_addresses_ = true; }
    [[nodiscard]] bool simulated_addresses() const { return simulated_addresses_; }

    void set_log(std::shared_ptr<spdlog::logger> log) { log_ = std::move(log); }
    [[nodiscard]] DriverCounters& counters() { return counters_; }
    // In the order of time.
    [[nodiscard]] const std::vector<QpFailure>& qp_failures() const { return qp_failures_; }
    // The program did something that the interface's rules forbid. A warning says so, and the call goes on.
    void consumer_error(std::string_view what);
    [[nodiscard]] std::uint64_t consumer_errors() const { return consumer_errors_; }
    // Requests that are deferred, and warnings that name their queue pairs.
    [[nodiscard]] std::uint64_t deferred() const;
    void warn_of_deferred() const;

    // Objects of the interfaces that programs have open. An object that a program leaves open goes with the driver: its
    // memory only, the NIC is told nothing.
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
    const std::unique_ptr<Device> device_;
    HostMemory& memory_;
    const NodeParams& params_;
    const StatusProfile profile_;
    const std::uint32_t ip_address_;
    Registry registry_;
    Callbacks callbacks_;
    Doorbells doorbells_;
    RequestBook requests_;
    const std::unique_ptr<CmRouter> connections_;
    Spinners spinners_;
    QueueWatches watches_;
    std::optional<HostMemory::Region> event_;  // where the NIC writes that a queue pair is quiet
    Rng choices_{0, "adapter"};
    bool enabled_ = true;
    bool connects_before_run_ = false;
    bool simulated_addresses_ = false;
    std::shared_ptr<spdlog::logger> log_;
    DriverCounters counters_;
    std::vector<QpFailure> qp_failures_;
    std::uint64_t consumer_errors_ = 0;
    std::unordered_map<const void*, std::shared_ptr<void>> open_;  // never iterated
};

}  // namespace ndsim::core
