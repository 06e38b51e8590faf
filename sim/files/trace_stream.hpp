// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <vector>

#include "sim/base/exact_rate.hpp"
#include "sim/files/trace_file.hpp"
#include "sim/files/trace_order.hpp"

namespace ndsim {

// Options of timeline.json.
struct TraceOptions {
    std::string path;
    // The window, both ends included: slices are cut at its edges.
    Picoseconds start{};
    Picoseconds stop = Picoseconds::max();
    Bytes max_size{UINT64_MAX};  // of the text
    bool compressed = false;
    std::size_t batch = std::size_t{1} << 14U;  // events between two writes
};

// A point of an arrow: it is bound to the slice that begins at `at`.
struct TracePoint {
    std::uint32_t track = 0;
    Picoseconds at{};
    std::uint64_t owner = 0;
};

// TraceStream: recorded events on their way into timeline.json. It keeps to the window, sorts events by time, and
// writes during the run. A failed write is reported by close(), and the run goes on.
class TraceStream {
public:
    // `now` returns the simulation's time.
    TraceStream(TraceOptions options, std::function<Picoseconds()> now);

    std::uint32_t add_process(std::string name, std::uint32_t place);
    std::uint32_t add_track(std::uint32_t process, std::string name, std::uint32_t place);
    // Events later than `earliest` returns may have to wait for earlier ones still to be recorded.
    void wait_for(std::function<Picoseconds()> earliest) { earliest_.push_back(std::move(earliest)); }
    // No event may be earlier than this any more.
    [[nodiscard]] Picoseconds written_until() const { return written_until_; }
    // Called before events are written.
    void before_writing(std::function<void(Picoseconds now)> action) { actions_.push_back(std::move(action)); }
    [[nodiscard]] std::uint64_t new_owner() { return ++last_owner_; }

    [[nodiscard]] Picoseconds start() const { return options_.start; }
    // Whether an event that begins at `at` may be recorded.
    [[nodiscard]] bool takes(Picoseconds at) const { return is_open() && at <= stop_; }
    // The part of the span in the window; nothing if there is none, or recording has ended.
    [[nodiscard]] std::optional<Interval> within(Interval span) const;
    // A number for an event that is recorded later: it keeps its place among those with the same time.
    [[nodiscard]] std::uint64_t new_number() { return order_.new_number(); }
    void begin(std::uint32_t track, Picoseconds at, std::uint64_t owner, std::string text, std::uint64_t number = 0);
    void end(std::uint32_t track, Picoseconds at, std::uint64_t owner, std::string text);
    void slice(std::uint32_t track, Interval span, std::uint64_t owner, std::string text, std::uint64_t number = 0);
    // The change of counter `number`; it never leads to writing, which would have the counting pool go on in the middle
    // of its change.
    void counter(std::uint32_t track, std::uint32_t number, Picoseconds at, std::string text);
    // An arrow through all points, if all are in the window.
    void arrow(const std::vector<TracePoint>& points, const std::string& text);

    // The run has been cut off at `end`: slices end there, and what is later is dropped, even if it is recorded, as are
    // arrows that lead there.
    void cut_off(Picoseconds end);

    // Whether the file takes more events.
    [[nodiscard]] bool is_open() const { return file_ != nullptr; }
    // Writes all events; open slices end at `end`. Returns why the file is incomplete, if it is.
    [[nodiscard]] std::optional<std::string> close(Picoseconds end);
    // If the file reached its size limit: the time of the first missing event.
    [[nodiscard]] std::optional<Picoseconds> cut_at() const { return cut_at_; }

private:
    // Numbers of owners from new_owner(), distinct from those of requests.
    static constexpr std::uint64_t kFirstOwner = std::uint64_t{1} << 63U;

    void push(TraceEvent event);
    void keep(TraceEvent event);  // and never writes
    void write();
    void write_before(Picoseconds limit);
    // Passes on what is to be written of an event. False if the file is full.
    [[nodiscard]] bool put(const TraceEvent& event);
    void give_up(const std::system_error& error);

    const TraceOptions options_;
    std::function<Picoseconds()> now_;
    Picoseconds stop_;                 // of the window, or where waiting events already exceed the file's size
    std::unique_ptr<TraceFile> file_;  // none: recording has ended
    TraceOrder order_;
    std::vector<std::function<Picoseconds()>> earliest_;
    std::vector<std::function<void(Picoseconds)>> actions_;
    std::uint64_t last_owner_ = kFirstOwner;
    std::size_t since_ = 0;  // events since the last write
    bool writing_ = false;
    Picoseconds written_until_{};
    std::optional<Picoseconds> cut_off_at_;
    std::set<std::uint64_t> unbegun_;  // owners of slices that begin later than that
    std::optional<Picoseconds> cut_at_;
    std::optional<std::string> error_;
};

}  // namespace ndsim
