// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <optional>
#include <string_view>

#include "models/host/host_jitter.hpp"
#include "models/host/store_room.hpp"
#include "models/ports/pcie.hpp"
#include "sim/kernel/agenda.hpp"
#include "sim/kernel/pool.hpp"
#include "sim/kernel/state_clock.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// A core's activity, for the waveform and the statistics.
enum class CoreActivity : std::uint8_t { idle, build, store, poll, other, stalled, preempted, push, lock };
inline constexpr std::array<std::string_view, 9> kCoreActivityNames{"idle",    "build",     "store", "poll", "other",
                                                                    "stalled", "preempted", "push",  "lock"};

class Core;

// RunningCore: the core that executes software of a host right now. Calls into the interfaces are charged to it.
// Another thread of the process may read it too, to detect software that never returns.
class RunningCore {
public:
    // None between one program's turn and the next.
    [[nodiscard]] Core* core() const { return core_.load(std::memory_order_relaxed); }
    void set(Core* core) {
        turns_.store(turns_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
        core_.store(core, std::memory_order_relaxed);
    }
    // How often the running core has changed.
    [[nodiscard]] std::uint64_t turns() const { return turns_.load(std::memory_order_relaxed); }

private:
    std::atomic<Core*> core_{nullptr};
    std::atomic<std::uint64_t> turns_{0};
};

// Core: a CPU core that runs one program. Its clock may be ahead of the simulation by the work that the program has
// executed since it last had to look at the world; sync() lets the simulation catch up. A program is a thread (a
// function that may block) or a stepper (a function that is called again and never blocks). Stores to the NIC wait in a
// buffer until the link takes them. While the buffer is full, the core stalls at the next store.
class Core final : public Unit, public StoreClient {
public:
    static constexpr PoolFacts kStoreBufferPool{"store_buffer", "stores to the NIC that wait for the link",
                                                PoolUnit::stores, "cpu.store_buffer", WhenFull::limit};

    Core(const sc_core::sc_module_name& name, Timeline& timeline, RunningCore& running, std::uint32_t store_buffer);

    // Call before the simulation starts. A thread begins at time 0, a stepper at its first wake().
    void run_thread(std::function<void()> program);
    void run_stepper(std::function<void()> step);
    // The core runs threads that are started later, one after the other.
    void run_threads_later();
    [[nodiscard]] bool is_free() const { return takes_threads_ && finished_ && !halted_; }
    // Starts such a thread on a free core; it begins at `at`.
    void start(std::function<void()> program, Picoseconds at);
    // The program never continues, wherever it is, and counts as finished. Does not return to the program itself.
    void halt();

    [[nodiscard]] Picoseconds clock() const { return clock_; }
    // The program computes for `span`.
    void spend(CoreActivity activity, Picoseconds span);
    // `polls` of the polls in the time spent found nothing.
    void polled_in_vain(std::uint64_t polls) { empty_polls_ += polls; }
    // Whether the buffer has room for a store, as far as is known now.
    [[nodiscard]] bool can_store() { return store_room_.has(clock_); }
    // Stalls until the buffer has room. A stepper only notes that, returns, and is called again.
    void stall();
    // Puts a store into the buffer, which has room.
    void stored() { store_room_.put(); }
    void store_left() override { store_buffer_.take(1, now()); }
    void store_taken(Picoseconds at) override;
    // A thread waits until the simulation reaches its clock. A stepper is always there when it is called.
    void sync();
    // A thread blocks until wake(), or until `until`. A stepper notes that it has nothing to do until then and returns.
    void sleep(std::optional<Picoseconds> until = std::nullopt);
    // As sleep(), for a thread that polls all the while: the time is spent, but no single poll is simulated.
    void spin(std::optional<Picoseconds> until = std::nullopt);
    // A sleeping program continues at `at`, or now if that has passed. The earliest call counts.
    void wake(Picoseconds at);
    // A stepper is called again at its clock.
    void again();

    // Call before the simulation starts: how late the program is, and when other software has the core.
    void set_jitter(const HostJitter& jitter) { jitter_ = jitter; }
    [[nodiscard]] HostJitter& jitter() { return jitter_; }
    // The program does nothing during this future time, as if something else ran on the core.
    void freeze(Interval span);
    // When a program that should continue at `at` really does.
    [[nodiscard]] Picoseconds thawed(Picoseconds at) const;

    // The time spent on anything until `at`, spinning included.
    [[nodiscard]] Picoseconds busy(Picoseconds at) const;
    [[nodiscard]] bool asleep() const { return asleep_; }
    // How often the program has continued.
    [[nodiscard]] std::uint64_t resumed() const { return ticket_; }
    [[nodiscard]] bool is_thread() const { return is_thread_; }
    [[nodiscard]] bool finished() const { return finished_; }
    // Names the wait of a sleeping thread, for the message when nothing can ever happen again.
    void waits_for(std::string what) { waits_for_ = std::move(what); }
    [[nodiscard]] const std::string& waiting() const { return waits_for_; }
    void report(StatSink& sink) const override;

private:
    void resume(const std::uint64_t& ticket);  // Agenda: the program continues
    void thread();                             // SC_THREAD: a program that may block
    void block();
    void pass(CoreActivity activity, Picoseconds until);

    RunningCore& running_;
    std::function<void()> program_;
    bool is_thread_ = false;
    bool takes_threads_ = false;  // that are started later
    bool finished_ = false;
    bool halted_ = false;
    bool asleep_ = false;
    bool runs_ = false;         // a thread that runs now
    bool stalls_ = false;       // sleeps until the link takes a store
    std::uint64_t ticket_ = 0;  // of the sleep that a resume ends
    std::optional<Picoseconds> wake_at_;
    Picoseconds clock_{};
    std::vector<Interval> freezes_;  // by start
    std::uint64_t empty_polls_ = 0;
    Picoseconds busy_{};
    std::optional<Picoseconds> spins_since_;
    HostJitter jitter_;
    std::string waits_for_;
    sc_core::sc_event go_;
    Agenda<std::uint64_t, &Core::resume> resumes_;
    StoreRoom store_room_;
    Pool store_buffer_;  // the same at the simulation's time
    StateClock<CoreActivity, kCoreActivityNames.size()> activity_;
    StateTimes pushes_;
};

}  // namespace ndsim
