// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/initiator.hpp"

#include "ndapi/core/connector.hpp"
#include "ndapi/core/key_changes.hpp"
#include "ndapi/core/qp.hpp"

namespace ndsim::core {

namespace {

// Software has just written the data to send.
void produced(Driver& driver, std::span<const LocalPiece> pieces) {
    for (const LocalPiece& piece : pieces) {
        if (const Mr* const mr = driver.registry().find(piece.key)) {
            driver.memory().software_wrote(mr->address_of(piece.data), piece.length);
        }
    }
}

}  // namespace

Initiator::Initiator(Qp& qp, Pd& pd, const QpLimits& limits, SendQueue& sends)
    : qp_(qp),
      driver_(pd.driver()),
      pd_(pd),
      limits_(limits),
      sends_(sends),
      calls_(driver_, "posts to the send queue of QP {:#x}", raw(qp.number())) {}

// The status that refuses a request which moves data; success if nothing is against it.
NTSTATUS Initiator::why_not(const Initiation& what, std::span<const LocalPiece> pieces, const RequestOptions& options) {
    if (!qp_.can_initiate()) {
        return STATUS_CONNECTION_INVALID;
    }
    if (const NTSTATUS error =
            limits_.error_of(what.opcode, pieces, options.inlined, driver_.params().nic.queues.max_sge);
        error != STATUS_SUCCESS) {
        return error;
    }
    if (what.opcode == WqeOpcode::read && qp_.connector()->limits().outbound == 0 &&
        limits_.documents == Documents::ndkpi) {
        return STATUS_INVALID_DEVICE_REQUEST;  // [K173]
    }
    return sends_.full() ? STATUS_NO_MORE_ENTRIES : STATUS_SUCCESS;
}

NTSTATUS Initiator::initiate(const Initiation& what, void* context, std::span<const LocalPiece> pieces,
                             const RequestOptions& options) {
    const auto call = calls_.enter();
    if (const NTSTATUS status = why_not(what, pieces, options); status != STATUS_SUCCESS) {
        return refuse_here(status);
    }
    WqeEntry entry(what.opcode);
    entry.put_options(options);
    entry.header.count = static_cast<std::uint16_t>(options.inlined ? total_length(pieces) : pieces.size());
    entry.header.token = raw(what.key);
    if (entry.header.is_remote()) {
        entry.put_remote(what.remote);
    }
    if (options.inlined) {
        entry.put_inline(pieces);
    } else {
        entry.put_sges(driver_, pieces);
        if (what.opcode != WqeOpcode::read && driver_.params().cpu.payload_cached) {
            produced(driver_, pieces);
        }
    }
    post(entry, {context, 0, what.kind, {}}, options);
    return STATUS_SUCCESS;
}

// Posts a request that changes a key. `error` is the error that it has in itself; `make` returns the operation, and is
// called only if nothing is against it.
template <class Make>
NTSTATUS Initiator::change_key(OperationKind kind, bool same_pd, NTSTATUS error, void* context,
                               const RequestOptions& options, Make make) {
    const auto call = calls_.enter();
    if (!same_pd) {
        return refuse_here(STATUS_INVALID_PARAMETER);  // [K138]
    }
    if (!qp_.can_initiate()) {
        return refuse_here(STATUS_CONNECTION_INVALID);
    }
    if (error != STATUS_SUCCESS) {
        return refuse_here(error);
    }
    if (sends_.full()) {
        return refuse_here(STATUS_NO_MORE_ENTRIES);
    }
    const KeyOperation operation = make();
    WqeEntry entry(operation.opcode);
    entry.put_options(options);
    entry.put_operation(operation);
    post(entry, {context, 0, kind, operation.key}, options);
    return STATUS_SUCCESS;
}

NTSTATUS Initiator::bind(void* context, const Binding& what, const RequestOptions& options) {
    const bool same_pd = &what.mr.pd() == &pd_ && &what.mw.pd() == &pd_;
    return change_key(OperationKind::bind, same_pd, error_of(what), context, options,
                      [&] { return operation_of(what); });
}

NTSTATUS Initiator::fast_register(void* context, const FastRegistration& what, const RequestOptions& options) {
    const bool same_pd = &what.mr.pd() == &pd_;
    return change_key(OperationKind::fast_register, same_pd, error_of(what), context, options,
                      [&] { return operation_of(what); });
}

NTSTATUS Initiator::invalidate(void* context, const Pd& pd, MrKey key, const RequestOptions& options) {
    return change_key(OperationKind::invalidate, &pd == &pd_, STATUS_SUCCESS, context, options,
                      [key] { return invalidation_of(key); });
}

NTSTATUS Initiator::invalidate(void* context, Mw& mw, const RequestOptions& options) {
    const NTSTATUS status = invalidate(context, mw.pd(), mw.key(), options);
    if (status == STATUS_SUCCESS) {
        mw.invalidation_posted();
    }
    return status;
}

void Initiator::post(WqeEntry& entry, const SendQueue::Request& request, const RequestOptions& options) {
    SendQueue::Request numbered = request;
    numbered.number = qp_.open_request(request.kind, options.silent);
    numbered.silent = options.silent;
    sends_.post(entry, numbered, options.defer);
}

NTSTATUS Initiator::refuse(NTSTATUS status) {
    const auto call = calls_.enter();
    return refuse_here(status);
}

// A failed post ends there; earlier deferred requests must not be left behind [K39].
NTSTATUS Initiator::refuse_here(NTSTATUS status) {
    sends_.deferred().ring_for_all();
    return status;
}

}  // namespace ndsim::core
