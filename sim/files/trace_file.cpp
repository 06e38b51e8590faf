// SPDX-License-Identifier: Apache-2.0
#include "sim/files/trace_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <iterator>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

namespace ndsim {

namespace {

constexpr std::size_t kTraceBuffer = std::size_t{1} << 18U;
constexpr std::string_view kHead = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[";
constexpr std::string_view kTail = "\n]}\n";
// Largest size of a slice's end: {"ph":"E","pid":65535,"tid":4294967295,"ts":86400000000.000000}
constexpr std::uint64_t kEndSize = 96;
// Rows of a track that have their own place in the order of viewers.
constexpr std::uint32_t kTraceRows = 4096;

constexpr std::array<std::string_view, 7> kPhases{"E", "B", "X", "C", "s", "t", "f"};

}  // namespace

std::string trace_time(Picoseconds time) {
    constexpr std::int64_t kMicrosecond = 1'000'000;
    return fmt::format("{}.{:06}", time.count() / kMicrosecond, time.count() % kMicrosecond);
}

std::string trace_text(std::string_view text) {
    return nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

TraceFile::TraceFile(const std::string& path, Bytes max_size, bool compressed)
    : max_size_(max_size.count), file_(path), buffer_(kHead) {
    if (!file_.is_open()) {
        throw std::system_error(errno, std::generic_category());
    }
    if (compressed) {
        gzip_.emplace();
    }
}

std::uint32_t TraceFile::add_process(std::string name, std::uint32_t place) {
    processes_.push_back({std::move(name), place});
    return static_cast<std::uint32_t>(processes_.size());
}

std::uint32_t TraceFile::add_track(std::uint32_t process, std::string name, std::uint32_t place) {
    tracks_.push_back({process, std::move(name), place, {}, {}});
    return static_cast<std::uint32_t>(tracks_.size() - 1);
}

bool TraceFile::add(const TraceEvent& event) {
    const std::size_t before = buffer_.size();
    write(event);
    open_ += event.kind == TraceKind::begin ? 1 : 0;
    open_ -= event.kind == TraceKind::end ? 1 : 0;
    if (drained_ + buffer_.size() + open_ * kEndSize + kTail.size() > max_size_) {
        buffer_.resize(before);
        give_up(event);
        return false;
    }
    if (buffer_.size() >= kTraceBuffer) {
        drain(false);
    }
    return true;
}

// Open slices still end: there is room for that, but not for more of their text.
void TraceFile::give_up(const TraceEvent& event) {
    if (event.kind == TraceKind::begin) {
        (void)tracks_[event.track].lanes.end(event.owner, event.at);
    } else if (event.kind == TraceKind::end) {
        write({TraceKind::end, event.track, event.at, {}, event.owner, {}, 0});
    }
}

void TraceFile::close(Picoseconds end) {
    if (!file_.is_open()) {
        return;
    }
    std::vector<TraceEvent> ends;
    for (std::uint32_t track = 0; track < tracks_.size(); ++track) {
        for (const TraceLanes::Open& open : tracks_[track].lanes.open()) {
            ends.push_back({TraceKind::end, track, std::max(end, open.until), {}, open.owner, {}, 0});
        }
    }
    std::stable_sort(ends.begin(), ends.end(), [](const TraceEvent& a, const TraceEvent& b) { return a.at < b.at; });
    for (const TraceEvent& event : ends) {
        write(event);
    }
    buffer_ += kTail;
    drain(true);
    if (!file_.close()) {
        throw std::system_error(errno, std::generic_category());
    }
}

void TraceFile::line(std::string_view text) {
    buffer_ += std::exchange(first_, false) ? "\n" : ",\n";
    buffer_ += text;
}

// Writes metadata.
void TraceFile::say(std::string_view what, std::string_view of, std::string_view value) {
    const std::string_view key = what.ends_with("_name") ? "name" : "sort_index";
    line(fmt::format(R"({{"ph":"M","name":"{}",{},"args":{{"{}":{}}}}})", what, of, key, value));
}

void TraceFile::say_process(std::uint32_t number) {
    Process& process = processes_[number - 1];
    if (!std::exchange(process.said, true)) {
        const std::string of = fmt::format(R"("pid":{})", number);
        say("process_name", of, trace_text(process.name));
        say("process_sort_index", of, std::to_string(process.place));
    }
}

std::uint32_t TraceFile::thread_of(Track& track, std::uint32_t lane) {
    while (track.threads.size() <= lane) {
        const auto row = static_cast<std::uint32_t>(track.threads.size());
        // Viewers take a thread with its process's number for the main one, so threads come behind all processes.
        const auto thread = static_cast<std::uint32_t>(processes_.size()) + ++threads_;
        track.threads.push_back(thread);
        const std::string name = row == 0 ? track.name : fmt::format("{} {}", track.name, row + 1);
        const std::string of = fmt::format(R"("pid":{},"tid":{})", track.process, thread);
        say("thread_name", of, trace_text(name));
        say("thread_sort_index", of, std::to_string(track.place * kTraceRows + std::min(row, kTraceRows - 1)));
    }
    return track.threads[lane];
}

std::uint32_t TraceFile::lane_of(Track& track, const TraceEvent& event) {
    switch (event.kind) {
        case TraceKind::begin:
            return track.lanes.begin(event.owner, event.at);
        case TraceKind::end:
            return track.lanes.end(event.owner, event.at);
        case TraceKind::slice:
            return track.lanes.slice(event.owner, {event.at, event.at + event.duration});
        case TraceKind::counter:
            return 0;
        case TraceKind::flow_start:
        case TraceKind::flow_step:
        case TraceKind::flow_end:
            break;
    }
    return track.lanes.of(event.owner).value_or(0);
}

void TraceFile::write(const TraceEvent& event) {
    Track& track = tracks_[event.track];
    say_process(track.process);
    fmt::memory_buffer text;
    const auto out = std::back_inserter(text);
    std::string thread;  // counters belong to a process
    if (event.kind != TraceKind::counter) {
        thread = fmt::format(R"("tid":{},)", thread_of(track, lane_of(track, event)));
    }
    fmt::format_to(out, R"({{"ph":"{}","pid":{},{}"ts":{})", kPhases.at(static_cast<std::size_t>(event.kind)),
                   track.process, thread, trace_time(event.at));
    if (event.kind == TraceKind::slice) {
        fmt::format_to(out, R"(,"dur":{})", trace_time(event.duration));
    } else if (event.kind == TraceKind::flow_end) {
        fmt::format_to(out, R"(,"bp":"e")");
    }
    fmt::format_to(out, "{}{}}}", event.text.empty() ? "" : ",", event.text);
    line({text.data(), text.size()});
}

void TraceFile::drain(bool last) {
    std::string packed;
    if (gzip_) {
        gzip_->mark();
        if (last) {
            gzip_->finish(buffer_, packed);
        } else {
            gzip_->add(buffer_, packed);
        }
    }
    const std::string_view bytes = gzip_ ? packed : buffer_;
    if (const Written written = file_.write(bytes.data(), bytes.size()); written.error != 0) {
        fail(written.error, bytes.substr(0, written.bytes));
    }
    drained_ += buffer_.size();
    on_disk_ += bytes.size();
    buffer_.clear();
}

void TraceFile::fail(int error, std::string_view there) {
    // Half an event would make the file unreadable: cut it back to the last whole one that leaves room for the end.
    std::size_t kept = 0;
    std::string tail(kTail);
    if (gzip_) {  // a compressed piece cannot be cut in two
        tail.clear();
        gzip_->go_back();
        gzip_->finish(drained_ == 0 ? std::string(kHead) + std::string(kTail) : std::string(kTail), tail);
    } else {
        kept = there.size() >= kTail.size() ? there.rfind(",\n", there.size() - kTail.size()) : std::string_view::npos;
        if (kept == std::string_view::npos) {
            kept = on_disk_ == 0 ? std::min(there.size(), kHead.size()) : 0;
        }
    }
    file_.cut_back(on_disk_ + kept, tail);
    throw std::system_error(error, std::generic_category());
}

}  // namespace ndsim
