// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/base/exact_rate.hpp"
#include "sim/files/change_order.hpp"
#include "sim/files/vcd_file.hpp"

namespace ndsim {

// WaveWriter: writes changes of signals as a VCD, in time order; of several changes in one picosecond the last counts,
// and a change to the value that a signal has is none. The text depends on the changes alone, not on the calls. Free of
// SystemC, so that a thread of its own may write.
class WaveWriter {
public:
    // `window`, both ends included: at its start every signal shows its value, and the file ends with it. `hosts` are
    // those that post requests. Opens the file (WaveError).
    WaveWriter(const std::filesystem::path& path, Bytes max_size, Interval window, std::vector<std::string> hosts);

    // Signals are known by index. Call before the first write().
    void add(WaveSignal signal, std::uint64_t value);
    // The value of a signal at the window's start.
    void begin_with(std::uint32_t signal, std::uint64_t value) { values_[signal] = value; }
    // Takes all changes, none of which is before the last limit, and writes those before `limit`. Closes the file where
    // it reaches its size limit. WaveError if it cannot be written.
    void write(std::vector<WaveChange>& changes, Picoseconds limit);
    // Writes a last time stamp, and closes the file. Does nothing if it is closed.
    void finish(Picoseconds end) { file_.close(end); }

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
    [[nodiscard]] bool dump();  // false: cut
    void write_steps(std::span<const WaveChange> changes);
    [[nodiscard]] bool end_step(Picoseconds at);  // false: cut

    VcdFile file_;
    const Interval window_;
    const std::vector<std::string> hosts_;
    std::vector<WaveSignal> signals_;
    std::vector<std::uint64_t> values_;  // as written, or as of the window's start
    std::vector<std::uint64_t> largest_;
    std::vector<Interval> changed_;    // first and last change of each signal in the file
    std::vector<WaveChange> waiting_;  // not yet written
    ChangeOrder order_;
    Picoseconds written_until_{};
    bool declared_ = false;
    bool dumped_ = false;
    std::optional<Picoseconds> cut_at_;
};

}  // namespace ndsim
