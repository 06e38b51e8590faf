// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/srq.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <utility>

#include "models/parts/doorbell_record.hpp"
#include "ndapi/core/object_command.hpp"
#include "sim/base/invariant_error.hpp"

namespace ndsim::core {

Srq::Srq(Pd& pd, const SrqLimits& limits, Notification notify)
    : pd_(pd),
      limits_(limits),
      notify_(std::move(notify)),
      watch_(*pd.driver().watches().srqs),
      number_(pd.driver().registry().add(*this)),
      calls_(pd.driver(), "posts to SRQ {}", raw(number_)),
      stride_(wqe_units(WqeOpcode::receive, limits.sges, 0)) {
    pd_.hold();
}

void Srq::create(std::function<void(NTSTATUS)> done) {
    add_ring(limits_.depth);
    SrqAttributes attributes;
    attributes.srq = number_;
    attributes.ring = rings_[0].region.base;
    attributes.entries = rings_[0].entries;
    attributes.stride = stride_;
    attributes.limit = limits_.threshold;
    if (driver().doorbells().are_recorded()) {
        record_ = driver().memory().allocate(kDoorbellRecordBytes);
        attributes.record = record_.base;
    }
    attributes.watch = &watch_;
    command_for(*this, driver(), attributes, std::move(done));
}

void Srq::add_ring(std::uint32_t depth) {
    const std::uint32_t entries = std::bit_ceil(depth);
    const std::uint64_t bytes = std::uint64_t{entries} * stride_ * kWqeUnit;
    rings_.push_back({driver().memory().allocate(bytes), entries, depth});
    if (entries > requests_.size()) {
        std::vector<Request> larger(entries);
        for (std::uint32_t i = reclaimed_; i != posted_; ++i) {
            larger[i % entries] = requests_[i % requests_.size()];
        }
        requests_ = std::move(larger);
    }
}

std::byte* Srq::entry(const RingMemory& ring, std::uint32_t index) const {
    return ring.region.data + std::size_t{index % ring.entries} * stride_ * kWqeUnit;
}

std::uint32_t Srq::depth() const {
    return std::min_element(rings_.begin() + static_cast<std::ptrdiff_t>(nic_ring_), rings_.end(),
                            [](const RingMemory& a, const RingMemory& b) { return a.depth < b.depth; })
        ->depth;
}

NTSTATUS Srq::receive(void* context, std::span<const LocalPiece> pieces) {
    const auto call = calls_.enter();
    if (pieces.size() > limits_.sges) {
        return STATUS_DATA_OVERRUN;
    }
    if (total_length(pieces) > kMaxTransfer) {
        return STATUS_BUFFER_OVERFLOW;
    }
    Core& core = driver().core();
    if (outstanding() + returned_.to_come(core.clock()) >= depth()) {
        return STATUS_NO_MORE_ENTRIES;
    }
    const Ledger& ledger = driver().requests().open({0, OperationKind::receive, core.clock(), {}, &watch_});
    last_request_ = ledger.id.number;
    watch_.srq.take(1, core.clock());
    WqeHeader header;
    header.opcode = WqeOpcode::receive;
    header.count = static_cast<std::uint16_t>(pieces.size());
    header.index = posted_;
    header.request = last_request_;
    write_entry(header, pieces);
    requests_[posted_ % requests_.size()] = {context, last_request_, false};
    ++posted_;
    core.spend(CoreActivity::build, driver().params().cpu.wqe_build);
    driver().requests().built(last_request_, core.clock());
    Mmio mmio;
    mmio.kind = MmioKind::srq_doorbell;
    mmio.queue = raw(number_);
    mmio.index = posted_;
    driver().doorbells().store(mmio, record_);
    return STATUS_SUCCESS;
}

// Writes to the NIC's ring, and to those that it does not know yet.
void Srq::write_entry(const WqeHeader& header, std::span<const LocalPiece> pieces) {
    for (std::size_t ring = nic_ring_; ring < rings_.size(); ++ring) {
        std::byte* const to = entry(rings_[ring], header.index);
        write_wqe_header(to, header);
        for (std::uint32_t i = 0; i < pieces.size(); ++i) {
            write_wqe_sge(to + header.body_at(), i, sge_of(driver(), pieces[i]));
        }
        const HostMemory::Region& region = rings_[ring].region;
        driver().memory().software_wrote(region.base + static_cast<std::uint64_t>(to - region.data),
                                         std::uint64_t{stride_} * kWqeUnit);
    }
}

NTSTATUS Srq::modify(std::uint32_t depth, std::uint32_t threshold, std::function<void(NTSTATUS)> done) {
    if (depth != 0 && depth < outstanding()) {
        return STATUS_BUFFER_OVERFLOW;
    }
    if (depth == 0 && threshold == 0) {
        return STATUS_SUCCESS;
    }
    ModifySrq change;
    change.srq = number_;
    change.producer = posted_;
    change.limit = threshold;
    if (depth != 0) {
        add_ring(depth);
        copy_outstanding(rings_[rings_.size() - 2], rings_.back());
        change.ring = rings_.back().region.base;
        change.entries = rings_.back().entries;
    }
    command_for(*this, driver(), change, std::move(done),
                [this, new_ring = depth != 0] { nic_ring_ += new_ring ? 1 : 0; });
    return STATUS_PENDING;
}

void Srq::copy_outstanding(const RingMemory& from, const RingMemory& to) {
    for (std::uint32_t i = reclaimed_; i != posted_; ++i) {
        std::memcpy(entry(to, i), entry(from, i), std::size_t{stride_} * kWqeUnit);
    }
}

void Srq::drop(std::uint32_t index, Picoseconds at) {
    const std::uint32_t slots = complete(index).slots;
    watch_.srq.give_at(slots, at);
    returned_.give(slots, at);
}

std::optional<Picoseconds> Srq::room_at(Picoseconds at) {
    if (outstanding() + returned_.to_come(at) < depth()) {
        return at;
    }
    return outstanding() < depth() ? returned_.next() : std::nullopt;
}

Srq::Reclaimed Srq::complete(std::uint32_t index) {
    Request& request = requests_[index % requests_.size()];
    if (index - reclaimed_ >= outstanding() || request.completed) {
        throw InvariantError("srq", driver().now(),
                             "a completion names receive " + std::to_string(index) + ", outstanding are " +
                                 std::to_string(reclaimed_) + " to " + std::to_string(posted_));
    }
    request.completed = true;
    Reclaimed result{request.context, request.number, 0};
    while (reclaimed_ != posted_ && requests_[reclaimed_ % requests_.size()].completed) {
        ++reclaimed_;
        result.slots += ended_ ? 0 : 1;
    }
    if (result.slots > 0 && on_reclaimed_) {
        on_reclaimed_();
    }
    return result;
}

void Srq::limit_reached() {
    if (!closing() && notify_) {
        hold();  // a close waits for the callback
        notify_(STATUS_SUCCESS);
        release();
    }
}

// The last queue pair is gone. The NIC may still be reading a ring, even a replaced one, so the rings stay until the
// NIC has forgotten the queue.
void Srq::end_close() {
    Driver& its = driver();
    its.registry().remove(number_);
    its.command(DestroySrq{number_}, [&its, rings = rings_, record = record_] {
        for (const RingMemory& ring : rings) {
            its.memory().remove(ring.region.base);
        }
        if (record.data != nullptr) {
            its.memory().remove(record.base);
        }
    });
    watch_.srq.give_at(outstanding(), its.core().clock());
    ended_ = true;
}

void Srq::when_unused(const std::function<void()>& forget) {
    if (users_ == 0) {
        forget();
    } else {
        forget_ = forget;
    }
}

void Srq::remove_user() {
    if (--users_ == 0 && forget_) {
        const auto forget = std::move(forget_);
        forget();
    }
}

}  // namespace ndsim::core
