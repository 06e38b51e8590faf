// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "models/ports/qp.hpp"
#include "models/proto/psn.hpp"
#include "models/transport/shown_level.hpp"
#include "sim/base/ids.hpp"
#include "sim/base/units.hpp"

namespace ndsim {

class QpWatch;

// PsnWindows: the PSNs under way of each queue pair. PSNs before `unacknowledged` are answered; `next` is the PSN of
// the next packet to be sent. Sending moves `next`, the peer's answers move `unacknowledged`.
class PsnWindows {
public:
    // At most `most` packets may be under way; a Read may have more responses than that.
    explicit PsnWindows(std::uint32_t most) : most_(most) {}

    void create(QpNum qp, QpWatch* watch);
    void connect(QpNum qp, Psn first);

    [[nodiscard]] Psn unacknowledged(QpNum qp) const { return windows_[qp_index(qp)].unacknowledged; }
    [[nodiscard]] Psn next(QpNum qp) const { return windows_[qp_index(qp)].next; }
    [[nodiscard]] bool is_empty(QpNum qp) const { return next(qp) == unacknowledged(qp); }
    [[nodiscard]] bool is_full(QpNum qp) const { return outstanding(qp) >= most_; }

    void sent(QpNum qp, Psn next, Picoseconds at);
    // Everything before `up_to` is answered. True if that includes packets to be sent again since the window went back:
    // they are then skipped.
    [[nodiscard]] bool acknowledge(QpNum qp, Psn up_to);
    // Everything unanswered is sent again, or never.
    void go_back(QpNum qp, Picoseconds at);
    // Shows the watch how full the window is.
    void show(QpNum qp, Picoseconds at);

private:
    // The window of one queue pair.
    struct Window {
        Psn unacknowledged;
        Psn next;
        QpWatch* watch = nullptr;
        ShownLevel shown;
    };
    [[nodiscard]] std::uint32_t outstanding(QpNum qp) const;

    const std::uint32_t most_;
    std::vector<Window> windows_;
};

}  // namespace ndsim
