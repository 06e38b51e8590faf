// SPDX-License-Identifier: Apache-2.0
#include "ndapi/wsd/link.hpp"

#include <algorithm>
#include <array>

#include "ndapi/core/adapter_limits.hpp"
#include "ndapi/core/blocking.hpp"
#include "ndapi/core/closing.hpp"

namespace ndsim::wsd {

Link::Link(Setting& setting, core::Pd& pd, Events events, std::unique_ptr<core::Connector> asked)
    : setting_(setting),
      pd_(pd),
      events_(std::move(events)),
      inline_bytes_(core::limits_of(setting.driver).inline_bytes),
      receive_sges_(std::min(setting.options.receive_sges, core::limits_of(setting.driver).receive_sges)),
      connector_(asked != nullptr ? std::move(asked) : std::make_unique<core::Connector>(setting.driver)),
      turn_(setting) {
    connector_->wait_for_receives();  // W61: any number of RNR retries
}

void Link::prepare(std::function<void()> prepared) {
    preparing_ = true;
    cq_ = std::make_unique<core::Cq>(setting_.driver, kSendDepth + kReceiveDepth, [this](NTSTATUS) { interrupted(); });
    cq_->create([this, prepared = std::move(prepared)](NTSTATUS) { create_qp(prepared); });
}

void Link::create_qp(std::function<void()> prepared) {
    const core::AdapterLimits limits = core::limits_of(setting_.driver);
    const core::QpLimits wanted{kReceiveDepth, kSendDepth, receive_sges_, std::min(kSendSges, limits.initiator_sges),
                                inline_bytes_};
    qp_ = std::make_unique<core::Qp>(pd_, *cq_, *cq_, nullptr, this, wanted);
    qp_->create([this, prepared = std::move(prepared)](NTSTATUS) {
        prepared();  // which may make the link leave
        preparing_ = false;
        if (leaving_) {
            take_down();
        }
    });
}

void Link::connect(core::SharedEndpoint& local, const core::Endpoint& peer, Done done) {
    prepare([this, &local, peer, done = std::move(done)] {
        if (leaving_) {
            return;
        }
        const NTSTATUS status = connector_->connect(*qp_, local, peer, kReadLimits, {},
                                                    [this, done](NTSTATUS outcome) { answered(outcome, done); });
        if (status != STATUS_PENDING) {
            done(status);
        }
    });
}

void Link::answered(NTSTATUS status, const Done& done) {
    if (status == STATUS_SUCCESS && !leaving_) {
        status = connector_->complete_connect(events_.down, done);
    }
    if (status != STATUS_PENDING) {
        done(status);
    }
}

NTSTATUS Link::accept() {
    core::wait_for(setting_.driver, "the NIC to create a queue pair", [this](const auto& done) {
        prepare([done] { done(STATUS_SUCCESS); });
        return STATUS_PENDING;
    });
    if (leaving_) {
        return STATUS_CANCELLED;
    }
    return core::wait_for(setting_.driver, "the peer of an accept", [this](const auto& done) {
        return connector_->accept(*qp_, kReadLimits, {}, events_.down, done);
    });
}

void Link::disconnect() {
    (void)connector_->disconnect([](NTSTATUS) {});
}

std::optional<QpNum> Link::number() const {
    return qp_ == nullptr ? std::nullopt : std::optional(qp_->number());
}

// The callback core and a thread may both be here; the queue may be gone before a caller's turn.
void Link::drain() {
    const Turn::Scope turn(turn_);
    std::array<core::Completion, kSendDepth> batch;
    while (cq_ != nullptr && cq_->can_poll()) {
        const std::size_t found = cq_->poll(batch);
        std::for_each_n(batch.begin(), found, events_.completed);
    }
}

void Link::arm() {
    const Turn::Scope turn(turn_);
    if (cq_ != nullptr && !std::exchange(armed_, true)) {
        cq_->arm(Arm::any);
    }
}

void Link::interrupted() {
    armed_ = false;
    drain();
    if (events_.needs_interrupts()) {
        arm();
    }
}

void Link::leave(std::function<void()> quiet) {
    leaving_ = true;
    quiet_ = std::move(quiet);
    if (!preparing_) {
        take_down();
    }
}

// The disconnect tells the peer that this is no failure.
void Link::take_down() {
    disconnect();
    core::close_and_forget(setting_.driver, std::move(connector_));
    if (qp_ == nullptr) {
        setting_.driver.callbacks().defer(setting_.driver.core().clock(), std::exchange(quiet_, nullptr));
        return;
    }
    qp_->close([this](const std::function<void()>& let_go) {
        let_go();
        setting_.driver.callbacks().defer(setting_.driver.now(), [this] { went_quiet(); });
    });
}

void Link::went_quiet() {
    drain();
    core::close_and_forget(setting_.driver, std::move(cq_));
    std::exchange(quiet_, nullptr)();
}

}  // namespace ndsim::wsd
