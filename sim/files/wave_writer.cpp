// SPDX-License-Identifier: Apache-2.0
#include "sim/files/wave_writer.hpp"

#include <algorithm>
#include <utility>

namespace ndsim {

WaveWriter::WaveWriter(const std::filesystem::path& path, Bytes max_size, Interval window,
                       std::vector<std::string> hosts)
    : file_(path, max_size), window_(window), hosts_(std::move(hosts)) {}

void WaveWriter::add(WaveSignal signal, std::uint64_t value) {
    signals_.push_back(std::move(signal));
    values_.push_back(value);
    largest_.push_back(0);
    changed_.push_back({Picoseconds::max(), Picoseconds::min()});
}

void WaveWriter::write(std::vector<WaveChange>& changes, Picoseconds limit) {
    if (waiting_.empty()) {
        waiting_.swap(changes);
    } else {
        waiting_.insert(waiting_.end(), changes.begin(), changes.end());
    }
    changes.clear();
    if (!declared_) {
        declared_ = true;
        file_.header(signals_, hosts_);
    }
    if (limit > window_.start && (dumped_ || dump())) {
        write_steps(order_.take(waiting_, written_until_, limit));
    }
    written_until_ = limit;
}

bool WaveWriter::dump() {
    dumped_ = true;
    file_.begin_step(window_.start);
    file_.dump(values_);
    largest_ = values_;
    return end_step(window_.start);
}

void WaveWriter::write_steps(std::span<const WaveChange> changes) {
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
                return;
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
    if (step.count() >= 0) {
        static_cast<void>(end_step(step));
    }
}

bool WaveWriter::end_step(Picoseconds at) {
    if (file_.end_step()) {
        return true;
    }
    cut_at_ = at;
    file_.close(at);
    return false;
}

}  // namespace ndsim
