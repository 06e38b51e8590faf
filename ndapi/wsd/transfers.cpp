// SPDX-License-Identifier: Apache-2.0
#include "ndapi/wsd/transfers.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "ndapi/windows/os/waits.hpp"

namespace ndsim::wsd {

namespace {

// The access that an operation needs to its memory.
std::uint8_t needed_access(OperationKind kind) {
    return kind == OperationKind::receive || kind == OperationKind::read ? kLocalWrite : kLocalRead;
}

int error_of_post(NTSTATUS status) {
    switch (status) {
        case STATUS_CONNECTION_INVALID:
            return WSAENOTCONN;
        case STATUS_NO_MORE_ENTRIES:
        case STATUS_INSUFFICIENT_RESOURCES:
            return WSAENOBUFS;
        default:
            return WSAEINVAL;
    }
}

bool is_too_long(const core::Completion& completion) {
    return completion.kind == OperationKind::receive &&
           (completion.status == STATUS_BUFFER_OVERFLOW || completion.status == STATUS_DATA_OVERRUN);
}

}  // namespace

int Transfers::may_start(DWORD flags, const OVERLAPPED* overlapped) const {
    if (!overlapped_ || life_.stage() == Stage::created || flags != 0 || overlapped == nullptr) {
        return WSAEINVAL;
    }
    if (operations_.is_pending(*overlapped)) {
        setting_.driver.consumer_error("an overlapped structure is used again while it is pending");
        return WSAEINVAL;  // W40
    }
    return 0;
}

int Transfers::may_transfer(OperationKind kind) const {
    if (life_.stage() != Stage::connected && life_.stage() != Stage::disconnected) {
        return WSAENOTCONN;
    }
    if (sends_shut_down_ && kind == OperationKind::send) {
        return WSAESHUTDOWN;
    }
    return life_.error();
}

int Transfers::fits(const Transfer& transfer) const {
    const bool receives = transfer.kind == OperationKind::receive;
    if (transfer.buffers.count() > (receives ? link_->receive_sges() : kSendSges)) {
        return WSAEINVAL;
    }
    if (transfer.buffers.total() > setting_.options.max_message) {
        setting_.driver.consumer_error("a transfer is larger than the provider's limit");
        return WSAEINVAL;  // W36, W84
    }
    return 0;
}

bool Transfers::find_registrations(const Transfer& transfer, std::vector<Registration*>& uses) {
    const std::uint8_t access = needed_access(transfer.kind);
    const bool by_handle = transfer.kind == OperationKind::read || transfer.kind == OperationKind::write;
    for (const Buffer& buffer : transfer.buffers.get()) {
        if (buffer.range.length > 0) {
            uses.push_back(by_handle ? registrations_.of(buffer.handle, buffer.range, access)
                                     : registrations_.covering(buffer.range, access));
        }
    }
    return std::ranges::find(uses, nullptr) == uses.end();
}

bool Transfers::has_slot(OperationKind kind) const {
    return kind == OperationKind::receive ? operations_.receives() < kReceiveDepth
                                          : operations_.initiated() < kSendDepth;
}

bool Transfers::is_inline(const Transfer& transfer) const {
    const std::uint64_t bytes = transfer.buffers.total();
    return transfer.kind == OperationKind::send && bytes > 0 && bytes <= link_->inline_bytes();
}

int Transfers::start(Transfer& transfer) {
    if (!has_slot(transfer.kind)) {
        link_->drain();  // finished operations have only to be seen; others go on meanwhile
    }
    if (const int code = may_transfer(transfer.kind); code != 0) {
        return code;
    }
    if (const int code = fits(transfer); code != 0) {
        return code;
    }
    std::vector<Registration*> uses;
    if (!find_registrations(transfer, uses)) {
        return WSAEFAULT;
    }
    if (!has_slot(transfer.kind)) {
        os::look_in_vain(setting_.driver, this);
        return WSAENOBUFS;
    }
    return post(transfer, uses);
}

// The structure looks pending before the NIC learns of the operation (W48).
int Transfers::post(Transfer& transfer, const std::vector<Registration*>& uses) {
    const auto bytes = static_cast<DWORD>(transfer.buffers.total());
    const bool inlined = is_inline(transfer);
    const bool at_once = inlined && setting_.options.immediate_sends;
    // Inline data is copied by the call, so a send that is done at once uses no memory (W69).
    Operation& operation = at_once ? operations_.begin(nullptr, transfer.kind, bytes, {})
                                   : operations_.begin(transfer.overlapped, transfer.kind, bytes, uses);
    if (const NTSTATUS status = post(transfer, uses, operation, inlined); status != STATUS_SUCCESS) {
        operations_.take_back(operation);
        return error_of_post(status);
    }
    if (transfer.kind == OperationKind::send || transfer.kind == OperationKind::read) {
        fence_next_send_ = transfer.kind == OperationKind::read;  // W79, W80
    }
    if (at_once) {
        operations_.done_at_once(*transfer.overlapped, bytes);
        transfer.done_bytes = bytes;
        return 0;
    }
    if (needs_interrupts()) {
        link_->arm();
    }
    return WSA_IO_PENDING;
}

NTSTATUS Transfers::post(const Transfer& transfer, const std::vector<Registration*>& uses, Operation& operation,
                         bool inlined) {
    std::array<core::LocalPiece, Buffers::kMost> pieces;
    std::size_t count = 0;
    for (const Buffer& buffer : transfer.buffers.get()) {
        if (buffer.range.length > 0) {
            const MrKey key = uses[count]->mr->key();
            pieces[count] = {buffer.range.data, buffer.range.length, key};
            ++count;
        }
    }
    const std::span<const core::LocalPiece> list = std::span(pieces).first(count);
    core::Qp& qp = link_->qp();
    core::RequestOptions options;
    switch (transfer.kind) {
        case OperationKind::receive:
            return qp.receive(&operation, list);
        case OperationKind::read:
            return qp.initiator().read(&operation, list, transfer.remote, MrKey{}, options);
        case OperationKind::write:
            return qp.initiator().write(&operation, list, transfer.remote, options);
        default:
            options.inlined = inlined;
            options.read_fence = fence_next_send_;
            return qp.initiator().send(&operation, list, options);
    }
}

void Transfers::completed(const core::Completion& completion) {
    auto& operation = *static_cast<Operation*>(completion.request_context);
    const int error = error_of(completion);
    const bool succeeded = completion.status == STATUS_SUCCESS;
    if (error != 0 && life_.stage() != Stage::closed && life_.stage() != Stage::suspended) {
        life_.fail(WSAECONNABORTED);
    }
    const DWORD bytes = completion.kind == OperationKind::receive ? completion.bytes : operation.bytes;
    operations_.end(operation, error, succeeded ? bytes : 0);
}

// A flushed operation ends with the reason of the flush (wsd.md 6).
int Transfers::error_of(const core::Completion& completion) const {
    if (completion.status == STATUS_SUCCESS) {
        return 0;
    }
    if (completion.status != STATUS_CANCELLED) {
        return is_too_long(completion) ? WSAEMSGSIZE : WSAECONNABORTED;
    }
    if (life_.stage() == Stage::closed) {
        return WSA_OPERATION_ABORTED;
    }
    if (life_.stage() == Stage::suspended) {
        return completion.kind == OperationKind::receive ? 0 : WSA_OPERATION_ABORTED;
    }
    return life_.error() != 0 ? life_.error() : WSAECONNABORTED;
}

bool Transfers::needs_interrupts() const {
    const bool suspends = life_.stage() == Stage::suspended && operations_.initiated() + operations_.receives() > 0;
    return suspends || operations_.needs_interrupts();
}

// A switch that only polls finds every completion (W53).
int Transfers::result(const OVERLAPPED& overlapped, bool wait) {
    if (!operations_.knows(overlapped)) {
        return WSAEINVAL;
    }
    if (operations_.is_pending(overlapped)) {
        link_->drain();
    }
    if (overlapped.Internal != WSS_OPERATION_IN_PROGRESS) {
        return static_cast<int>(overlapped.OffsetHigh);
    }
    if (!wait) {
        os::look_in_vain(setting_.driver, &overlapped);
        return WSA_IO_INCOMPLETE;
    }
    const HANDLE event = reinterpret_cast<HANDLE>(reinterpret_cast<ULONG_PTR>(overlapped.hEvent) & ~ULONG_PTR{1});
    if (setting_.process.handles().find<os::Event>(event) == nullptr) {
        return WSA_INVALID_HANDLE;
    }
    link_->arm();  // no other poll is needed
    operations_.wait(overlapped);
    return static_cast<int>(overlapped.OffsetHigh);
}

}  // namespace ndsim::wsd
