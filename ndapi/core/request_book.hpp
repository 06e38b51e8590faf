// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "models/ledger/ledger.hpp"
#include "models/parts/qp_watch.hpp"
#include "models/parts/srq_watch.hpp"
#include "ndapi/core/registry.hpp"
#include "ndapi/core/returned_slots.hpp"
#include "ndapi/core/status.hpp"

namespace ndsim::core {

// A request that has been posted.
struct Posted {
    std::uint32_t request = 0;
    OperationKind kind{};
    Picoseconds begun{};
    std::optional<QpNum> qp;      // none for a receive of a shared queue: its queue pair is not yet known
    const Unit* watch = nullptr;  // of its queue
    bool silent = false;
};

// A request that has ended.
struct Retired {
    QpNum qp{};
    OperationKind kind{};
    NTSTATUS status = 0;
    std::uint32_t bytes = 0;
    bool silent = false;  // no completion was asked for; the ledger ends with the acknowledgement
    std::uint32_t request = 0;
    bool slot_is_free = false;  // of a request of the send queue: already counted as given back
    QpWatch* watch = nullptr;
    ReturnedSlots* slots = nullptr;  // of its queue
    const Ledger* ledger = nullptr;
    SrqWatch* srq = nullptr;      // of a receive that came from a shared queue
    std::uint32_t srq_slots = 0;  // given back there
};

// RequestObserver: hears of every request of a host when it is posted and when it has ended.
class RequestObserver {
public:
    virtual void posted(HostId /*host*/, const Posted& /*request*/) {}
    virtual void retired(HostId host, const Retired& request) = 0;

protected:
    ~RequestObserver() = default;
};

// RequestBook: the requests of a host between post and poll. It opens and closes their ledgers, gives their slots back
// to the queues and their watches, and tells observers.
class RequestBook {
public:
    RequestBook(HostId host, LedgerBook& ledgers, const Registry& registry)
        : host_(host), ledgers_(ledgers), registry_(registry) {}

    void observe(RequestObserver& observer) { observers_.push_back(&observer); }
    // Opens the ledger of a request that began at `begun`.
    Ledger& open(Posted request);
    // Software has built the request's WQE at `at`.
    void built(std::uint32_t request, Picoseconds at) { ledgers_.mark(request, {{Account::post, at}}); }
    // A request whose completion is being polled. close() follows when the poll returns.
    void retire(const Retired& request) { retired_.push_back(request); }
    void close(Picoseconds poll_returns);

private:
    static void give_slots(const Retired& request, Picoseconds at);
    void note_slots_held(const Retired& request, const Ledger& ledger, std::optional<Picoseconds>& silent_done);

    const HostId host_;
    LedgerBook& ledgers_;
    const Registry& registry_;
    std::vector<RequestObserver*> observers_;
    std::vector<Retired> retired_;
};

}  // namespace ndsim::core
