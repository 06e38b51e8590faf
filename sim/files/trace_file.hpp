// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/files/trace_event.hpp"
#include "sim/files/trace_lanes.hpp"

namespace ndsim {

// Microseconds with six decimals, which is to the picosecond.
[[nodiscard]] std::string trace_time(Picoseconds time);
// A JSON string, quotes included.
[[nodiscard]] std::string trace_text(std::string_view text);

// TraceFile: timeline.json, Chrome's trace event format, in a file of at most `max_size`. Events come in the order of
// their times, one in each line. Whatever happens, the file is whole JSON once it is closed: an event that no longer
// fits, or that a full disk cuts in two, is not in the file at all. What cannot be written is a std::system_error.
class TraceFile {
public:
    TraceFile(const std::string& path, Bytes max_size);
    TraceFile(const TraceFile&) = delete;
    TraceFile& operator=(const TraceFile&) = delete;
    ~TraceFile();  // gives up what is still in the buffer; close() first

    // A group of tracks, and a track of one. Viewers show them in the order of `place`. Of what has no event there is
    // nothing in the file.
    std::uint32_t add_process(std::string name, std::uint32_t place);
    std::uint32_t add_track(std::uint32_t process, std::string name, std::uint32_t place);
    // False if it does not fit.
    [[nodiscard]] bool add(const TraceEvent& event);
    // Ends at `end` what has begun, and writes the rest to the disk.
    void close(Picoseconds end);

private:
    struct Process {
        std::string name;
        std::uint32_t place = 0;
        bool said = false;
    };
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
    void drain();
    [[noreturn]] void fail(int error, std::size_t written);

    const std::uint64_t max_size_;
    int descriptor_ = -1;
    std::string buffer_;
    std::uint64_t on_disk_ = 0;
    bool first_ = true;
    std::uint64_t open_ = 0;  // slices that have begun and not ended
    std::uint32_t last_thread_;
    std::vector<Process> processes_;
    std::vector<Track> tracks_;
};

}  // namespace ndsim
