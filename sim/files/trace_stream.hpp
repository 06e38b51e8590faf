// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "sim/base/exact_rate.hpp"
#include "sim/files/trace_file.hpp"
#include "sim/files/trace_order.hpp"

namespace ndsim {

struct TraceOptions {
    std::string path;
    // The window, both ends included: what reaches out of it is cut there.
    Picoseconds start{};
    Picoseconds stop = Picoseconds::max();
    Bytes max_size{UINT64_MAX};
    std::size_t batch = std::size_t{1} << 14U;  // events that come before the next ones are written
};

// A point of an arrow: it is bound to the slice that begins then.
struct TracePoint {
    std::uint32_t track = 0;
    Picoseconds at{};
    std::uint64_t owner = 0;
};

// TraceStream: what is recorded on its way into timeline.json. It keeps to the window, has events wait for those that
// are earlier, and writes while the run goes on. What cannot be written is kept until close(), and the run goes on.
class TraceStream {
public:
    // `now` tells how far the simulation is.
    TraceStream(TraceOptions options, std::function<Picoseconds()> now);

    std::uint32_t add_process(std::string name, std::uint32_t place);
    std::uint32_t add_track(std::uint32_t process, std::string name, std::uint32_t place);
    // Whoever will still tell of the past: what comes later than this may wait for it.
    void wait_for(std::function<Picoseconds()> earliest) { earliest_.push_back(std::move(earliest)); }
    // Called before events are written.
    void before_writing(std::function<void(Picoseconds now)> action) { actions_.push_back(std::move(action)); }
    [[nodiscard]] std::uint64_t new_owner() { return ++last_owner_; }

    // Whether anything that begins then may be recorded.
    [[nodiscard]] bool takes(Picoseconds at) const { return is_open() && at <= stop_; }
    // The part of it that is in the window; none: nothing is, or nothing more is recorded.
    [[nodiscard]] std::optional<Interval> within(Interval span) const;
    void begin(std::uint32_t track, Picoseconds at, std::uint64_t owner, std::string text);
    void end(std::uint32_t track, Picoseconds at, std::uint64_t owner, std::string text);
    void slice(std::uint32_t track, Interval span, std::uint64_t owner, std::string text);
    void counter(std::uint32_t track, Picoseconds at, std::string text);
    // An arrow through all points, if none of them is out of the window.
    void arrow(const std::vector<TracePoint>& points, const std::string& text);

    // The file takes more events.
    [[nodiscard]] bool is_open() const { return file_ != nullptr; }
    // Writes what there is; what has not ended does so at `end`. Why the file is not whole, if it is not.
    [[nodiscard]] std::optional<std::string> close(Picoseconds end);
    // If the file came to its size limit: the time of the first event that is missing.
    [[nodiscard]] std::optional<Picoseconds> cut_at() const { return cut_at_; }

private:
    // Numbers of owners that are given out here, apart from those of requests.
    static constexpr std::uint64_t kFirstOwner = std::uint64_t{1} << 63U;

    void push(TraceEvent event);
    void write();
    void write_before(Picoseconds limit);
    void give_up(const std::system_error& error);

    const TraceOptions options_;
    std::function<Picoseconds()> now_;
    Picoseconds stop_;                 // of the window, or where more than fits into the file already waits for it
    std::unique_ptr<TraceFile> file_;  // none: nothing more is recorded
    TraceOrder order_;
    std::vector<std::function<Picoseconds()>> earliest_;
    std::vector<std::function<void(Picoseconds)>> actions_;
    std::uint64_t last_owner_ = kFirstOwner;
    std::size_t since_ = 0;  // events since the last ones were written
    bool writing_ = false;
    Picoseconds written_until_{};
    std::optional<Picoseconds> cut_at_;
    std::optional<std::string> error_;
};

}  // namespace ndsim
