// SPDX-License-Identifier: Apache-2.0
#include "models/transport/local_operations.hpp"

#include "models/parts/ranks.hpp"
#include "sim/base/invariant_error.hpp"
#include "sim/base/slots.hpp"

namespace ndsim {

LocalOperations::LocalOperations(const sc_core::sc_module_name& name, Timeline& timeline, Picoseconds key_update)
    : Unit(name, timeline), key_update_(key_update), effects_(*this, timeline, kRankTransport) {}

Picoseconds LocalOperations::begin(QpNum qp, PdNum pd, const Wqe& wqe) {
    const std::uint32_t slot = take_slot(operations_, free_);
    operations_[slot] = {qp, pd, wqe.header.index, wqe.operation};
    effects_.push(now() + key_update_, slot);
    return now() + key_update_;
}

void LocalOperations::take_effect(const std::uint32_t& slot) {
    const Operation operation = operations_[slot];
    free_.push_back(slot);
    if (owner_->is_flushed(operation.qp)) {
        return;
    }
    key_.set(raw(operation.what.key), now());
    const WcStatus status = keys->carry_out(operation.what, operation.pd, operation.qp);
    ++(status == WcStatus::success ? done_ : failed_);
    owner_->local_done(operation.qp, operation.wqe_index, status);
}

void LocalOperations::report(StatSink& sink) const {
    sink.add("done", done_, StatUnit::count, "keys changed by requests");
    sink.add("failed", failed_, StatUnit::count, "keys that requests could not change");
}

void LocalOperations::check_idle() const {
    if (!effects_.empty()) {
        throw InvariantError(name(), now(), "keys are still to be changed at the end");
    }
}

}  // namespace ndsim
