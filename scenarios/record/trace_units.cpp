// SPDX-License-Identifier: Apache-2.0
#include "scenarios/record/trace_units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "sim/base/slots.hpp"

namespace ndsim {

std::string trace_members(const Work& work, std::span<const std::string> hosts) {
    std::string text;
    const auto out = std::back_inserter(text);
    if (work.request.number != 0) {
        const std::string name = fmt::format("{}.{}", hosts[raw(work.request.host)], work.request.number);
        fmt::format_to(out, R"(,"request":{})", trace_text(name));
    }
    if (work.qp) {
        fmt::format_to(out, R"(,"qp":"{:#x}")", raw(*work.qp));
    }
    const auto number = [&out](std::string_view name, const std::optional<std::uint32_t>& value) {
        if (value) {
            fmt::format_to(out, R"(,"{}":{})", name, *value);
        }
    };
    number("queue", work.queue);
    number("psn", work.psn);
    number("bytes", work.bytes);
    return text;
}

TraceUnits::TraceUnits(TraceStream& stream, std::vector<std::string> hosts)
    : stream_(stream), hosts_(std::move(hosts)) {
    stream_.wait_for([this] { return earliest(); });
    stream_.before_writing([this](Picoseconds now) {
        for (Pool* const pool : pools_) {
            pool->settle(now);
        }
        enter_window(now);
    });
}

TraceUnits::~TraceUnits() {
    detach();
}

void TraceUnits::add_states(ProbeBase& probe, std::uint32_t track) {
    probe.attach(*this, static_cast<std::uint32_t>(signals_.size()));
    signals_.push_back({&probe, false, track, probe.shown(), {}, {}});
}

void TraceUnits::add_pool(Pool& pool, std::string_view unit, std::uint32_t track) {
    pool.attach(*this, static_cast<std::uint32_t>(signals_.size()));
    std::string text =
        fmt::format(R"("name":{},"args":{{"value":)", trace_text(fmt::format("{}.{}", unit, pool.name())));
    signals_.push_back({&pool, true, track, pool.shown(), {}, std::move(text)});
    pools_.push_back(&pool);
}

void TraceUnits::add_work(WorkProbe& probe, std::uint32_t track, Made made) {
    probe.attach(*this, static_cast<std::uint32_t>(benches_.size()));
    benches_.push_back({&probe, track, std::move(made), {}});
}

void TraceUnits::change(std::uint32_t number, Picoseconds at, std::uint64_t value) {
    if (signals_[number].is_pool) {
        count(number, at, value);
        return;
    }
    leave_state(signals_[number], at);
    signals_[number].value = value;
    signals_[number].since = at;
}

void TraceUnits::count(std::uint32_t number, Picoseconds at, std::uint64_t value) {
    if (at > stream_.start()) {
        enter_window(number);
    }
    Signal& signal = signals_[number];
    if (stream_.takes(at)) {
        stream_.counter(signal.track, number, at, fmt::format("{}{}}}", signal.text, value));
    }
    signal.is_in_window = signal.is_in_window || at >= stream_.start();
    signal.value = value;
}

// The levels of all pools at the start of the window, before anything later is written.
void TraceUnits::enter_window(Picoseconds now) {
    for (std::uint32_t number = 0; number < signals_.size() && now > stream_.start(); ++number) {
        enter_window(number);
    }
}

void TraceUnits::enter_window(std::uint32_t number) {
    Signal& signal = signals_[number];
    if (signal.is_pool && !std::exchange(signal.is_in_window, true) && signal.value != 0) {
        stream_.counter(signal.track, number, stream_.start(), fmt::format("{}{}}}", signal.text, signal.value));
    }
}

void TraceUnits::leave_state(const Signal& signal, Picoseconds at) {
    if (signal.value != 0 && at > signal.since && stream_.within({signal.since, at})) {
        stream_.slice(signal.track, {signal.since, at}, 0,
                      fmt::format(R"("name":"{}","cat":"state")", signal.probe->states()[signal.value]));
    }
}

void TraceUnits::begun(std::uint32_t probe, std::uint32_t slot, Picoseconds at, const Work& work) {
    Bench& bench = benches_[probe];
    grown(bench.pieces, slot) = Piece{work, at};
}

void TraceUnits::ended(std::uint32_t probe, std::uint32_t slot, Picoseconds at) {
    Bench& bench = benches_[probe];
    if (slot >= bench.pieces.size() || !bench.pieces[slot]) {
        return;  // it began before it was watched
    }
    const Piece& piece = *bench.pieces[slot];
    show(bench, piece.work, {piece.since, std::max(piece.since, at)});
    bench.pieces[slot].reset();
}

void TraceUnits::dropped(std::uint32_t probe, std::uint32_t slot) {
    Bench& bench = benches_[probe];
    if (slot < bench.pieces.size()) {
        bench.pieces[slot].reset();
    }
}

void TraceUnits::show(const Bench& bench, const Work& work, Interval when) {
    const std::uint64_t owner = stream_.new_owner();
    if (stream_.within(when)) {
        const std::string members = trace_members(work, hosts_);
        stream_.slice(bench.track, when, owner,
                      fmt::format(R"("name":"{}","cat":"work","args":{{{}}})", work.what,
                                  std::string_view(members).substr(members.empty() ? 0 : 1)));
    }
    if (bench.made) {
        bench.made(work, when, owner);
    }
}

Picoseconds TraceUnits::earliest() const {
    Picoseconds earliest = Picoseconds::max();
    for (const Signal& signal : signals_) {
        if (!signal.is_pool && signal.value != 0) {
            earliest = std::min(earliest, signal.since);
        }
    }
    for (const Bench& bench : benches_) {
        for (const auto& piece : bench.pieces) {
            earliest = piece ? std::min(earliest, piece->since) : earliest;
        }
    }
    return earliest;
}

void TraceUnits::close(Picoseconds end) {
    for (Pool* const pool : pools_) {
        pool->settle(end);
    }
    enter_window(end);
    for (const Signal& signal : signals_) {
        if (!signal.is_pool) {
            leave_state(signal, end);
        }
    }
    for (Bench& bench : benches_) {
        for (const auto& piece : bench.pieces) {
            if (piece && piece->since <= end) {
                show(bench, piece->work, {piece->since, end});
            }
        }
    }
    detach();
}

void TraceUnits::detach() {
    for (const Signal& signal : signals_) {
        signal.probe->detach(*this);
    }
    for (const Bench& bench : benches_) {
        bench.probe->detach();
    }
    signals_.clear();
    pools_.clear();
    benches_.clear();
}

}  // namespace ndsim
