// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstring>

#include "ndapi/core/connector.hpp"
#include "ndapi/core/qp.hpp"

// How a queue pair posts requests: the checks at the call, the entry in the ring, the doorbell.
namespace ndsim::core {

namespace {

// The largest entry: header, remote range, and 63 SGEs or 1000 bytes inline.
constexpr std::size_t kMaxEntry = 1040;

std::uint8_t flags_of(const RequestOptions& options) {
    return static_cast<std::uint8_t>((options.silent ? 0 : kWqeSignaled) | (options.read_fence ? kWqeReadFence : 0) |
                                     (options.solicit ? kWqeSolicited : 0) | (options.inlined ? kWqeInline : 0));
}

// Whether the pages hold all registered bytes, and the base address has the same offset in its page [K125].
bool is_sound(const FastRegistration& what) {
    constexpr std::uint64_t kPage = HostMemory::kPage;
    const auto on_a_page = [](Address page) { return raw(page) % kPage == 0; };
    return what.pages.size() <= what.mr.pages() && what.first_byte < kPage &&
           raw(what.base) % kPage == what.first_byte && what.length > 0 &&
           what.first_byte + what.length <= what.pages.size() * kPage &&
           std::all_of(what.pages.begin(), what.pages.end(), on_a_page);
}

// Software has just written the data to send.
void produced(Driver& driver, std::span<const LocalPiece> pieces) {
    for (const LocalPiece& piece : pieces) {
        if (const Mr* const mr = driver.registry().find(piece.key)) {
            driver.memory().software_wrote(mr->address_of(piece.data), piece.length);
        }
    }
}

}  // namespace

// The header is written last, when the request has its numbers.
class Qp::Entry {
public:
    explicit Entry(WqeOpcode opcode) { header.opcode = opcode; }

    void put_inline(std::span<const LocalPiece> pieces) {
        std::byte* to = bytes() + header.body_at();
        for (const LocalPiece& piece : pieces) {
            std::memcpy(to, piece.data, piece.length);
            to += piece.length;
        }
    }
    void put_sges(Driver& driver, std::span<const LocalPiece> pieces) {
        for (std::uint32_t i = 0; i < pieces.size(); ++i) {
            write_wqe_sge(bytes() + header.body_at(), i, sge_of(driver, pieces[i]));
        }
    }
    // Writes to a ring, from unit `at` on; the entry may wrap at the ring's end, between two units.
    void store(HostMemory& memory, const HostMemory::Region& ring, std::uint32_t ring_units, std::uint32_t at) {
        write_wqe_header(bytes(), header);
        for (std::uint32_t unit = 0; unit < header.units(); ++unit) {
            const std::size_t place = std::size_t{(at + unit) % ring_units} * kWqeUnit;
            std::memcpy(ring.data + place, bytes() + std::size_t{unit} * kWqeUnit, kWqeUnit);
            memory.software_wrote(ring.base + place, kWqeUnit);
        }
    }
    [[nodiscard]] std::byte* bytes() { return bytes_.data(); }

