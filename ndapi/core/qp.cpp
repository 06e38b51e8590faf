// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/qp.hpp"

#include "models/parts/doorbell_record.hpp"
#include "ndapi/core/connector.hpp"
#include "ndapi/core/object_command.hpp"
#include "ndapi/core/srq.hpp"

namespace ndsim::core {

Qp::Qp(Pd& pd, Cq& receive_cq, Cq& send_cq, Srq* srq, void* context, const QpLimits& limits)
    : driver_(pd.driver()),
      receive_cq_(receive_cq),
      send_cq_(send_cq),
      receive_cq_number_(receive_cq.number()),
      send_cq_number_(send_cq.number()),
      watch_(*pd.driver().watches().qps),
      number_(pd.driver().registry().add(*this)),
      limits_(limits),
      sends_(driver_, number_, watch_, limits, record_),
      initiator_(*this, pd, limits_, sends_),
      receive_calls_(pd.driver(), "posts to the receive queue of QP {:#x}", raw(number_)),
      pd_(pd),
      srq_(srq),
      context_(context) {
    pd_.hold();
    receive_cq_.hold();
    send_cq_.hold();
    if (srq_ != nullptr) {
        srq_->hold();
        srq_->add_user();
    } else {
        receives_.emplace(driver_, number_, watch_, limits, record_);
    }
}

void Qp::report_overlaps() {
    initiator_.report_overlaps();
    receive_calls_.report_overlaps();
}

void Qp::create(std::function<void(NTSTATUS)> done) {
    QpAttributes attributes;
    attributes.qp = number_;
    attributes.pd = pd_.number();
    attributes.send_cq = send_cq_number_;
    attributes.receive_cq = receive_cq_number_;
    sends_.allocate(attributes);
    if (driver().doorbells().are_recorded() || driver().doorbells().are_only_recorded_for_receives()) {
        record_ = driver().memory().allocate(kDoorbellRecordBytes);
        attributes.record = record_.base;
    }
    attributes.invalidate_waits = driver().profile() == StatusProfile::infiniband;
    if (receives_) {
        receives_->allocate(attributes);
    } else {
        attributes.srq = srq_->number();
    }
    attributes.watch = &watch_;
    attributes.on_receives = &on_receives_;
    command_for(*this, driver(), attributes, std::move(done));
}

Completion Qp::complete_receive(const Cqe& cqe) {
    Completion completion;
    completion.qp_context = context_;
    completion.bytes = cqe.bytes;
    completion.token = cqe.token;
    completion.kind = OperationKind::receive;
    completion.status = completion_status(driver().profile(), cqe.status, completion.kind, limits_.documents);
    if (cqe.token != 0) {
        driver().registry().key_died(MrKey{cqe.token});
    }
    Retired retired{number_, completion.kind, completion.status, cqe.bytes};
    retired.watch = &watch_;
    if (receives_) {
        const ReceiveQueue::Request& request = receives_->complete(cqe.wqe_index);
        completion.request_context = request.context;
        retired.request = request.number;
        retired.slots = &receives_->returned();
    } else {
        const Srq::Reclaimed taken = srq_->complete(cqe.wqe_index);
        completion.request_context = taken.context;
        retired.request = taken.request;
        retired.srq = &srq_->watch();
        retired.slots = &srq_->returned();
        retired.srq_slots = taken.slots;
    }
    driver().requests().retire(retired);
    return completion;
}

// The peer has invalidated a key; no request of this side has completed.
Completion Qp::complete_invalidation(const Cqe& cqe) {
    driver().registry().key_died(MrKey{cqe.token});
    Completion completion;
    completion.qp_context = context_;
    completion.kind = OperationKind::invalidate;
    completion.token = cqe.token;
    completion.by_peer = true;
    return completion;
}

Completion Qp::complete(const Cqe& cqe) {
    if (cqe.opcode == WqeOpcode::receive) {
        return cqe.invalidation ? complete_invalidation(cqe) : complete_receive(cqe);
    }
    Completion completion;
    completion.qp_context = context_;
    completion.bytes = cqe.bytes;
    completion.token = cqe.token;
    const SendQueue::Request& request = sends_.oldest_from(cqe.wqe_index);
    completion.kind = request.kind;
    completion.status = completion_status(driver().profile(), cqe.status, completion.kind, limits_.documents);
    completion.request_context = request.context;
    sends_.retire_oldest(completion.status, false);
    return completion;
}

void Qp::drop(const Cqe& cqe) {
    if (srq_ != nullptr && cqe.opcode == WqeOpcode::receive && !cqe.invalidation) {
        srq_->drop(cqe.wqe_index, driver().core().clock());
    }
}

// No completion could be reported any more [K163].
bool Qp::has_lost_completions() const {
    return send_cq_.has_failed() || receive_cq_.has_failed();
}

NTSTATUS Qp::receive(void* context, std::span<const LocalPiece> pieces, Tells tells) {
    if (!receives_) {
        return STATUS_INVALID_DEVICE_REQUEST;  // [K198]
    }
    const auto call = receive_calls_.enter();
    if (has_lost_completions()) {
        return STATUS_CONNECTION_INVALID;
    }
    if (const NTSTATUS error = limits_.error_of(WqeOpcode::receive, pieces, false, driver_.params().nic.queues.max_sge);
        error != STATUS_SUCCESS) {
        return error;
    }
    if (receives_->full()) {
        return STATUS_NO_MORE_ENTRIES;
    }
    receives_->post({context, open_request(OperationKind::receive, false)}, pieces);
    if (tells == Tells::at_once) {
        ring_receive_doorbell();
    }
    return STATUS_SUCCESS;
}

// A NIC that has flushed the queue no longer reads its record.
void Qp::ring_receive_doorbell() {
    receives_->ring(failed_ || flushed_);
}

std::uint32_t Qp::open_request(OperationKind kind, bool silent) {
    const Picoseconds clock = driver().core().clock();
    const Wanted wanted = std::exchange(wanted_, std::nullopt).value_or(Wanted{clock, Account::slot, clock});
    Ledger& ledger = driver().requests().open({0, kind, wanted.at, number_, &watch_, silent});
    ledger.mark(wanted.why, wanted.until);
    ledger.mark(Account::post, clock);
    last_request_ = ledger.id.number;
    return last_request_;
}

void Qp::flush(WcStatus oldest) {
    flushed_ = true;
    const SendRing::End sends = sends_.posted_by_now();
    sends_.deferred().suspend(sends);
    hold();
    const bool told_of_receives = !driver().doorbells().are_only_recorded_for_receives();
    const std::uint32_t receives = told_of_receives || !receives_ ? 0 : receives_->posted();
    driver().command(FailQp{number_, oldest, sends.units, sends.requests, receives},
                     [this] { sends_.deferred().resume([this] { release(); }); });
}

void Qp::flush_and_wait(std::function<void()> quiet) {
    flush();
    driver().quiesce(number_, std::move(quiet));
}

void Qp::failed(WcStatus why) {
    const bool is_news = !std::exchange(failed_, true);
    if (is_news && driver().doorbells().are_only_recorded_for_receives() && receives_) {
        ring_receive_doorbell();
    }
    // A flush is this side's own wish: the connection is still ended in order. A failure ends it at once, also one of
    // the completion queue that the flush overruns [ndkpi.md 5.12].
    if (why != WcStatus::wr_flush && connector_ != nullptr) {
        connector_->qp_failed(why);
    }
}

void Qp::begin_close() {
    hold();
    if (Connector* const connector = connector_) {
        connector->hold();
        driver().callbacks().defer(driver().now(), [connector] {
            connector->qp_closing();
            connector->release();
        });
    }
    flush_and_wait([this] {
        command_for(*this, driver(), DestroyQp{number_});
        release();
    });
}

void Qp::when_unused(const std::function<void()>& forget) {
    // This queue pair may be gone after the first call.
    Cq* const others = &receive_cq_ == &send_cq_ ? nullptr : &send_cq_;
    unpolled_cqs_ = others == nullptr ? 1 : 2;
    const auto polled = [this, forget, srq = srq_] {
        if (--unpolled_cqs_ == 0) {
            forget();  // this queue pair is gone now
            if (srq != nullptr) {
                srq->remove_user();
            }
        }
    };
    receive_cq_.when_polled(polled);
    if (others != nullptr) {
        others->when_polled(polled);
    }
}

void Qp::end_close() {
    sends_.free();
    if (record_.data != nullptr) {
        driver().memory().remove(record_.base);
    }
    if (receives_) {
        receives_->free();
    }
}

std::vector<Object*> Qp::antecedents() {
    std::vector<Object*> objects{&receive_cq_, &send_cq_, &pd_};
    if (srq_ != nullptr) {
        objects.push_back(srq_);
    }
    return objects;
}

}  // namespace ndsim::core
