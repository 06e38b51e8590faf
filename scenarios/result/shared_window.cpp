// SPDX-License-Identifier: Apache-2.0
#include "scenarios/result/shared_window.hpp"

#include <utility>

#include "scenarios/measure/rate_window.hpp"

namespace ndsim {

void SharedWindow::begin(Picoseconds at, std::vector<std::uint64_t> bytes) {
    begun_ = at;
    bytes_at_begin_ = std::move(bytes);
}

void SharedWindow::end(Picoseconds at, std::vector<std::uint64_t> bytes) {
    ended_ = at;
    bytes_at_end_ = std::move(bytes);
}

std::optional<std::uint64_t> SharedWindow::bytes_per_second(std::size_t generator) const {
    if (!ended_) {
        return std::nullopt;
    }
    return per_second(bytes_at_end_[generator] - bytes_at_begin_[generator], *ended_ - *begun_);
}

}  // namespace ndsim
