// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/files/gzip.hpp"
#include "sim/files/trace_event.hpp"
#include "sim/files/trace_lanes.hpp"
#include "sim/files/write_all.hpp"

namespace ndsim {

// Microseconds with six decimals, exact to the picosecond.
[[nodiscard]] std::string trace_time(Picoseconds time);
// A JSON string, quotes included.
[[nodiscard]] std::string trace_text(std::string_view text);

// TraceFile: timeline.json, Chrome's trace event format, in a file of at most `max_size`. Events come in time order,
// one in each line. The closed file is always whole JSON: an event that no longer fits, or that a full disk cuts, is
// left out entirely. It may be compressed; `max_size` is that of the text all the same. A failed write throws
// std::system_error.
class TraceFile {
public:
    TraceFile(const std::string& path, Bytes max_size, bool compressed = false);

    // A group of tracks, and a track in a group; groups come before the first event. Viewers show them in the order of
    // `place`. Groups and tracks without events are not in the file.
    std::uint32_t add_process(std::string name, std::uint32_t place);
    std::uint32_t add_track(std::uint32_t process, std::string name, std::uint32_t place);
    // False if the event does not fit.
    [[nodiscard]] bool add(const TraceEvent& event);
    // Ends open slices at `end`, and writes the rest to the disk. A file that is not closed lacks the rest.
    void close(Picoseconds end);

private:
    // A group of tracks.
    struct Process {
        std::string name;
        std::uint32_t place = 0;
        bool said = false;
    };
    // A track, and the rows of its slices.
    struct Track {
        std::uint32_t process = 0;
        std::string name;
        std::uint32_t place = 0;
        TraceLanes lanes;
        std::vector<std::uint32_t> threads;  // by lane
    };

    void line(std::string_view text);
    void say(std::string_view what, std::string_view of, std::string_view value);
    void say_process(std::uint32_t number);
    [[nodiscard]] std::uint32_t thread_of(Track& track, std::uint32_t lane);
    [[nodiscard]] std::uint32_t lane_of(Track& track, const TraceEvent& event);
    void write(const TraceEvent& event);
    void give_up(const TraceEvent& event);
    void drain(bool last);
    [[noreturn]] void fail(int error, std::string_view there);

    const std::uint64_t max_size_;
    OutputFile file_;
    std::string buffer_;
    std::optional<Gzip> gzip_;
    std::uint64_t drained_ = 0;  // of the text
    std::uint64_t on_disk_ = 0;
    bool first_ = true;
    std::uint64_t open_ = 0;  // slices that are open
    std::uint32_t threads_ = 0;
    std::vector<Process> processes_;
    std::vector<Track> tracks_;
};

}  // namespace ndsim
