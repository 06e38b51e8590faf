// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "sim/files/trace_event.hpp"

namespace ndsim {

// TraceOrder: brings events into the order of their times. They come in any order, and wait until nothing earlier can
// come any more. If many wait, they wait on disk: in a file that has no name and goes by itself, in sorted runs. What
// cannot be written or read is a std::system_error.
class TraceOrder {
public:
    // The file goes into the folder of `path`; of the events that wait, `most` stay in memory.
    explicit TraceOrder(std::string path, std::size_t most = std::size_t{1} << 17U);
    ~TraceOrder();

    void push(TraceEvent event);
    [[nodiscard]] std::size_t in_memory() const { return events_.size(); }
    // Bytes of text, in memory and on disk.
    [[nodiscard]] Bytes waiting() const { return {waiting_}; }
    // Hands out(event) all that is earlier than `limit`, in order, for as long as that returns true.
    template <class Out>
    void release(Picoseconds limit, Out&& out) {
        sort();
        while (const TraceEvent* const event = first()) {
            if (event->at >= limit || !out(*event)) {
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
    std::size_t sorted_ = 0;                  // so many are in order
    std::size_t taken_ = 0;                   // and so many of these handed out
    std::unique_ptr<File> file_;              // none: nothing had to wait there
    std::vector<std::unique_ptr<Run>> runs_;  // a heap: that with the first event in front
    std::uint64_t waiting_ = 0;
};

}  // namespace ndsim
