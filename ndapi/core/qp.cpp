// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/qp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "models/parts/doorbell_record.hpp"
#include "ndapi/core/connector.hpp"
#include "ndapi/core/srq.hpp"
#include "sim/base/error.hpp"

namespace ndsim::core {

Qp::Qp(Pd& pd, Cq& receive_cq, Cq& send_cq, Srq* srq, void* context, const QpLimits& limits)
    : driver_(pd.driver()),
      pd_(pd),
      receive_cq_(receive_cq),
      send_cq_(send_cq),
      srq_(srq),
      context_(context),
      limits_(limits),
      watch_(*pd.driver().watches().qps),
      number_(pd.driver().registry().add(*this)),
      send_calls_(pd.driver(), fmt::format("posts to the send queue of QP {:#x}", raw(number_))),
      receive_calls_(pd.driver(), fmt::format("posts to the receive queue of QP {:#x}", raw(number_))),
      send_units_(std::max(wqe_units(WqeOpcode::write, limits.initiator_sges, limits.inline_bytes),
                           wqe_units(WqeOpcode::fast_register, kFastRegisterPages, 0))),
      receive_units_(wqe_units(WqeOpcode::receive, limits.receive_sges, 0)),
      send_ring_units_(std::bit_ceil(limits.initiator_depth * send_units_)),
      receive_entries_(std::bit_ceil(std::max(1U, limits.receive_depth))) {
    pd_.hold();
    receive_cq_.hold();
    send_cq_.hold();
    if (srq_ != nullptr) {
        srq_->hold();
        srq_->add_user();
    }
}

void Qp::create(std::function<void(NTSTATUS)> done) {
    HostMemory& memory = driver().memory();
    send_ring_ = memory.allocate(std::uint64_t{send_ring_units_} * kWqeUnit);
    QpAttributes attributes;
    attributes.qp = number_;
    attributes.pd = pd_.number();
    attributes.send_cq = send_cq_.number();
    attributes.receive_cq = receive_cq_.number();
    attributes.sq_ring = send_ring_.base;
    attributes.sq_units = send_ring_units_;
    if (driver().params().adapter.reclaim == Reclaim::on_retire) {
        head_ = memory.allocate(sizeof(std::uint32_t));
        attributes.head = head_.base;
    }
    if (driver().doorbells().are_recorded() || driver().doorbells().are_only_recorded_for_receives()) {
        record_ = memory.allocate(kDoorbellRecordBytes);
        attributes.record = record_.base;
    }
    attributes.invalidate_waits = driver().profile() == StatusProfile::infiniband;
    if (srq_ != nullptr) {
        attributes.srq = srq_->number();
    } else {
        receive_ring_ = memory.allocate(std::uint64_t{receive_entries_} * receive_units_ * kWqeUnit);
        receives_.resize(receive_entries_);
        attributes.rq_ring = receive_ring_.base;
        attributes.rq_entries = receive_entries_;
        attributes.rq_stride = receive_units_;
    }
    attributes.watch = &watch_;
    hold();
    driver().command(attributes, [this, done = std::move(done)] {
        created_ = true;
        driver().callbacks().defer(driver().now(), [this, done] {
            done(STATUS_SUCCESS);
            release();
        });
    });
}

Completion Qp::complete_receive(const Cqe& cqe) {
    Completion completion;
    completion.qp_context = context_;
    completion.bytes = cqe.bytes;
    completion.token = cqe.token;
    completion.kind = OperationKind::receive;
    completion.status = completion_status(driver().profile(), cqe.status, completion.kind);
    if (cqe.token != 0) {
        driver().registry().key_died(MrKey{cqe.token});
    }
    if (srq_ == nullptr) {
        const Request& request = receives_[cqe.wqe_index % receive_entries_];
        completion.request_context = request.context;
        receives_reclaimed_ = cqe.wqe_index + 1;
        retire(request, completion.status, cqe.bytes, false);
        return completion;
    }
    const Srq::Reclaimed taken = srq_->complete(cqe.wqe_index);
    completion.request_context = taken.context;
    driver().requests().retire({number_, completion.kind, completion.status, cqe.bytes, false, taken.request, false,
                                &watch_, nullptr, &srq_->watch(), taken.slots});
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
    const std::uint32_t oldest = sends_posted_ - static_cast<std::uint32_t>(sends_.size());
    if (cqe.wqe_index - oldest >= sends_.size()) {
        throw InvariantError("qp", driver().now(),
                             "a completion names request " + std::to_string(cqe.wqe_index) + ", outstanding are " +
                                 std::to_string(oldest) + " to " + std::to_string(sends_posted_));
    }
    // Silent requests before this one have succeeded; this poll returns their slots [K55, K56].
    for (std::uint32_t i = oldest; i != cqe.wqe_index; ++i) {
        retire_oldest_send(STATUS_SUCCESS, true);
    }
    const Request& request = sends_.front();
    completion.kind = request.kind;
    completion.status = completion_status(driver().profile(), cqe.status, completion.kind);
    completion.request_context = request.context;
    retire_oldest_send(completion.status, false);
    return completion;
}

void Qp::retire_oldest_send(NTSTATUS status, bool silent) {
    const Request request = sends_.pop();
    sends_reclaimed_ += request.slot_is_free ? 0 : 1;
    retire(request, status, 0, silent);
}

void Qp::retire(const Request& request, NTSTATUS status, std::uint32_t bytes, bool silent) {
    const OperationKind dies_if = status == STATUS_SUCCESS ? OperationKind::invalidate : OperationKind::bind;
    if (request.kind == dies_if) {
        driver().registry().key_died(request.key);
    }
    driver().requests().retire({number_, request.kind, status, bytes, silent, request.number, request.slot_is_free,
                                &watch_, nullptr, nullptr, 0});
}

void Qp::flush(WcStatus oldest) {
    flushed_ = true;
    // Deferred requests are pending too, and must not begin now [K46]; nor may later posts [K150].
    send_rung_ = send_producer_;
    sends_rung_ = sends_posted_;
    ++flushes_;
    hold();
    const std::uint32_t receives = driver().doorbells().are_only_recorded_for_receives() ? receives_posted_ : 0;
    driver().command(FailQp{number_, oldest, send_producer_, sends_posted_, receives}, [this] {
        --flushes_;
        ring_held_doorbell();
    });
}

void Qp::flush_and_wait(std::function<void()> quiet) {
    flush();
    driver().quiesce(number_, std::move(quiet));
}

void Qp::failed(WcStatus why) {
    const bool is_news = !std::exchange(failed_, true);
    if (is_news && driver().doorbells().are_only_recorded_for_receives() && srq_ == nullptr) {
        ring_receive_doorbell();  // a NIC that has flushed the queue no longer reads its record
    }
    // A flush is this side's own wish: the connection is still ended in order. An earlier failure ends it at once.
    if (is_news && why != WcStatus::wr_flush && connector_ != nullptr) {
        connector_->qp_failed(why);
    }
}

void Qp::ring_receive_doorbell() {
    Mmio mmio;
    mmio.kind = MmioKind::rq_doorbell;
    mmio.queue = raw(number_);
    mmio.index = receives_posted_;
    if (driver().doorbells().are_only_recorded_for_receives() && !failed_ && !flushed_) {
        driver().doorbells().record(mmio, record_);
    } else {
        driver().doorbells().store(mmio, record_);
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
        driver().command(DestroyQp{number_},
                         [this] { driver().callbacks().defer(driver().now(), [this] { release(); }); });
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
    driver().memory().remove(send_ring_.base);
    if (head_.data != nullptr) {
        driver().memory().remove(head_.base);
    }
    if (record_.data != nullptr) {
        driver().memory().remove(record_.base);
    }
    if (srq_ == nullptr) {
        driver().memory().remove(receive_ring_.base);
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
