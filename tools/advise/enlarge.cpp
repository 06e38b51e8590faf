// SPDX-License-Identifier: Apache-2.0
#include "tools/advise/enlarge.hpp"

#include <algorithm>

namespace ndsim::advise {

namespace {

constexpr int kInVain = 3;             // doublings in a row that may bring nothing, if no share of a target tells
constexpr std::uint64_t kNotable = 5;  // in a thousand of the share reached

// Whether a share of the targets tells how far the trial is from them. It does not if runs break off, or if something
// must not happen at all.
bool has_share(const Trial& trial) {
    return trial.judgement.worst_ppm != 0 && trial.judgement.worst_ppm != UINT64_MAX;
}

bool is_nearer(const Trial& now, const Trial& before) {
    constexpr std::uint64_t kThousand = 1000;
    return has_share(now) && (!has_share(before) || now.judgement.worst_ppm * kThousand >
                                                        before.judgement.worst_ppm * (kThousand + kNotable));
}

// The queue in host memory that limits the trial. What is in the NIC is as large as the NIC has it.
std::vector<Dimension>::iterator limiting_queue(std::vector<Dimension>& dimensions, const Trial& trial) {
    return std::ranges::find_if(dimensions, [&](const Dimension& each) {
        return !trial.limits.empty() && each.settings.front().path == trial.limits.front().parameter &&
               each.host_bytes > 0 && each.breaks != Break::overrun;
    });
}

}  // namespace

void enlarge(std::vector<Dimension>& dimensions, const std::function<bool(const Dimension&, std::uint64_t)>& accepts,
             const std::function<Trial()>& try_generous) {
    Trial nearest = try_generous();
    std::vector<Dimension> of_nearest = dimensions;
    int in_vain = 0;
    for (Trial now = nearest; !now.holds() && in_vain < (has_share(nearest) ? 1 : kInVain);) {
        const auto queue = limiting_queue(dimensions, now);
        if (queue == dimensions.end()) {
            break;
        }
        const Dimension::Setting& depth = queue->settings.front();
        const std::uint64_t doubled = std::min(2 * queue->generous, depth.most / depth.factor);
        if (doubled == queue->generous || !accepts(*queue, doubled)) {
            break;
        }
        queue->generous = doubled;
        now = try_generous();
        if (now.holds() || is_nearer(now, nearest)) {
            nearest = now;
            of_nearest = dimensions;
            in_vain = 0;
        } else {
            ++in_vain;
        }
    }
    dimensions = std::move(of_nearest);
}

}  // namespace ndsim::advise
