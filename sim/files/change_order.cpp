// SPDX-License-Identifier: Apache-2.0
#include "sim/files/change_order.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <numeric>

namespace ndsim {

namespace {

constexpr unsigned kSpanBits = 14;   // about half as many spans as changes are kept at most
constexpr std::ptrdiff_t kFew = 24;  // up to this many, insertion beats a merge

bool before(const WaveChange& a, const WaveChange& b) {
    return a.at != b.at ? a.at < b.at : a.signal < b.signal;
}

void insert_each(WaveChange* const begin, WaveChange* const end) {
    for (WaveChange* next = begin + 1; next < end; ++next) {
        const WaveChange change = *next;
        WaveChange* place = next;
        for (; place != begin && before(change, place[-1]); --place) {
            *place = place[-1];
        }
        *place = change;
    }
}

}  // namespace

std::span<const WaveChange> ChangeOrder::take(std::vector<WaveChange>& changes, Picoseconds first, Picoseconds limit) {
    const auto width = static_cast<std::uint64_t>((limit - first).count());
    const auto bits = static_cast<unsigned>(std::bit_width(width));
    const unsigned shift = bits > kSpanBits ? bits - kSpanBits : 0;
    const auto span_of = [first, shift](const WaveChange& change) {
        return static_cast<std::uint64_t>((change.at - first).count()) >> shift;
    };
    ends_.assign((width >> shift) + 1, 0);
    for (const WaveChange& change : changes) {
        if (change.at < limit) {
            ++ends_[span_of(change)];
        }
    }
    // Begins for now: each moves to its span's end while the span fills.
    std::exclusive_scan(ends_.begin(), ends_.end(), ends_.begin(), 0U);
    sorted_.resize(changes.size());
    std::size_t kept = 0;
    for (const WaveChange& change : changes) {
        if (change.at < limit) {
            sorted_[ends_[span_of(change)]++] = change;
        } else {
            changes[kept++] = change;
        }
    }
    sorted_.resize(changes.size() - kept);
    changes.resize(kept);

    WaveChange* begin = sorted_.data();
    for (const std::uint32_t place : ends_) {
        WaveChange* const end = sorted_.data() + place;
        if (end - begin <= kFew) {
            insert_each(begin, end);
        } else {
            std::stable_sort(begin, end, before);
        }
        begin = end;
    }
    return sorted_;
}

}  // namespace ndsim
