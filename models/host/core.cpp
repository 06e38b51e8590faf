// SPDX-License-Identifier: Apache-2.0
#include "models/host/core.hpp"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "models/host/exception_state.hpp"
#include "models/parts/ranks.hpp"

namespace ndsim {

namespace {

// As much as a thread has on Windows. Pages that are never used take no memory.
constexpr std::size_t kStack = std::size_t{1} << 20U;

constexpr std::array<EngineState, kCoreActivityNames.size()> kStates{
    EngineState{EngineState::kIdle, ""},
    EngineState{EngineState::kBusy, "time spent building WQEs", "build"},
    EngineState{EngineState::kBusy, "time spent on stores to the NIC", "store"},
    EngineState{EngineState::kBusy, "time spent polling", "poll"},
    EngineState{EngineState::kBusy, "other time spent", "other"},
    EngineState{"store_buffer", "time stalled because no more stores could wait for the link", "stalled"},
    EngineState{"preempted", "time in which other software held the core while the program could have continued"},
    EngineState{EngineState::kBusy, "time spent on stores to the NIC", "store"},
    EngineState{"lock", "time in which another core held the lock of a shared receive queue"}};
constexpr std::array<std::string_view, 2> kPushStates{"", "push"};
constexpr std::array<std::string_view, 2> kPushSentences{"", "time spent on stores that push WQEs, a part of store"};

}  // namespace

Core::Core(const sc_core::sc_module_name& name, Timeline& timeline, RunningCore& running, std::uint32_t store_buffer)
    : Unit(name, timeline),
      running_(running),
      resumes_(*this, timeline, kRankCpu),
      store_room_(store_buffer),
      store_buffer_(*this, kStoreBufferPool, store_buffer),
      activity_(*this, "activity", "what the core does", kCoreActivityNames, kStates),
      pushes_(*this, kPushStates, kPushSentences) {
    SC_HAS_PROCESS(Core);
    SC_THREAD(thread);
    set_stack_size(kStack);
}

void Core::run_thread(std::function<void()> program) {
    program_ = std::move(program);
    is_thread_ = true;
}

void Core::run_stepper(std::function<void()> step) {
    program_ = std::move(step);
    asleep_ = true;
}

void Core::run_threads_later() {
    is_thread_ = true;
    takes_threads_ = true;
    finished_ = true;
    asleep_ = true;
}

void Core::start(std::function<void()> program, Picoseconds at) {
    program_ = std::move(program);
    finished_ = false;
    wake(at);
}

void Core::thread() {
    if (!is_thread_) {
        return;
    }
    if (!takes_threads_) {
        asleep_ = true;
        wake(Picoseconds{});
    }
    do {
        block();
        program_();
        finished_ = true;
        asleep_ = takes_threads_;
    } while (takes_threads_);
    running_.set(nullptr);
    timeline().rests();
}

void Core::halt() {
    halted_ = true;
    finished_ = true;
    asleep_ = true;
    if (running_.core() == this) {
        block();
    }
}

void Core::freeze(Interval span) {
    const auto behind =
        std::find_if(freezes_.begin(), freezes_.end(), [&](const Interval& other) { return other.start > span.start; });
    freezes_.insert(behind, span);
}

Picoseconds Core::thawed(Picoseconds at) const {
    for (const Interval& freeze : freezes_) {
        if (freeze.start <= at && at < freeze.end) {
            at = freeze.end;
        }
    }
    return at;
}

void Core::spend(CoreActivity activity, Picoseconds span) {
    if (!freezes_.empty()) {
        clock_ = thawed(clock_);
    }
    // A stall lasts on while other software has the core; work does not.
    while (const auto away = activity == CoreActivity::stalled ? std::nullopt : jitter_.preemption(clock_, span)) {
        if (away->start > clock_) {
            span -= away->start - clock_;
            pass(activity, away->start);
        }
        pass(CoreActivity::preempted, away->end);
    }
    pass(activity, clock_ + span);
}

void Core::pass(CoreActivity activity, Picoseconds until) {
    activity_.set(activity, clock_);
    if (activity == CoreActivity::push) {
        pushes_.busy({clock_, until});
    }
    busy_ += until - clock_;
    clock_ = until;
    activity_.set(CoreActivity::idle, clock_);
}

void Core::sync() {
    if (is_thread_ && now() < clock_) {
        asleep_ = true;
        wake(clock_);
        block();
    }
}

void Core::stall() {
    while (!can_store()) {
        if (const auto room = store_room_.next()) {
            spend(CoreActivity::stalled, *room - clock_);
        } else if (clock_ <= now()) {  // the link does not know either
            stalls_ = true;
            sleep();
            if (!is_thread_) {
                return;
            }
            continue;
        }  // otherwise the link has yet to reach this core's stores
        if (!is_thread_) {
            again();
            return;
        }
        sync();
    }
}

void Core::store_taken(Picoseconds at) {
    store_room_.take(at);
    store_buffer_.give_at(1, at);
    if (stalls_) {
        wake(at);
    }
}

void Core::sleep(std::optional<Picoseconds> until) {
    asleep_ = true;
    if (until) {
        wake(*until);
    }
    if (is_thread_) {
        block();
    }
}

void Core::spin(std::optional<Picoseconds> until) {
    spins_since_ = clock_;
    sleep(until);
    busy_ += clock_ - *spins_since_;
    spins_since_.reset();
}

Picoseconds Core::busy(Picoseconds at) const {
    return spins_since_ ? busy_ + std::max(at - *spins_since_, Picoseconds{}) : busy_;
}

void Core::again() {
    asleep_ = true;
    wake(clock_);
}

void Core::wake(Picoseconds at) {
    if (!asleep_ || finished_) {
        return;
    }
    const Picoseconds when = thawed(std::max({at, clock_, now()}));
    if (!wake_at_ || when < *wake_at_) {
        wake_at_ = when;
        resumes_.push(when, ticket_);
    }
}

void Core::resume(const std::uint64_t& ticket) {
    // A stale wake: an earlier one has ended the sleep, or a preemption has extended it.
    if (ticket != ticket_ || !asleep_ || finished_ || now() < clock_) {
        return;
    }
    if (const auto away = jitter_.preemption(now(), Picoseconds{})) {
        clock_ = now();
        pass(CoreActivity::preempted, away->end);
        resumes_.push(clock_, ticket_);
        return;
    }
    ++ticket_;
    asleep_ = false;
    wake_at_.reset();
    if (std::exchange(stalls_, false)) {
        pass(CoreActivity::stalled, now());
    }
    clock_ = now();
    if (is_thread_) {
        timeline().hand_over(go_);
    } else {
        running_.set(this);
        program_();
        running_.set(nullptr);
    }
}

// A thread that was to go on when another one of the same moment halted it goes no further.
void Core::block() {
    do {
        running_.set(nullptr);
        if (std::exchange(runs_, false)) {
            timeline().rests();
        }
        const ExceptionState own = exchange_exceptions({});
        const int error = errno;  // each thread has its own
        sc_core::wait(go_);
        errno = error;
        exchange_exceptions(own);
        runs_ = true;
        running_.set(this);
    } while (halted_);
}

void Core::report(StatSink& sink) const {
    sink.add("empty_polls", empty_polls_, StatUnit::count, "polls that found nothing");
}

}  // namespace ndsim
