// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/base/exact_rate.hpp"
#include "sim/files/change_order.hpp"
#include "sim/files/vcd_file.hpp"
#include "sim/kernel/probe.hpp"

namespace ndsim {

class Pool;
class Unit;

// Options of the waveform.
struct WavesOptions {
    std::filesystem::path path;
    // The window, both ends included: at `start` every signal shows its value, after `stop` nothing is recorded.
    Picoseconds start{};
    Picoseconds stop = Picoseconds::max();
    Bytes max_size{};                  // of the file; 0 B: no limit
    std::vector<std::string> hosts{};  // names of those that post requests, in the order of their identifiers
};

// Waves: writes the probes of the watched units as a VCD, driven by changes: a signal that does not change costs
// nothing. Changes may be announced ahead of the simulation. They are kept until it has passed them, and written in
// time order; of several in one picosecond, the last counts. The text depends on the changes alone, not on when they
// are written.
class Waves final : public WaveSink {
public:
    static constexpr std::size_t kBatch = std::size_t{1} << 14U;  // changes kept before they are sorted and written

    // `now` returns the simulation's time, which is never beyond a change still to come. Opens the file (WaveError).
    Waves(WavesOptions options, std::function<Picoseconds()> now);
    Waves(const Waves&) = delete;
    Waves& operator=(const Waves&) = delete;
    // Closes at the present time and hides errors, so call close() first. Watched units must still exist.
    ~Waves() override;

    // Watches all probes of a unit, or of every unit of the design in the order of creation. Call before the first
    // change is written, else InvariantError.
    void watch(const Unit& unit);
    void watch_all();

    void change(std::uint32_t signal, Picoseconds at, std::uint64_t value) override;
    // The simulation has reached `now`: pools show their departures, changes before `now` are written.
    void flush(Picoseconds now);
    // Writes the changes up to `end` and a last time stamp, and stops watching. Throws WaveError if the file could not
    // be written, now or earlier: SystemC does not pass on an exception thrown during the run.
    void close(Picoseconds end);

    [[nodiscard]] std::span<const WaveSignal> signals() const { return signals_; }
    // False if the signal surely keeps its value in this time: its changes come before or behind it.
    [[nodiscard]] bool may_change(std::size_t signal, Interval within) const {
        return changed_[signal].start <= within.end && changed_[signal].end >= within.start;
    }
    // The largest value of the signal in the file.
    [[nodiscard]] std::uint64_t largest(std::size_t signal) const { return largest_[signal]; }
    [[nodiscard]] bool is_open() const { return file_.is_open(); }
    [[nodiscard]] Bytes size() const { return file_.size(); }
    // If the file reached its size limit: the first missing time.
    [[nodiscard]] std::optional<Picoseconds> cut_at() const { return cut_at_; }

private:
    void settle(Picoseconds now);
    void write_before(Picoseconds limit);
    [[nodiscard]] bool write_steps(std::span<const WaveChange> changes);  // false: cut
    [[nodiscard]] bool end_step(Picoseconds at);
    void finish(Picoseconds end);
    void release();

    const WavesOptions options_;
    std::function<Picoseconds()> now_;
    VcdFile file_;
    std::vector<WaveSignal> signals_;
    std::vector<std::uint64_t> values_;  // as written, or as of the window's start
    std::vector<std::uint64_t> masks_;   // the bits of each signal
    std::vector<std::uint64_t> largest_;
    std::vector<Interval> changed_;  // first and last change of each signal in the file
    std::vector<ProbeBase*> probes_;
    std::vector<Pool*> pools_;
    std::vector<WaveChange> changes_;  // not yet written
    ChangeOrder order_;
    std::size_t flush_at_ = kBatch;
    Picoseconds complete_until_{};  // everything before is written
    bool declared_ = false;
    bool dumped_ = false;
    bool flushing_ = false;
    std::optional<Picoseconds> cut_at_;
    std::optional<WaveError> error_;
};

}  // namespace ndsim
