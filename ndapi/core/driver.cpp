// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/driver.hpp"

#include <cstring>

#include "models/nic/nic.hpp"
#include "models/parts/doorbell_record.hpp"
#include "models/parts/ranks.hpp"
#include "ndapi/core/connection_manager.hpp"
#include "ndapi/core/cq.hpp"
#include "ndapi/core/mr.hpp"
#include "ndapi/core/mw.hpp"
#include "ndapi/core/qp.hpp"
#include "ndapi/core/srq.hpp"

namespace ndsim::core {

namespace {

// Preamble and gap belong to layer 1.
template <class Port>
Driver::Traffic octets_of(const Port& port) {
    constexpr std::uint64_t kLayer1 = 20;
    return {port.packets(), port.bytes() - port.packets() * kLayer1};
}

}  // namespace

Driver::Driver(Node& node, RunningCore& running, Core& callbacks, Ledgers& ledgers, StatusProfile profile,
               std::uint32_t ip_address)
    : node_(node),
      running_(running),
      callbacks_(callbacks),
      ledgers_(ledgers),
      profile_(profile),
      ip_address_(ip_address),
      connections_(std::make_unique<ConnectionManager>(*this)),
      spinners_(node.memory, node.params.cpu.poll_empty),
      deadlines_(node.timeline, kRankControl),
      record_writes_(*this, node.timeline, kRankCommit),
      index_writes_(*this, node.timeline, kRankCommit),
      next_key_(first_key(node.host)),
      qp_watch_(&node.qps.others),
      cq_watch_(&node.cqs.others),
      srq_watch_(&node.srqs.others) {
    node_.nic->control.host.bind(*this);
    callbacks_.run_thread([this] { run_callbacks(); });
}

Driver::~Driver() = default;

Driver::Traffic Driver::received() const {
    return octets_of(node_.nic->rx);
}

Driver::Traffic Driver::sent() const {
    return octets_of(node_.nic->tx);
}

void Driver::store(const Mmio& mmio, const HostMemory::Region& record) {
    const CpuParams& cpu = params().cpu;
    Core& core = this->core();
    if (records_doorbells() && mmio.kind != MmioKind::cq_consumer) {
        this->record(mmio, record);
    }
    if (core.is_thread()) {
        core.stall();  // a stepper has made sure that there is room
    }
    if (mmio.pushed_units > 0) {
        core.spend(CoreActivity::push, mmio.pushed_units * cpu.mmio_wc64);
    } else {
        core.spend(CoreActivity::store, cpu.mmio_uc);
    }
    core.stored();
    node_.store(mmio, core);
}

// The core may be ahead of the simulation, and the NIC must not read data not yet written.
void Driver::record(const Mmio& mmio, const HostMemory::Region& record) {
    record_writes_.push(std::max(now(), core().clock()), {record.base, mmio});
}

void Driver::write_record(const RecordWrite& write) {
    write_doorbell_record(node_.memory.bytes(write.record, kDoorbellRecordBytes), write.mmio);
    node_.memory.software_wrote(write.record, kDoorbellRecordBytes);
}

void Driver::store_index(CqNum cq, std::uint32_t consumer) {
    index_writes_.push(std::max(now(), core().clock()), {cq, consumer});
}

void Driver::write_index(const IndexWrite& write) {
    if (Cq* const cq = find(write.cq)) {
        cq->store_consumer_index(write.consumer);
    }
}

void Driver::command(Command command, std::function<void()> done) {
    node_.nic->control.submit(std::max(now(), core().clock()), std::move(command), std::move(done));
}

void Driver::send_datagram(const CmMessage& message, std::function<void()> sent) {
    const std::optional<HostId> to = neighbour(message.destination_ip);
    if (!to) {
        return;  // no such host
    }
    SendDatagram datagram;
    datagram.to = *to;
    write_cm_message(datagram.bytes, message);
    command(datagram, std::move(sent));
}

bool Driver::creates_inline(bool needs_nic) {
    switch (params().adapter.create_inline) {
        case CreateInline::as_needed:
            break;
        case CreateInline::mixed:
            return choices_.next() % 2 == 0;
        case CreateInline::always_sync:
            return true;
        case CreateInline::always_async:
            return false;
    }
    return !needs_nic;
}

void Driver::quiesce(QpNum qp, std::function<void()> done) {
    if (!event_) {
        event_ = node_.memory.allocate(ControlPort::kEventBytes);
    }
    node_.nic->control.quiesce(std::max(now(), core().clock()), qp, event_->base,
                               [this, done = std::move(done)] { defer_call(now(), done); });
}

void Driver::defer_call(Picoseconds at, std::function<void()> call) {
    calls_.push(std::move(call));
    callbacks_.wake(at);
}

void Driver::run_callbacks() {
    for (;;) {
        while (!calls_.empty()) {
            call_ = calls_.pop();
            call_();
            call_ = nullptr;
            callbacks_.sync();
        }
        callbacks_.sleep();
    }
}

std::uint64_t Driver::deferred() const {
    std::uint64_t sum = 0;
    for (const auto& [qp, lives] : qps_.places()) {
        sum += qp == nullptr ? 0 : qp->deferred();
    }
    return sum;
}

void Driver::warn_of_deferred() const {
    for (const auto& [qp, lives] : qps_.places()) {
        if (log_ && qp != nullptr && qp->deferred() > 0) {
            log_->warn("QP {:#x}: a chain of {} deferred requests was never ended, so none of them began",
                       raw(qp->number()), qp->deferred());
        }
    }
}

Ledger& Driver::open_ledger(Posted request) {
    Ledger& ledger = book().open(request.begun);
    request.request = ledger.id.number;
    ledger.receives = request.kind == OperationKind::receive;
    ledger.silent = request.silent;
    for (RequestObserver* const observer : observers_) {
        observer->posted(node_.host, request);
    }
    return ledger;
}

// A silent request ended with its acknowledgement; the request that reports it, before its completion was written.
void Driver::note_slots_held(const Retired& request, const Ledger& ledger, std::optional<Picoseconds>& silent_done) {
    if (request.silent) {
        silent_done = silent_done.value_or(ledger.last);
        return;
    }
    if (Qp* const qp = silent_done ? find(request.qp) : nullptr) {
        qp->slots_held(ledger.last - ledger.accounts[static_cast<std::size_t>(Account::cqe)] - *silent_done);
    }
    silent_done.reset();
}

void Driver::close_ledgers(Picoseconds poll_returns) {
    std::optional<Picoseconds> silent_done;  // the first that the next completion reports
    for (Retired& request : retired_) {
        if (request.srq != nullptr) {
            request.srq->srq.give_at(request.srq_slots, poll_returns);
        } else if (request.kind == OperationKind::receive) {
            request.watch->rq.give_at(1, poll_returns);
        } else {
            if (!request.slot_is_free) {
                request.watch->sq.give_at(1, poll_returns);
                request.watch->sq_completed.give_at(1, poll_returns);
            }
        }
        Ledger* const ledger = book().find(request.request);
        if (ledger == nullptr) {
            continue;
        }
        if (request.srq == nullptr && request.kind != OperationKind::receive && !request.slot_is_free) {
            note_slots_held(request, *ledger, silent_done);
        }
        if (!request.silent) {
            ledger->mark(Account::poll, poll_returns);
        }
        request.ledger = ledger;
        for (RequestObserver* const observer : observers_) {
            observer->retired(node_.host, request);
        }
        book().close(*ledger);
    }
    retired_.clear();
}

PayloadRef Driver::push_buffer(std::span<const std::byte> wqe) {
    const PayloadRef buffer = node_.payloads.take();
    std::memcpy(node_.payloads.data(buffer), wqe.data(), wqe.size());
    return buffer;
}

void Driver::qp_error(QpNum number, WcStatus why) {
    if (const Qp* const qp = find(number); qp != nullptr && !qp->flushed()) {
        qp_failures_.push_back({number, why, now()});
        if (log_) {
            log_->warn("QP {:#x} is in error ({}): what is outstanding on it is flushed", raw(number),
                       kWcStatusNames[static_cast<std::size_t>(why)]);
        }
    }
    defer_call(now(), [this, number, why] {
        if (Qp* const qp = find(number)) {
            qp->failed(why);
        }
    });
}

void Driver::cq_error(CqNum number) {
    if (log_) {
        log_->warn("CQ {} has overrun: its queue pairs are dead", raw(number));
    }
    ++counters_.cq_errors;
    defer_call(now(), [this, number] {
        if (Cq* const cq = find(number)) {
            cq->failed();
        }
    });
}

void Driver::consumer_error(std::string_view what) {
    ++consumer_errors_;
    if (log_) {
        log_->warn("an error of the program: {}", what);
    }
}

void Driver::srq_limit(SrqNum number) {
    defer_call(now(), [this, number] {
        if (Srq* const srq = srqs_.find(raw(number))) {
            srq->limit_reached();
        }
    });
}

void Driver::datagram(std::span<const std::byte> bytes) {
    defer_call(now(), [this, message = read_cm_message(bytes)] { connections_->handle(message); });
}

}  // namespace ndsim::core
