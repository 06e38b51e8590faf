// SPDX-License-Identifier: Apache-2.0
#include "sim/files/trace_stream.hpp"

#include <algorithm>
#include <utility>

#include "sim/base/invariant_error.hpp"

namespace ndsim {

TraceStream::TraceStream(TraceOptions options, std::function<Picoseconds()> now)
    : options_(std::move(options)), now_(std::move(now)), stop_(options_.stop), order_(options_.path + ".waiting") {
    try {
        file_ = std::make_unique<TraceFile>(options_.path, options_.max_size, options_.compressed);
    } catch (const std::system_error& error) {
        give_up(error);
    }
}

std::uint32_t TraceStream::add_process(std::string name, std::uint32_t place) {
    return file_ ? file_->add_process(std::move(name), place) : 0;
}

std::uint32_t TraceStream::add_track(std::uint32_t process, std::string name, std::uint32_t place) {
    return file_ ? file_->add_track(process, std::move(name), place) : 0;
}

std::optional<Interval> TraceStream::within(Interval span) const {
    if (!file_ || span.end < options_.start || span.start > stop_) {
        return std::nullopt;
    }
    const Interval seen{std::max(span.start, options_.start), std::min(span.end, stop_)};
    return seen.start == seen.end && span.start < span.end ? std::nullopt : std::optional(seen);
}

void TraceStream::begin(std::uint32_t track, Picoseconds at, std::uint64_t owner, std::string text,
                        std::uint64_t number) {
    push({TraceKind::begin, track, at, {}, owner, std::move(text), number});
}

void TraceStream::end(std::uint32_t track, Picoseconds at, std::uint64_t owner, std::string text) {
    push({TraceKind::end, track, at, {}, owner, std::move(text)});
}

void TraceStream::slice(std::uint32_t track, Interval span, std::uint64_t owner, std::string text,
                        std::uint64_t number) {
    if (const auto seen = within(span)) {
        push({TraceKind::slice, track, seen->start, seen->end - seen->start, owner, std::move(text), number});
    }
}

void TraceStream::counter(std::uint32_t track, std::uint32_t number, Picoseconds at, std::string text) {
    if (at >= options_.start && at <= stop_) {
        keep({TraceKind::counter, track, at, {}, number, std::move(text)});
    }
}

void TraceStream::arrow(const std::vector<TracePoint>& points, const std::string& text) {
    if (points.size() < 2 || points.front().at < options_.start || points.back().at > stop_) {
        return;
    }
    for (const TracePoint& point : points) {
        const TraceKind kind = &point == &points.front()  ? TraceKind::flow_start
                               : &point == &points.back() ? TraceKind::flow_end
                                                          : TraceKind::flow_step;
        push({kind, point.track, point.at, points.back().at - point.at, point.owner, text});
    }
}

void TraceStream::push(TraceEvent event) {
    keep(std::move(event));
    if (since_ >= options_.batch && !writing_) {
        write();
    }
}

void TraceStream::keep(TraceEvent event) {
    if (!file_) {
        return;
    }
    if (event.at < written_until_) {
        throw InvariantError(
            "timeline", event.at,
            "an event comes late: " + std::to_string(written_until_.count()) + " ps are written: " + event.text);
    }
    order_.push(std::move(event));
    ++since_;
}

void TraceStream::write() {
    const Picoseconds now = now_();
    writing_ = true;
    for (const auto& action : actions_) {
        action(now);
    }
    writing_ = false;
    Picoseconds limit = now;
    for (const auto& earliest : earliest_) {
        limit = std::min(limit, earliest());
    }
    write_before(limit);
    since_ = 0;
    if (order_.waiting().count > options_.max_size.count) {
        stop_ = std::min(stop_, now);
    }
}

void TraceStream::write_before(Picoseconds limit) try {
    order_.release(limit, [this](const TraceEvent& event) {
        if (!put(event)) {
            cut_at_ = event.at;
            return false;
        }
        return true;
    });
    written_until_ = std::max(written_until_, limit);
    if (cut_at_) {
        file_->close(*cut_at_);
        file_.reset();
    }
} catch (const std::system_error& error) {
    give_up(error);
}

bool TraceStream::put(const TraceEvent& event) {
    if (!cut_off_at_ || event.at + event.duration <= *cut_off_at_) {
        return file_->add(event);
    }
    if (event.is_of_arrow()) {
        return true;
    }
    TraceEvent cut = event;
    if (event.at <= *cut_off_at_) {
        cut.duration = *cut_off_at_ - event.at;
        return file_->add(cut);
    }
    if (event.kind == TraceKind::begin) {
        unbegun_.insert(event.owner);
    } else if (event.kind == TraceKind::end && !unbegun_.contains(event.owner)) {
        cut.at = *cut_off_at_;
        return file_->add(cut);
    }
    return true;
}

void TraceStream::cut_off(Picoseconds end) {
    stop_ = std::min(stop_, end);
    cut_off_at_ = end;
}

std::optional<std::string> TraceStream::close(Picoseconds end) {
    if (file_) {
        write_before(Picoseconds::max());
    }
    try {
        if (file_) {
            file_->close(end);
        }
    } catch (const std::system_error& error) {
        give_up(error);
    }
    file_.reset();
    return error_;
}

void TraceStream::give_up(const std::system_error& error) {
    error_ = options_.path + ": " + error.code().message();
    file_.reset();
}

}  // namespace ndsim
