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
    : options_(std::move(options)), now_(std::move(now)), file_(options_.path, options_.max_size) {}

Waves::~Waves() {
    try {
        if (is_open()) {
            close(now_());
        }
    } catch (const std::exception&) {
        release();  // a caller that needs the error calls close()
    }
}

void Waves::watch(const Unit& unit) {
    if (declared_) {
        throw InvariantError(unit.name(), complete_until_, "watched after the first change was written");
    }
    for (ProbeBase* const probe : unit.probes()) {
        probe->attach(*this, static_cast<std::uint32_t>(signals_.size()));
        probes_.push_back(probe);
        const WaveSignal& signal = signals_.emplace_back(describe(unit, *probe));
        masks_.push_back(UINT64_MAX >> (64 - signal.bits));
        values_.push_back(probe->shown() & masks_.back());
        largest_.push_back(0);
        changed_.push_back({Picoseconds::max(), Picoseconds::min()});
    }
    pools_.insert(pools_.end(), unit.pools().begin(), unit.pools().end());
}

void Waves::watch_all() {
    watch_below(*this, sc_core::sc_get_top_level_objects());
}

void Waves::change(std::uint32_t signal, Picoseconds at, std::uint64_t value) {
    if (at < complete_until_) {
        throw InvariantError(signals_[signal].unit, at,
                             signals_[signal].name + " changes in the past: the waveform is written up to " +
                                 std::to_string(complete_until_.count()) + " ps");
    }
    value &= masks_[signal];
    if (at <= options_.start) {
        values_[signal] = value;
    } else if (at <= options_.stop) {
        changes_.push_back({at, value, signal});
        if (changes_.size() >= flush_at_) {
            flush(now_());
        }
    } else if (const Picoseconds now = now_(); now > options_.stop) {
        flush(now);
    }
}

void Waves::flush(Picoseconds now) {
    if (flushing_ || !is_open()) {
        return;
    }
    if (now > complete_until_) {
        settle(now);
        write_before(now);
        if (now > options_.stop) {
            finish(options_.stop);
        }
    }
    flush_at_ = changes_.size() + kBatch;
}

void Waves::close(Picoseconds end) {
    if (error_) {
        throw WaveError(*error_);
    }
    if (is_open()) {
        settle(end);
        write_before(end + Picoseconds{1});
        finish(std::min(end, options_.stop));
    }
}

void Waves::settle(Picoseconds now) {
    flushing_ = true;  // departures are changes too
    for (Pool* const pool : pools_) {
        pool->settle(now);
    }
    flushing_ = false;
}

void Waves::write_before(Picoseconds limit) try {
    if (!declared_) {
        file_.header(signals_, options_.hosts);
        declared_ = true;
    }
    if (!dumped_ && limit > options_.start) {
        dumped_ = true;
        file_.begin_step(options_.start);
        file_.dump(values_);
        largest_ = values_;
        if (!end_step(options_.start)) {
            return;
        }
    }
    if (write_steps(order_.take(changes_, complete_until_, limit))) {
        complete_until_ = limit;
    }
} catch (const WaveError& error) {
    error_ = error;
    release();
    throw;
}

bool Waves::write_steps(std::span<const WaveChange> changes) {
    Picoseconds step{-1};
    for (std::size_t i = 0; i < changes.size(); ++i) {
        const WaveChange& change = changes[i];
        const bool replaced =
            i + 1 < changes.size() && changes[i + 1].at == change.at && changes[i + 1].signal == change.signal;
        if (replaced || values_[change.signal] == change.value) {
            continue;
        }
        if (change.at != step) {
            if (step.count() >= 0 && !end_step(step)) {
                return false;
            }
            step = change.at;
            file_.begin_step(step);
        }
        file_.value(change.signal, change.value);
        values_[change.signal] = change.value;
        largest_[change.signal] = std::max(largest_[change.signal], change.value);
        Interval& changed = changed_[change.signal];
        changed = {std::min(changed.start, step), step};
    }
    return step.count() < 0 || end_step(step);
}

bool Waves::end_step(Picoseconds at) {
    if (file_.end_step()) {
        return true;
    }
    cut_at_ = at;
    finish(at);
    return false;
}

void Waves::finish(Picoseconds end) try {
    if (is_open()) {
        file_.close(end);
        release();
    }
} catch (const WaveError& error) {
    error_ = error;
    release();
    throw;
}

void Waves::release() {
    for (ProbeBase* const probe : probes_) {
        probe->detach(*this);
    }
    probes_.clear();
    pools_.clear();
    std::vector<WaveChange>().swap(changes_);
}

}  // namespace ndsim
