// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/driver.hpp"

#include "ndapi/core/cm_router.hpp"
#include "ndapi/core/qp.hpp"
#include "ndapi/core/srq.hpp"

namespace ndsim::core {

Driver::Driver(std::unique_ptr<Device> device, RunningCore& running, Core& callback_core, LedgerBook& ledgers,
               StatusProfile profile, std::uint32_t ip_address, const QueueWatches& watches)
    : device_(std::move(device)),
      memory_(device_->memory()),
      params_(device_->params()),
      profile_(profile),
      ip_address_(ip_address),
      registry_(device_->host()),
      callbacks_(device_->timeline(), running, callback_core),
      doorbells_(*device_, callbacks_, registry_),
      requests_(device_->host(), ledgers, registry_),
      connections_(std::make_unique<CmRouter>(*this)),
      spinners_(memory_, params_.cpu.poll_empty),
      watches_(watches) {
    device_->report_to(*this);
}

Driver::~Driver() = default;

void Driver::command(Command command, std::function<void()> done) {
    device_->control().submit(callbacks_.time(), std::move(command), std::move(done));
}

void Driver::quiesce(QpNum qp, std::function<void()> done) {
    if (!event_) {
        event_ = memory_.allocate(ControlPort::kEventBytes);
    }
    device_->control().quiesce(callbacks_.time(), qp, event_->base,
                               [this, done = std::move(done)] { callbacks_.defer(now(), done); });
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

std::uint64_t Driver::deferred() const {
    std::uint64_t sum = 0;
    for (const Qp* const qp : registry_.qps()) {
        sum += qp->deferred();
    }
    return sum;
}

void Driver::warn_of_deferred() const {
    for (const Qp* const qp : registry_.qps()) {
        if (log_ && qp->deferred() > 0) {
            log_->warn("QP {:#x}: a chain of {} deferred requests was never ended, so none of them began",
                       raw(qp->number()), qp->deferred());
        }
    }
}

void Driver::consumer_error(std::string_view what) {
    ++consumer_errors_;
    if (log_) {
        log_->warn("an error of the program: {}", what);
    }
}

void Driver::qp_error(QpNum number, WcStatus why) {
    // A flush of the program may be under way; the reason tells whether the NIC has found an error before it.
    if (why != WcStatus::wr_flush && registry_.find(number) != nullptr) {
        qp_failures_.push_back({number, why, now()});
        if (log_) {
            log_->warn("QP {:#x} is in error ({}): what is outstanding on it is flushed", raw(number),
                       kWcStatusNames[static_cast<std::size_t>(why)]);
        }
    }
    callbacks_.defer(now(), [this, number, why] {
        if (Qp* const qp = registry_.find(number)) {
            qp->failed(why);
        }
    });
}

void Driver::cq_error(CqNum number) {
    if (log_) {
        log_->warn("CQ {} has overrun: its queue pairs are dead", raw(number));
    }
    ++counters_.cq_errors;
    callbacks_.defer(now(), [this, number] {
        if (Cq* const cq = registry_.find(number)) {
            cq->failed();
        }
    });
}

void Driver::srq_limit(SrqNum number) {
    callbacks_.defer(now(), [this, number] {
        if (Srq* const srq = registry_.find(number)) {
            srq->limit_reached();
        }
    });
}

void Driver::datagram(std::span<const std::byte> bytes) {
    callbacks_.defer(now(), [this, message = read_cm_message(bytes)] { connections_->handle(message); });
}

}  // namespace ndsim::core
