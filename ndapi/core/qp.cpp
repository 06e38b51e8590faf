// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/qp.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <numeric>

#include "ndapi/core/connector.hpp"
#include "sim/base/error.hpp"

namespace ndsim::core {

namespace {

// One request moves at most this much (RoCE allows 2^31).
constexpr std::uint64_t kMaxTransfer = 1ULL << 30U;
// The largest entry: header, remote range, and 63 SGEs or 1000 bytes inline.
constexpr std::size_t kMaxEntry = 1040;

std::uint64_t total_length(std::span<const LocalPiece> pieces) {
    return std::accumulate(pieces.begin(), pieces.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const LocalPiece& piece) { return sum + piece.length; });
}

}  // namespace

Qp::Qp(Pd& pd, Cq& receive_cq, Cq& send_cq, void* context, const QpLimits& limits)
    : driver_(pd.driver()),
      pd_(pd),
      receive_cq_(receive_cq),
      send_cq_(send_cq),
      context_(context),
      limits_(limits),
      watch_(pd.driver().qp_watch()),
      number_(pd.driver().add(*this)),
      send_units_(wqe_units(WqeOpcode::write, limits.initiator_sges, limits.inline_bytes)),
      receive_units_(wqe_units(WqeOpcode::receive, limits.receive_sges, 0)),
      send_ring_units_(std::bit_ceil(limits.initiator_depth * send_units_)),
      receive_entries_(std::bit_ceil(std::max(1U, limits.receive_depth))) {
    pd_.hold();
    receive_cq_.hold();
    send_cq_.hold();
}

void Qp::create(std::function<void(NTSTATUS)> done) {
    HostMemory& memory = driver().node().memory;
    send_ring_ = memory.allocate(std::uint64_t{send_ring_units_} * kWqeUnit);
    receive_ring_ = memory.allocate(std::uint64_t{receive_entries_} * receive_units_ * kWqeUnit);
    sends_.resize(std::bit_ceil(limits_.initiator_depth));
    receives_.resize(receive_entries_);
    QpAttributes attributes;
    attributes.qp = number_;
    attributes.pd = pd_.number();
    attributes.send_cq = send_cq_.number();
    attributes.receive_cq = receive_cq_.number();
    attributes.sq_ring = send_ring_.base;
    attributes.sq_units = send_ring_units_;
    attributes.rq_ring = receive_ring_.base;
    attributes.rq_entries = receive_entries_;
    attributes.rq_stride = receive_units_;
    attributes.watch = &watch_;
    hold();
    driver().command(attributes, [this, done = std::move(done)] {
        created_ = true;
        driver().defer_call(driver().now(), [this, done] {
            done(STATUS_SUCCESS);
            release();
        });
    });
}

NTSTATUS Qp::initiate(const Initiation& what, void* context, std::span<const LocalPiece> pieces,
                      const RequestOptions& options) {
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

Completion Qp::complete(const Cqe& cqe) {
    Completion completion;
    completion.qp_context = context_;
    completion.bytes = cqe.bytes;
    completion.token = cqe.token;
    if (cqe.opcode == WqeOpcode::receive) {
        completion.kind = OperationKind::receive;
        completion.status = completion_status(driver().profile(), cqe.status, completion.kind);
        const Request& request = receives_[cqe.wqe_index % receive_entries_];
        completion.request_context = request.context;
        receives_reclaimed_ = cqe.wqe_index + 1;
        retire(request, completion.status, cqe.bytes, false);
        return completion;
    }
    if (cqe.wqe_index - sends_reclaimed_ >= sends_posted_ - sends_reclaimed_) {
        throw InvariantError("qp", driver().now(),
                             "a completion names request " + std::to_string(cqe.wqe_index) + ", outstanding are " +
                                 std::to_string(sends_reclaimed_) + " to " + std::to_string(sends_posted_));
    }
    // Silent requests before this one have succeeded; this poll gives their slots back [K55, K56].
    for (; sends_reclaimed_ != cqe.wqe_index; ++sends_reclaimed_) {
        retire(sends_[sends_reclaimed_ % sends_.size()], STATUS_SUCCESS, 0, true);
    }
    const Request& request = sends_[cqe.wqe_index % sends_.size()];
    completion.kind = request.kind;
    completion.status = completion_status(driver().profile(), cqe.status, completion.kind);
    completion.request_context = request.context;
    sends_reclaimed_ = cqe.wqe_index + 1;
    retire(request, completion.status, 0, false);
    return completion;
}

void Qp::retire(const Request& request, NTSTATUS status, std::uint32_t bytes, bool silent) {
    driver().retire({number_, request.kind, status, bytes, silent, request.number, &watch_, nullptr});
}

void Qp::flush() {
    if (send_rung_ != send_producer_) {
        ring_send_doorbell();  // deferred requests are pending ones, too [K46]
    }
    flushed_ = true;
    driver().command(FailQp{number_}, [] {});
}

void Qp::flush_and_wait(std::function<void()> quiet) {
    flush();
    driver().quiesce(number_, std::move(quiet));
}

void Qp::failed() {
    // A flush is this side's own wish, and leaves the connection to be ended in order.
    if (!std::exchange(failed_, true) && !flushed_ && connector_ != nullptr) {
        connector_->qp_failed();
    }
}

void Qp::begin_close() {
    hold();
    if (Connector* const connector = connector_) {
        connector->hold();
        driver().defer_call(driver().now(), [connector] {
            connector->qp_closing();
            connector->release();
        });
    }
    flush_and_wait([this] {
        driver().command(DestroyQp{number_}, [this] { driver().defer_call(driver().now(), [this] { release(); }); });
    });
}

void Qp::when_unused(const std::function<void()>& forget) {
    unpolled_cqs_ = &receive_cq_ == &send_cq_ ? 1 : 2;
    const auto polled = [this, forget] {
        if (--unpolled_cqs_ == 0) {
            forget();  // this queue pair is gone now
        }
    };
    receive_cq_.when_polled(polled);
    if (&receive_cq_ != &send_cq_) {
        send_cq_.when_polled(polled);
    }
}

void Qp::end_close() {
    driver().node().memory.remove(send_ring_.base);
    driver().node().memory.remove(receive_ring_.base);
}

}  // namespace ndsim::core
