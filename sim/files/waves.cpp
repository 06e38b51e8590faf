// SPDX-License-Identifier: Apache-2.0
#include "sim/files/waves.hpp"

#include <algorithm>
#include <bit>
#include <exception>
#include <utility>

#include "sim/base/invariant_error.hpp"
#include "sim/kernel/pool.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

namespace {

unsigned bits_for(std::uint64_t largest) {
    return static_cast<unsigned>(std::bit_width(largest | 1U));
}

WaveSignal describe(const Unit& unit, const ProbeBase& probe) {
    WaveSignal signal{unit.name(), std::string(probe.name()), std::string(probe.sentence()), {}, probe.bits(), {}};
    const auto pool = std::ranges::find(unit.pools(), &probe, [](const Pool* p) -> const ProbeBase* { return p; });
    if (pool != unit.pools().end()) {
        signal.kind = WaveSignal::Kind::occupancy;
        signal.bits = bits_for((*pool)->capacity());
        signal.capacity = (*pool)->capacity() == Pool::kUnlimited ? 0 : (*pool)->capacity();
    } else if (!probe.states().empty()) {
        signal.kind = WaveSignal::Kind::state;
        signal.bits = std::max(bits_for(probe.states().size() - 1), 2U);  // viewers name the values of vectors only
        signal.states.assign(probe.states().begin(), probe.states().end());
    } else if (probe.shows_requests()) {
        signal.kind = WaveSignal::Kind::request;
    } else if (probe.name() == "key") {
        signal.kind = WaveSignal::Kind::key;
    } else if (probe.bits() == 1) {
        signal.kind = WaveSignal::Kind::flag;
    }
    return signal;
}

void watch_below(Waves& waves, const std::vector<sc_core::sc_object*>& objects) {
    for (const sc_core::sc_object* object : objects) {
        if (const auto* unit = dynamic_cast<const Unit*>(object)) {
            waves.watch(*unit);
        }
        watch_below(waves, object->get_child_objects());
    }
}

}  // namespace

Waves::Waves(WavesOptions options, std::function<Picoseconds()> now)
    : window_{options.start, options.stop},
      now_(std::move(now)),
      writer_(options.path, options.max_size, window_, std::move(options.hosts)) {}

Waves::~Waves() {
    try {
        if (is_open_) {
            close(now_());
        }
    } catch (const std::exception&) {
        release();  // a caller that needs the error calls close()
    }
}

void Waves::watch(const Unit& unit) {
    if (has_begun_) {
        throw InvariantError(unit.name(), complete_until_, "watched after the first change was written");
    }
    for (ProbeBase* const probe : unit.probes()) {
        probe->attach(*this, static_cast<std::uint32_t>(probes_.size()));
        probes_.push_back(probe);
        WaveSignal signal = describe(unit, *probe);
        masks_.push_back(UINT64_MAX >> (64 - signal.bits));
        writer_.add(std::move(signal), probe->shown() & masks_.back());
    }
    pools_.insert(pools_.end(), unit.pools().begin(), unit.pools().end());
}

void Waves::watch_all() {
    watch_below(*this, sc_core::sc_get_top_level_objects());
}

void Waves::change(std::uint32_t signal, Picoseconds at, std::uint64_t value) {
    if (at < complete_until_) {
        const WaveSignal& late = writer_.signals()[signal];
        throw InvariantError(late.unit, at,
                             late.name + " changes in the past: the waveform is written up to " +
                                 std::to_string(complete_until_.count()) + " ps");
    }
    value &= masks_[signal];
    if (at <= window_.start) {
        writer_.begin_with(signal, value);  // not under way yet: `at` would be in the past
    } else if (at <= window_.end) {
        changes_.push_back({at, value, signal});
        if (changes_.size() >= kBatch && !settling_) {
            begin_to_write(now_(), now_());
        }
    } else if (now_() > window_.end && !settling_) {
        flush(now_());
    }
}

void Waves::flush(Picoseconds now) {
    if (is_open_) {
        begin_to_write(now, now);
        finish_writing();
        if (now > window_.end) {
            finish(window_.end);
        }
    }
}

void Waves::close(Picoseconds end, Picoseconds last) {
    if (error_) {
        throw WaveError(*error_);
    }
    if (is_open_) {
        begin_to_write(end, end + Picoseconds{1});
        finish_writing();
        finish(std::min(last, window_.end));
    }
}

const WaveWriter& Waves::file() const {
    if (writing_.valid()) {
        writing_.wait();
    }
    return writer_;
}

void Waves::settle(Picoseconds now) {
    settling_ = true;  // departures are changes too
    for (Pool* const pool : pools_) {
        pool->settle(now);
    }
    settling_ = false;
}

// The changes before `limit` are complete when the pools have shown their departures up to `now`.
void Waves::begin_to_write(Picoseconds now, Picoseconds limit) {
    finish_writing();
    if (!is_open_ || limit <= complete_until_) {
        return;
    }
    settle(now);
    has_begun_ = true;
    complete_until_ = limit;
    batch_.swap(changes_);
    writing_ = std::async([this, limit] { writer_.write(batch_, limit); });
}

void Waves::finish_writing() {
    if (writing_.valid()) {
        write([this] { writing_.get(); });
    }
}

void Waves::finish(Picoseconds end) {
    if (is_open_) {
        write([this, end] { writer_.finish(end); });
    }
}

// Passes on an error, and remembers it. A closed file takes no more.
template <class Write>
void Waves::write(Write&& write) {
    try {
        write();
    } catch (const WaveError& error) {
        error_ = error;
        release();
        throw;
    }
    if (!writer_.is_open()) {
        release();
    }
}

void Waves::release() {
    is_open_ = false;
    for (ProbeBase* const probe : probes_) {
        probe->detach(*this);
    }
    probes_.clear();
    pools_.clear();
    std::vector<WaveChange>().swap(changes_);
}

}  // namespace ndsim
