// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/cq.hpp"

#include <algorithm>
#include <bit>

#include "models/proto/cqe.hpp"
#include "ndapi/core/qp.hpp"

namespace ndsim::core {

namespace {

// The longest that one call of an empty poll stands for a loop of them.
constexpr Picoseconds kLongestEmptyPoll = std::chrono::microseconds{100};

}  // namespace

Cq::Cq(Driver& driver, std::uint32_t depth, Notification notify)
    : driver_(driver),
      depth_(depth),
      update_every_(update_every(depth, driver.params().nic.queues)),
      limit_(limit(depth, driver.params().nic.queues)),
      entries_(std::bit_ceil(limit_)),
      notify_(std::move(notify)),
      watch_(driver.cq_watch()),
      number_(driver.add(*this)) {}

void Cq::create(std::function<void(NTSTATUS)> done) {
    ring_ = driver_.node().memory.allocate(std::uint64_t{entries_} * kCqeSize);
    driver_.node().memory.watch(ring_.base, *this);
    vector_ = driver_.node().interrupts.allocate_vector([this](Picoseconds at) {
        driver_.defer_call(at, [this] { notify(failed_ ? STATUS_BUFFER_OVERFLOW : STATUS_SUCCESS); });
    });
    hold();
    driver_.command(CqAttributes{number_, ring_.base, entries_, limit_, vector_, &watch_},
                    [this, done = std::move(done)] {
                        created_ = true;
                        driver_.defer_call(driver_.now(), [this, done] {
                            done(STATUS_SUCCESS);
                            release();
                        });
                    });
}

void Cq::memory_written(Address, std::uint64_t, Picoseconds at) {
    ++placed_;
    visible_since_.push(at);
    watch_.unpolled.take(1, at);
    for (Core* const core : waiting_) {
        core->wake(at + driver_.params().cpu.poll_detect);
    }
    waiting_.clear();
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
    const Picoseconds seen = core.clock() - cpu.poll_detect;
    std::size_t count = 0;
    std::size_t entries = 0;
    while (count < results.size() && !visible_since_.empty() && visible_since_.front() <= seen) {
        const std::uint32_t place = consumer_ % entries_;
        const std::byte* const entry = ring_.data + std::size_t{place} * kCqeSize;
        if (cqe_owner(entry) != cqe_owner_of(consumer_, entries_)) {
            break;
        }
        visible_since_.pop();
        ++consumer_;
        ++entries;
        const Cqe cqe = read_cqe(entry);
        if (Qp* const qp = driver_.find(cqe.qp)) {
            results[count] = qp->complete(cqe);
            ++count;
        }
    }
    if (entries == 0) {
        core.spend(CoreActivity::poll, cpu.poll_empty);
        stretch_empty_poll();
        return 0;
    }
    core.spend(CoreActivity::poll, static_cast<std::int64_t>(entries) * cpu.poll_cq);
    watch_.unpolled.give_at(entries, core.clock());
    driver_.close_ledgers(core.clock());
    if (!when_polled_.empty()) {
        tell_polled();
    }
    if (consumer_ - reported_consumer_ >= update_every_) {
        reported_consumer_ = consumer_;
        Mmio mmio;
        mmio.kind = MmioKind::cq_consumer;
        mmio.queue = raw(number_);
        mmio.index = consumer_;
        driver_.store(mmio);
    }
    return count;
}

// A thread that polls an empty queue in a loop is not woken for every round: it goes on at the first round at which
// this queue has something for it.
void Cq::stretch_empty_poll() {
    Core& core = driver_.core();
    if (!core.is_thread()) {
        return;
    }
    const Picoseconds round = driver_.params().cpu.poll_empty;
    const Picoseconds begun = core.clock();
    const Picoseconds longest = begun + kLongestEmptyPoll;
    core.sync();
    if (can_poll()) {
        return;
    }
    enlist(core);
    core.sleep(longest);
    std::erase(waiting_, &core);
    const auto rounds = (core.clock() - begun + round - Picoseconds{1}) / round;
    core.spend(CoreActivity::poll, begun + rounds * round - core.clock());
    core.sync();
}

void Cq::wait() {
    Core& core = driver_.core();
    while (!can_poll()) {
        if (visible_since_.empty()) {
            enlist(core);
            core.sleep();
        } else {
            core.sleep(visible_since_.front() + driver_.params().cpu.poll_detect);
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
    armed_ = true;
    Mmio mmio;
    mmio.kind = MmioKind::cq_arm;
    mmio.queue = raw(number_);
    mmio.arm = wish;
    mmio.index = consumer_;
    mmio.seen = static_cast<std::int32_t>(notified_ - consumer_) > 0 ? notified_ : consumer_;
    reported_consumer_ = consumer_;
    driver_.store(mmio);
}

void Cq::notify(NTSTATUS status) {
    armed_ = false;
    notified_ = placed_;
    if (!closing() && notify_) {
        notify_(status);
    }
}

void Cq::failed() {
    failed_ = true;
    if (armed_) {
        notify(STATUS_BUFFER_OVERFLOW);
    }
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

void Cq::begin_close() {
    hold();
    driver_.command(DestroyCq{number_}, [this] {
        // Not from within the command's answer: callbacks belong to the callback core.
        driver_.defer_call(driver_.now(), [this] { release(); });
    });
}

void Cq::end_close() {
    ended_ = true;
    tell_polled();
    driver_.remove(number_);
    driver_.node().memory.remove(ring_.base);
}

}  // namespace ndsim::core
