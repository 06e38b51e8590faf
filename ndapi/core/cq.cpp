// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/cq.hpp"

#include "models/parts/doorbell_record.hpp"
#include "ndapi/core/object_command.hpp"
#include "ndapi/core/qp.hpp"
#include "sim/base/little_endian.hpp"

namespace ndsim::core {

Cq::Cq(Driver& driver, std::uint32_t depth, Notification notify)
    : driver_(driver),
      depth_(depth),
      update_every_(update_every(depth, driver.params().nic.queues)),
      notifications_(std::move(notify)),
      watch_(*driver.watches().cqs),
      number_(driver.registry().add(*this)),
      calls_(driver, "arming and polls of CQ {}", raw(number_)),
      rings_(driver.memory(), *this) {}

void Cq::create(std::function<void(NTSTATUS)> done) {
    const CqRing& ring = rings_.add(depth_);
    record_ = driver_.memory().allocate(kDoorbellRecordBytes);
    // An interrupt may come after the end of the queue [K85].
    const auto handle = [&driver = driver_, number = number_](Picoseconds at) {
        driver.callbacks().defer(at, [&driver, number] {
            if (Cq* const cq = driver.registry().find(number)) {
                cq->interrupted();
            }
        });
    };
    vector_ = driver_.device().interrupts().allocate_vector(handle);
    command_for(*this, driver_,
                CqAttributes{number_, ring.memory.base, ring.entries, depth_, vector_, &watch_, record_.base,
                             failures_are_errors_, arms_are_typed_, reports_invalidations_},
                std::move(done));
}

void Cq::memory_written(Address address, std::uint64_t length, Picoseconds at) {
    const std::uint32_t completions = !rings_.are_several() && driver_.params().nic.queues.cqe_compression == 1
                                          ? 1
                                          : completions_of_cqe(driver_.memory().bytes(address, length));
    if (completions == 0) {
        return;
    }
    placed_ += completions;
    for (std::uint32_t i = 0; i < completions; ++i) {
        visible_since_.push(at);
    }
    watch_.unpolled.take(completions, at);
    for (Core* const core : waiting_) {
        core->wake(at + driver_.params().cpu.poll_detect + core->jitter().poll());
    }
    waiting_.clear();
    driver_.spinners().changed(driver_.now(), at + driver_.params().cpu.poll_detect);
}

bool Cq::can_poll() {
    driver_.core().sync();
    return !visible_since_.empty() &&
           visible_since_.front() + driver_.params().cpu.poll_detect <= driver_.core().clock();
}

std::size_t Cq::poll(std::span<Completion> results) {
    Core& core = driver_.core();
    const CpuParams& cpu = driver_.params().cpu;
    core.sync();
    std::size_t count = 0;
    std::size_t entries = 0;
    {
        const auto call = calls_.enter();
        count = take(results, entries);
        if (entries == 0) {
            core.spend(CoreActivity::poll, cpu.poll_empty);
            core.polled_in_vain(1);
        } else {
            core.spend(CoreActivity::poll, static_cast<std::int64_t>(entries) * cpu.poll_cq);
            watch_.unpolled.give_at(entries, core.clock());
            driver_.requests().close(core.clock());
            driver_.spinners().made_room(driver_.now(), core.clock());
            if (!when_polled_.empty()) {
                tell_polled();
            }
            tell_consumer_index();
        }
    }
    if (entries == 0 && core.is_thread()) {
        driver_.spinners().look_again(core, this);
    }
    return count;
}

// The number of CQEs that a poll by the calling core, at its clock, has found or would find. Software finds an entry
// some time after it is visible.
std::uint32_t Cq::findable() const {
    const Picoseconds seen = driver_.core().clock() - driver_.params().cpu.poll_detect;
    std::uint32_t unseen = 0;
    for (std::size_t i = visible_since_.size(); i > 0 && visible_since_[i - 1] > seen; --i) {
        ++unseen;
    }
    return placed_ - unseen;
}

// Takes completions out of the ring; also counts entries of destroyed queue pairs.
std::size_t Cq::take(std::span<Completion> results, std::size_t& entries) {
    const Picoseconds seen = driver_.core().clock() - driver_.params().cpu.poll_detect;
    std::size_t count = 0;
    while (count < results.size() && !visible_since_.empty() && visible_since_.front() <= seen) {
        const std::byte* const entry = rings_.take(consumer_);
        if (entry == nullptr) {
            break;
        }
        visible_since_.pop();
        ++entries;
        const Cqe cqe = read_cqe(entry);
        polled_failures_ += cqe.status == WcStatus::success ? 0 : 1;
        if (Qp* const qp = driver_.registry().find(cqe.qp)) {
            results[count] = qp->complete(cqe);
            ++count;
        }
    }
    return count;
}

// The NIC reads the index in memory when the queue seems full, and is told of it every few polls. A stepper that polls
// several times in a step may have no room left for the store; then a later poll tells. If two cores poll one queue,
// the later index may be written first.
void Cq::store_consumer_index(std::uint32_t consumer) {
    const auto known = load_le<std::uint32_t>(record_.data);
    if (static_cast<std::int32_t>(consumer - known) > 0) {
        store_le(record_.data, consumer);
    }
}

void Cq::tell_consumer_index() {
    Core& core = driver_.core();
    driver_.doorbells().store_index(number_, consumer_);
    if (consumer_ - reported_consumer_ < update_every_ || !(core.is_thread() || core.can_store())) {
        return;
    }
    reported_consumer_ = consumer_;
    Mmio mmio;
    mmio.kind = MmioKind::cq_consumer;
    mmio.queue = raw(number_);
    mmio.index = consumer_;
    driver_.doorbells().store(mmio, record_);
}

void Cq::wait() {
    Core& core = driver_.core();
    while (!can_poll()) {
        if (visible_since_.empty()) {
            enlist(core);
            core.sleep();
        } else {
            core.sleep(visible_since_.front() + driver_.params().cpu.poll_detect + core.jitter().poll());
        }
        if (!core.is_thread()) {
            return;
        }
    }
}

void Cq::enlist(Core& core) {
    if (std::find(waiting_.begin(), waiting_.end(), &core) == waiting_.end()) {
        waiting_.push_back(&core);
    }
}

void Cq::arm(Arm wish) {
    const auto call = calls_.enter();
    notifications_.arm();
    if (has_failed()) {  // reported by the NIC while unarmed [K80]
        driver_.callbacks().defer(driver_.core().clock(), [&driver = driver_, number = number_] {
            if (Cq* const cq = driver.registry().find(number)) {
                cq->failed();
            }
        });
        return;
    }
    const bool stale_counts = driver_.params().nic.queues.cq.arm_stale == ArmStale::fire;
    const bool told_of_more = static_cast<std::int32_t>(notifications_.told() - consumer_) > 0;
    armed_for_ = wish;
    armed_from_ = told_of_more && !stale_counts ? notifications_.told() : consumer_;
    store_arm();
}

// An entry that the callback cannot find yet counts for the next arm [K70].
void Cq::interrupted() {
    const std::uint32_t found = findable();
    const bool meets_arm = armed_for_ == Arm::any && static_cast<std::int32_t>(found - armed_from_) > 0;
    if (notifications_.interrupted(found, meets_arm, closing())) {
        store_arm();
    }
}

void Cq::store_arm() {
    Mmio mmio;
    mmio.kind = MmioKind::cq_arm;
    mmio.queue = raw(number_);
    mmio.arm = armed_for_;
    mmio.index = consumer_;
    mmio.seen = armed_from_;
    mmio.serial = notifications_.count();
    reported_consumer_ = consumer_;
    driver_.doorbells().store(mmio, record_);
}

void Cq::when_polled(std::function<void()> callback) {
    when_polled_.emplace_back(placed_, std::move(callback));
    tell_polled();
}

void Cq::tell_polled() {
    std::vector<std::function<void()>> due;
    std::erase_if(when_polled_, [&](auto& entry) {
        const bool is_due = ended_ || static_cast<std::int32_t>(consumer_ - entry.first) >= 0;
        if (is_due) {
            due.push_back(std::move(entry.second));
        }
        return is_due;
    });
    for (const auto& callback : due) {
        callback();
    }
}

// The NIC copies nothing. It writes an entry to the old ring that announces the move, and continues in the new one;
// polls do the same when they get there. So entries stay in place, and in order [K169].
NTSTATUS Cq::resize(std::uint32_t depth, std::function<void(NTSTATUS)> done) {
    if (placed_ - consumer_ > depth) {
        return STATUS_BUFFER_OVERFLOW;
    }
    const QueueParams& params = driver_.params().nic.queues;
    const CqRing& ring = rings_.add(depth);
    // Until the answer the NIC may judge by either depth.
    update_every_ = std::min(update_every_, update_every(depth, params));
    ++resizes_pending_;
    hold();
    const CqResize resize{number_, ring.memory.base, ring.entries, depth, consumer_};
    driver_.command(ResizeCq{resize, &resize_taken_}, [this, depth, at = ring.memory.base, done = std::move(done)] {
        resized(depth, at);
        const NTSTATUS status = resize_taken_ ? STATUS_SUCCESS : STATUS_BUFFER_OVERFLOW;
        driver_.callbacks().defer(driver_.now(), [this, done, status] {
            done(status);
            release();
        });
    });
    return STATUS_PENDING;
}

// The NIC has answered: it has taken the ring, or holds more entries than software has seen.
void Cq::resized(std::uint32_t depth, Address ring) {
    --resizes_pending_;
    if (resize_taken_) {
        depth_ = depth;
        if (moderation_) {
            moderate_in_nic();  // the depth limits the count
        }
    } else {
        rings_.remove(ring);
    }
    if (resizes_pending_ == 0) {
        update_every_ = update_every(depth_, driver_.params().nic.queues);
    }
}

void Cq::moderate(const Moderation& moderation) {
    moderation_ = moderation;
    moderate_in_nic();
}

// A count that the queue cannot reach is no limit; without an interval, a full queue is the limit.
void Cq::moderate_in_nic() {
    Moderation moderation = *moderation_;
    if (moderation.count && *moderation.count > depth_) {
        moderation.count = moderation.interval ? std::nullopt : std::optional(depth_);
    }
    driver_.command(ModerateCq{number_, moderation}, [] {});
}

void Cq::begin_destroy() {
    command_for(*this, driver_, DestroyCq{number_});
}

// Nobody polls what is left, but shared queues get their slots back.
void Cq::drop_unpolled() {
    while (const std::byte* const entry = rings_.take(consumer_)) {
        const Cqe cqe = read_cqe(entry);
        if (Qp* const qp = driver_.registry().find(cqe.qp)) {
            qp->drop(cqe);
        }
    }
}

void Cq::end_close() {
    drop_unpolled();
    ended_ = true;
    tell_polled();
    driver_.registry().remove(number_);
    driver_.device().interrupts().free_vector(vector_);
    driver_.memory().remove(record_.base);
    rings_.free();
}

}  // namespace ndsim::core
