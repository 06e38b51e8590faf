// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "sim/files/trace_event.hpp"

namespace ndsim {

// TraceOrder: sorts events by time. They come in any order, and wait until nothing earlier can come any more. If many
// wait, they wait on disk: in an unnamed file that disappears by itself, in sorted runs. A failed write or read throws
// std::system_error.
class TraceOrder {
public:
    // The file goes into the folder of `path`; at most `most` waiting events stay in memory.
    explicit TraceOrder(std::string path, std::size_t most = std::size_t{1} << 17U);
    ~TraceOrder();

    void push(TraceEvent event);
    // A number for an event that comes later.
    [[nodiscard]] std::uint64_t new_number() { return ++last_number_; }
    [[nodiscard]] std::size_t in_memory() const { return events_.size(); }
    // Bytes of text, in memory and on disk.
    [[nodiscard]] Bytes waiting() const { return {waiting_}; }
    // Passes events earlier than `limit` to out(event), in order, as long as that returns true, and up to a slice or
    // an arrow that lasts beyond it: the run may be cut off before that one ends.
    template <class Out>
    void release(Picoseconds limit, Out&& out) {
        sort();
        while (const TraceEvent* const event = first()) {
            if (event->at >= limit || event->at + event->duration > limit || !out(*event)) {
                break;
            }
            pop();
        }
        events_.erase(events_.begin(), events_.begin() + static_cast<std::ptrdiff_t>(taken_));
        sorted_ -= taken_;
        taken_ = 0;
        make_room();
    }

private:
    class File;
    class Run;

    void sort();
    [[nodiscard]] bool is_run_first() const;
    [[nodiscard]] const TraceEvent* first() const;
    [[nodiscard]] static bool later(const std::unique_ptr<Run>& a, const std::unique_ptr<Run>& b);
    void pop();
    void make_room();

    const std::string path_;
    const std::size_t most_;
    std::uint64_t last_number_ = 0;
    std::vector<TraceEvent> events_;
    std::size_t sorted_ = 0;                  // number of events in order
    std::size_t taken_ = 0;                   // number of those handed out
    std::unique_ptr<File> file_;              // none: no event had to wait there
    std::vector<std::unique_ptr<Run>> runs_;  // a heap: the run with the first event is in front
    std::uint64_t waiting_ = 0;
};

}  // namespace ndsim