    WqeHeader header;

private:
    std::array<std::byte, kMaxEntry + kWqeUnit> bytes_;  // NOLINT: every byte that counts is written
};

// Whether this many SGEs take no more units than the number asked for.
bool Qp::fits_units(WqeOpcode opcode, std::uint32_t asked_for, std::size_t sges) const {
    return limits_.fills_units && sges <= driver_.params().nic.queues.max_sge &&
           wqe_units(opcode, static_cast<std::uint32_t>(sges), 0) <= wqe_units(opcode, asked_for, 0);
}

NTSTATUS Qp::initiate(const Initiation& what, void* context, std::span<const LocalPiece> pieces,
                      const RequestOptions& options) {
    const auto call = send_calls_.enter();
    if (!can_initiate()) {
        return refuse_send(STATUS_CONNECTION_INVALID);
    }
    if (!options.inlined && pieces.size() > limits_.initiator_sges &&
        !fits_units(what.opcode, limits_.initiator_sges, pieces.size())) {
        return refuse_send(STATUS_DATA_OVERRUN);
    }
    const std::uint64_t length = total_length(pieces);
    if (length > (options.inlined ? limits_.inline_bytes : kMaxTransfer)) {
        return refuse_send(STATUS_BUFFER_OVERFLOW);
    }
    if (what.opcode == WqeOpcode::read && connector_->limits().outbound == 0 && !limits_.late_read_limit) {
        return refuse_send(STATUS_INVALID_DEVICE_REQUEST);  // [K173]
    }
    if (send_queue_full()) {
        return refuse_send(STATUS_NO_MORE_ENTRIES);
    }
    Entry entry(what.opcode);
    entry.header.flags = flags_of(options);
    entry.header.count = static_cast<std::uint16_t>(options.inlined ? length : pieces.size());
    entry.header.token = raw(what.key);
    if (entry.header.is_remote()) {
        write_wqe_remote(entry.bytes(), what.remote);
    }
    if (options.inlined) {
        entry.put_inline(pieces);
    } else {
        entry.put_sges(driver(), pieces);
        if (what.opcode != WqeOpcode::read && driver().params().cpu.payload_cached) {
            produced(driver(), pieces);
        }
    }
    enqueue(entry, {context, 0, what.kind, {}}, options);
    return STATUS_SUCCESS;
}

NTSTATUS Qp::bind(void* context, const Binding& what, const RequestOptions& options) {
    const auto call = send_calls_.enter();
    if (&what.mr.pd() != &pd_ || &what.mw.pd() != &pd_) {
        return refuse_send(STATUS_INVALID_PARAMETER);  // [K138]
    }
    if (!can_initiate()) {
        return refuse_send(STATUS_CONNECTION_INVALID);
    }
    if (what.check == RangeCheck::at_post && !what.mr.covers(what.data, what.length)) {
        return refuse_send(STATUS_INVALID_PARAMETER);  // [K131]
    }
    if ((what.access & kRemoteWrite) != 0 && (what.mr.access() & kLocalWrite) == 0) {
        return refuse_send(STATUS_ACCESS_VIOLATION);  // [K130]
    }
    if (send_queue_full()) {
        return refuse_send(STATUS_NO_MORE_ENTRIES);
    }
    KeyOperation operation;
    operation.opcode = WqeOpcode::bind;
    operation.key = what.mw.bind(what.mr);
    operation.parent = what.mr.key();
    operation.address = what.mr.address_of(what.data);
    operation.length = what.length;
    operation.access = what.access;
    enqueue_operation(operation, {context, 0, OperationKind::bind, operation.key}, options);
    return STATUS_SUCCESS;
}

NTSTATUS Qp::fast_register(void* context, const FastRegistration& what, const RequestOptions& options) {
    const auto call = send_calls_.enter();
    if (&what.mr.pd() != &pd_) {
        return refuse_send(STATUS_INVALID_PARAMETER);  // [K138]
    }
    if (!can_initiate()) {
        return refuse_send(STATUS_CONNECTION_INVALID);
    }
    if (!is_sound(what)) {
        return refuse_send(STATUS_INVALID_PARAMETER);
    }
    if ((what.access & kRemoteAccess) != 0 && !what.mr.remote_access()) {
        return refuse_send(STATUS_ACCESS_VIOLATION);  // [K123]
    }
    if (send_queue_full()) {
        return refuse_send(STATUS_NO_MORE_ENTRIES);
    }
    KeyOperation operation;
    operation.opcode = WqeOpcode::fast_register;
    operation.key = what.mr.key();
    operation.address = what.base;
    operation.length = what.length;
    operation.first_byte = what.first_byte;
    operation.access = what.access;
    operation.pages.assign(what.pages.begin(), what.pages.end());
    enqueue_operation(operation, {context, 0, OperationKind::fast_register, operation.key}, options);
    return STATUS_SUCCESS;
}

NTSTATUS Qp::invalidate(void* context, const Pd& pd, MrKey key, const RequestOptions& options) {
    const auto call = send_calls_.enter();
    if (&pd != &pd_) {
        return refuse_send(STATUS_INVALID_PARAMETER);  // [K138]
    }
    if (!can_initiate()) {
        return refuse_send(STATUS_CONNECTION_INVALID);
    }
    if (send_queue_full()) {
        return refuse_send(STATUS_NO_MORE_ENTRIES);
    }
    KeyOperation operation;
    operation.opcode = WqeOpcode::invalidate;
    operation.key = key;
    enqueue_operation(operation, {context, 0, OperationKind::invalidate, key}, options);
    return STATUS_SUCCESS;
}

NTSTATUS Qp::invalidate(void* context, Mw& mw, const RequestOptions& options) {
    const NTSTATUS status = invalidate(context, mw.pd(), mw.key(), options);
    if (status == STATUS_SUCCESS) {
        mw.invalidation_posted();
    }
    return status;
}

void Qp::enqueue_operation(const KeyOperation& operation, const Request& request, const RequestOptions& options) {
    Entry entry(operation.opcode);
    entry.header.flags = flags_of(options);
    entry.header.count = static_cast<std::uint16_t>(operation.pages.size());
    entry.header.token = raw(operation.key);
    write_wqe_key_operation(entry.bytes(), operation);
    enqueue(entry, request, options);
}

// Puts a request into the send queue, and rings for it unless it is deferred.
void Qp::enqueue(Entry& entry, Request request, const RequestOptions& options) {
    request.number = open_request(request.kind, options.silent);
    watch_.sq.take(1, driver().core().clock());
    entry.header.index = sends_posted_;
    entry.header.request = request.number;
    entry.store(driver().memory(), send_ring_, send_ring_units_, send_producer_);
    request.silent = options.silent;
    sends_.push(request);
    ++sends_posted_;
    send_producer_ += entry.header.units();
    driver().core().spend(CoreActivity::build, driver().params().cpu.wqe_build);
    driver().requests().built(request.number, driver().core().clock());
    if (is_rung_for(options.defer)) {
        ring_send_doorbell();
    }
}

NTSTATUS Qp::refuse(NTSTATUS status) {
    const auto call = send_calls_.enter();
    return refuse_send(status);
}

// A failed post ends there; earlier deferred requests must not be left behind [K39].
NTSTATUS Qp::refuse_send(NTSTATUS status) {
    if (send_rung_ != send_producer_) {
        ring_send_doorbell();
    }
    return status;
}

NTSTATUS Qp::receive(void* context, std::span<const LocalPiece> pieces, Tells tells) {
    if (srq_ != nullptr) {
        return STATUS_INVALID_DEVICE_REQUEST;  // [K198]
    }
    const auto call = receive_calls_.enter();
    if (has_lost_completions()) {
        return STATUS_CONNECTION_INVALID;
    }
    if (pieces.size() > limits_.receive_sges && !fits_units(WqeOpcode::receive, limits_.receive_sges, pieces.size())) {
        return STATUS_DATA_OVERRUN;
    }
    if (total_length(pieces) > kMaxTransfer) {
        return STATUS_BUFFER_OVERFLOW;
    }
    if (receives_posted_ - receives_reclaimed_ == limits_.receive_depth) {
        return STATUS_NO_MORE_ENTRIES;
    }
    const Request request{context, open_request(OperationKind::receive, false), OperationKind::receive, {}};
    watch_.rq.take(1, driver().core().clock());
    Entry entry(WqeOpcode::receive);
    entry.header.count = static_cast<std::uint16_t>(pieces.size());
    entry.header.index = receives_posted_;
    entry.header.request = request.number;
    entry.put_sges(driver(), pieces);
    entry.store(driver().memory(), receive_ring_, receive_entries_ * receive_units_,
                receives_posted_ % receive_entries_ * receive_units_);
    receives_[receives_posted_ % receive_entries_] = request;
    ++receives_posted_;
    driver().core().spend(CoreActivity::build, driver().params().cpu.wqe_build);
    driver().requests().built(request.number, driver().core().clock());
    if (tells == Tells::at_once) {
        ring_receive_doorbell();
    }
    return STATUS_SUCCESS;
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

}  // namespace ndsim::core
