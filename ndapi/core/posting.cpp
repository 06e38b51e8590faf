// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstring>

#include "ndapi/core/qp.hpp"

// How a queue pair posts requests: what is checked at the call, the entry in the ring, the doorbell.
namespace ndsim::core {

namespace {

// The largest entry: header, remote range, and 63 SGEs or 1000 bytes inline.
constexpr std::size_t kMaxEntry = 1040;

}  // namespace

NTSTATUS Qp::initiate(const Initiation& what, void* context, std::span<const LocalPiece> pieces,
                      const RequestOptions& options) {
    const auto call = send_calls_.enter();
    if (state_ != State::connected) {
        return refuse_send(STATUS_CONNECTION_INVALID);
    }
    if (!options.inlined && pieces.size() > limits_.initiator_sges) {
        return refuse_send(STATUS_DATA_OVERRUN);
    }
    const std::uint64_t length = total_length(pieces);
    if (length > (options.inlined ? limits_.inline_bytes : kMaxTransfer)) {
        return refuse_send(STATUS_BUFFER_OVERFLOW);
    }
    if (sends_posted_ - sends_reclaimed_ == limits_.initiator_depth) {
        return refuse_send(STATUS_NO_MORE_ENTRIES);
    }
    const Request request = open_request(context, what.kind);
    watch_.sq.take(1, driver().core().clock());
    WqeHeader header;
    header.opcode = what.opcode;
    header.flags =
        static_cast<std::uint8_t>((options.silent ? 0 : kWqeSignaled) | (options.read_fence ? kWqeReadFence : 0) |
                                  (options.solicit ? kWqeSolicited : 0) | (options.inlined ? kWqeInline : 0));
    header.count = static_cast<std::uint16_t>(options.inlined ? length : pieces.size());
    header.index = sends_posted_;
    header.request = request.number;
    write_entry(send_ring_, send_ring_units_, send_producer_, header, what.remote, pieces);
    sends_[sends_posted_ % sends_.size()] = request;
    ++sends_posted_;
    send_producer_ += header.units();
    driver().core().spend(CoreActivity::build, driver().params().cpu.wqe_build);
    driver().book().mark(request.number, Account::post, driver().core().clock());
    if (!options.defer) {
        ring_send_doorbell();
    }
    return STATUS_SUCCESS;
}

// A post that fails does not go on; what was deferred before it must not be left behind [K39].
NTSTATUS Qp::refuse_send(NTSTATUS status) {
    if (send_rung_ != send_producer_) {
        ring_send_doorbell();
    }
    return status;
}

NTSTATUS Qp::receive(void* context, std::span<const LocalPiece> pieces) {
    if (srq_ != nullptr) {
        return STATUS_INVALID_DEVICE_REQUEST;  // [K198]
    }
    const auto call = receive_calls_.enter();
    if (pieces.size() > limits_.receive_sges) {
        return STATUS_DATA_OVERRUN;
    }
    if (total_length(pieces) > kMaxTransfer) {
        return STATUS_BUFFER_OVERFLOW;
    }
    if (receives_posted_ - receives_reclaimed_ == limits_.receive_depth) {
        return STATUS_NO_MORE_ENTRIES;
    }
    const Request request = open_request(context, OperationKind::receive);
    watch_.rq.take(1, driver().core().clock());
    WqeHeader header;
    header.opcode = WqeOpcode::receive;
    header.count = static_cast<std::uint16_t>(pieces.size());
    header.index = receives_posted_;
    header.request = request.number;
    write_entry(receive_ring_, receive_entries_ * receive_units_, receives_posted_ % receive_entries_ * receive_units_,
                header, {}, pieces);
    receives_[receives_posted_ % receive_entries_] = request;
    ++receives_posted_;
    driver().core().spend(CoreActivity::build, driver().params().cpu.wqe_build);
    driver().book().mark(request.number, Account::post, driver().core().clock());
    Mmio mmio;
    mmio.kind = MmioKind::rq_doorbell;
    mmio.queue = raw(number_);
    mmio.index = receives_posted_;
    driver().store(mmio);
    return STATUS_SUCCESS;
}

Qp::Request Qp::open_request(void* context, OperationKind kind) {
    const Picoseconds clock = driver().core().clock();
    const auto [begins, why] = std::exchange(wanted_at_, std::nullopt).value_or(std::pair{clock, Account::slot});
    Ledger& ledger = driver().book().open(begins);
    ledger.mark(why, clock);
    last_request_ = ledger.id.number;
    return {context, ledger.id.number, kind};
}

void Qp::write_entry(const HostMemory::Region& ring, std::uint32_t ring_units, std::uint32_t at,
                     const WqeHeader& header, const RemoteRange& remote, std::span<const LocalPiece> pieces) {
    std::array<std::byte, kMaxEntry + kWqeUnit> entry;  // NOLINT: every byte that counts is written below
    write_wqe_header(entry.data(), header);
    if (header.is_remote()) {
        write_wqe_remote(entry.data(), remote);
    }
    if (header.has(kWqeInline)) {
        std::byte* to = entry.data() + header.body_at();
        for (const LocalPiece& piece : pieces) {
            std::memcpy(to, piece.data, piece.length);
            to += piece.length;
        }
    } else {
        for (std::uint32_t i = 0; i < pieces.size(); ++i) {
            const Mr* const mr = driver().find(pieces[i].key);
            // A key that nobody knows is the NIC's to refuse, whatever the address says.
            const Address address = mr != nullptr ? mr->address_of(pieces[i].data) : Address{};
            write_wqe_sge(entry.data() + header.body_at(), i, {address, pieces[i].length, pieces[i].key});
        }
    }
    // An entry may go over the ring's end, between two units.
    for (std::uint32_t unit = 0; unit < header.units(); ++unit) {
        std::memcpy(ring.data + std::size_t{(at + unit) % ring_units} * kWqeUnit,
                    entry.data() + std::size_t{unit} * kWqeUnit, kWqeUnit);
    }
}

void Qp::ring_send_doorbell() {
    Mmio mmio;
    mmio.kind = MmioKind::sq_doorbell;
    mmio.queue = raw(number_);
    mmio.index = send_producer_;
    mmio.entries = sends_posted_;
    const std::uint32_t units = send_producer_ - send_rung_;
    const std::uint32_t begin = send_rung_ % send_ring_units_;
    const bool one_entry = units == read_wqe_header(send_ring_.data + std::size_t{begin} * kWqeUnit).units();
    const std::size_t bytes = std::size_t{units} * kWqeUnit;
    if (one_entry && begin + units <= send_ring_units_ && bytes <= driver().params().nic.queues.wqe_push_max) {
        mmio.pushed_units = static_cast<std::uint16_t>(units);
        mmio.pushed = driver().push_buffer({send_ring_.data + std::size_t{begin} * kWqeUnit, bytes});
    }
    send_rung_ = send_producer_;
    driver().store(mmio);
}

}  // namespace ndsim::core
