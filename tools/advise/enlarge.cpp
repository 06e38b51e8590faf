// SPDX-License-Identifier: Apache-2.0
#include "tools/advise/enlarge.hpp"

#include <algorithm>

namespace ndsim::advise {

namespace {

constexpr int kInVain = 3;  // doublings in a row that may bring nothing; of all queues, if a share tells, one
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

// What is in the NIC is as large as the NIC has it.
bool is_queue_in_memory(const Dimension& dimension) {
    return dimension.host_bytes > 0 && dimension.breaks != Break::overrun;
}

std::vector<Dimension*> queues_of(std::vector<Dimension>& dimensions) {
    std::vector<Dimension*> queues;
    for (Dimension& each : dimensions) {
        if (is_queue_in_memory(each)) {
            queues.push_back(&each);
        }
    }
    return queues;
}

// The one that limits the trial; all of them if something else seems to, which may be nearly as slow.
std::vector<Dimension*> limiting(const std::vector<Dimension*>& queues, const Trial& trial) {
    const auto found = std::ranges::find_if(queues, [&](const Dimension* queue) {
        return !trial.limits.empty() && queue->settings.front().path == trial.limits.front().parameter;
    });
    return found == queues.end() ? queues : std::vector{*found};
}

}  // namespace

void enlarge(std::vector<Dimension>& dimensions, const std::function<bool(const Dimension&, std::uint64_t)>& accepts,
             const std::function<Trial()>& try_generous) {
    Trial nearest = try_generous();
    std::vector<Dimension> of_nearest = dimensions;
    const std::vector<Dimension*> all = queues_of(dimensions);
    int in_vain = 0;
    for (Trial now = nearest; !now.holds() && in_vain < kInVain;) {
        const std::vector<Dimension*> queues = in_vain == 0 ? limiting(all, now) : all;
        bool is_larger = false;
        for (Dimension* const queue : queues) {
            const Dimension::Setting& depth = queue->settings.front();
            const std::uint64_t doubled = std::min(2 * queue->generous, depth.most / depth.factor);
            if (doubled > queue->generous && accepts(*queue, doubled)) {
                queue->generous = doubled;
                is_larger = true;
            }
        }
        now = is_larger ? try_generous() : now;
        if (is_larger && (now.holds() || is_nearer(now, nearest))) {
            nearest = now;
            of_nearest = dimensions;
            in_vain = 0;
        } else if (queues.size() == all.size() && (!is_larger || has_share(nearest))) {
            break;
        } else {
            ++in_vain;
        }
    }
    dimensions = std::move(of_nearest);
}

}  // namespace ndsim::advise
