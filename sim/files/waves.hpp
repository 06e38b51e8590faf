// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <future>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/exact_rate.hpp"
#include "sim/files/wave_writer.hpp"
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

// Waves: records the probes of the watched units, driven by changes: a signal that does not change costs nothing.
// Changes may be announced ahead of the simulation. They are kept until it has passed them; then a thread of its own,
// if there can be one, writes them while the simulation goes on.
class Waves final : public WaveSink {
public:
    static constexpr std::size_t kBatch = std::size_t{1} << 15U;  // changes kept before they are written

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
    // Writes the changes up to `end` and the time stamp `last`, and stops watching. Throws WaveError if the file could
    // not be written, now or earlier: SystemC does not pass on an exception thrown during the run.
    void close(Picoseconds end, Picoseconds last);
    void close(Picoseconds end) { close(end, end); }

    // The file; nothing is written meanwhile.
    [[nodiscard]] const WaveWriter& file() const;
    // False when all is recorded: the file is closed, or will take no more.
    [[nodiscard]] bool is_open() const { return is_open_; }

private:
    void settle(Picoseconds now);
    void begin_to_write(Picoseconds now, Picoseconds limit);
    void finish_writing();
    void finish(Picoseconds end);
    void release();
    template <class Write>
    void write(Write&& write);

    const Interval window_;
    std::function<Picoseconds()> now_;
    WaveWriter writer_;
    std::vector<std::uint64_t> masks_;  // the bits of each signal
    std::vector<ProbeBase*> probes_;
    std::vector<Pool*> pools_;
    std::vector<WaveChange> changes_;
    Picoseconds complete_until_{};  // everything before is handed over
    bool is_open_ = true;
    bool has_begun_ = false;
    bool settling_ = false;
    std::optional<WaveError> error_;
    std::vector<WaveChange> batch_;  // the writer's
    std::future<void> writing_;
};

}  // namespace ndsim
