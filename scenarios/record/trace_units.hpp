// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/files/trace_stream.hpp"
#include "sim/kernel/pool.hpp"
#include "sim/kernel/probe.hpp"
#include "sim/kernel/work_probe.hpp"

namespace ndsim {

// `"qp":"0x11","psn":7` and the like: the details of a piece of work. Begins with a comma unless it is empty.
[[nodiscard]] std::string trace_members(const Work& work, std::span<const std::string> hosts);

// TraceUnits: the activity of hardware units in timeline.json: each state but the first as a slice, each piece of work
// as a slice, the level of a pool as a counter.
class TraceUnits final : public WaveSink, public WorkSink {
public:
    // A piece of work that has ended, with the owner of its slice.
    using Made = std::function<void(const Work& work, Interval span, std::uint64_t owner)>;

    TraceUnits(TraceStream& stream, std::vector<std::string> hosts);
    ~TraceUnits() override;

    void add_states(ProbeBase& probe, std::uint32_t track);
    void add_pool(Pool& pool, std::string_view unit, std::uint32_t track);
    void add_work(WorkProbe& probe, std::uint32_t track, Made made = {});

    void change(std::uint32_t signal, Picoseconds at, std::uint64_t value) override;
    void begun(std::uint32_t probe, std::uint32_t slot, Picoseconds at, const Work& work) override;
    void ended(std::uint32_t probe, std::uint32_t slot, Picoseconds at) override;
    void dropped(std::uint32_t probe, std::uint32_t slot) override;
    void done(std::uint32_t probe, Interval when, const Work& work) override { show(benches_[probe], work, when); }
    // The run has ended: work under way ends here. Watching stops.
    void close(Picoseconds end);

private:
    // A probe that is watched.
    struct Signal {
        ProbeBase* probe = nullptr;
        bool is_pool = false;
        std::uint32_t track = 0;
        std::uint64_t value = 0;
        Picoseconds since{};
        std::string text;           // of a counter, up to its value
        bool is_in_window = false;  // a counter has its value at the start of the window
    };
    // A piece of work under way.
    struct Piece {
        Work work;
        Picoseconds since{};
    };
    // A probe of work, and its pieces under way.
    struct Bench {
        WorkProbe* probe = nullptr;
        std::uint32_t track = 0;
        Made made;
        std::vector<std::optional<Piece>> pieces;  // by slot
    };

    void count(std::uint32_t number, Picoseconds at, std::uint64_t value);
    void enter_window(Picoseconds now);
    void enter_window(std::uint32_t number);
    void leave_state(const Signal& signal, Picoseconds at);
    void show(const Bench& bench, const Work& work, Interval when);
    [[nodiscard]] Picoseconds earliest() const;
    void detach();

    TraceStream& stream_;
    const std::vector<std::string> hosts_;
    std::vector<Signal> signals_;
    std::vector<Pool*> pools_;
    std::vector<Bench> benches_;
};

}  // namespace ndsim
