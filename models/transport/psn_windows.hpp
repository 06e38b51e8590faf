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

// PsnWindows: of each queue pair the PSNs under way. Those before `unacknowledged` are answered; `next` is that of the
// packet to be sent next. What is sent moves the one, what the peer answers the other.
class PsnWindows {
public:
    // `most` packets may be under way; a Read may have more responses than that.
    explicit PsnWindows(std::uint32_t most) : most_(most) {}

    void create(QpNum qp, QpWatch* watch);
    void connect(QpNum qp, Psn first);

    [[nodiscard]] Psn unacknowledged(QpNum qp) const { return windows_[qp_index(qp)].unacknowledged; }
    [[nodiscard]] Psn next(QpNum qp) const { return windows_[qp_index(qp)].next; }
    [[nodiscard]] bool is_empty(QpNum qp) const { return next(qp) == unacknowledged(qp); }
    [[nodiscard]] bool is_full(QpNum qp) const { return outstanding(qp) >= most_; }

    void sent(QpNum qp, Psn next, Picoseconds at);
    // Everything before `up_to` is answered. True if that passes what was sent since the window went back: then it need
    // not be sent again.
    [[nodiscard]] bool acknowledge(QpNum qp, Psn up_to);
    // Everything that is not answered is to be sent again, or never will be.
    void go_back(QpNum qp, Picoseconds at);
    // Shows the watch how full the window is.
    void show(QpNum qp, Picoseconds at);

    // PSNs that were taken back, to be sent again.
    [[nodiscard]] std::uint64_t taken_back() const { return taken_back_; }

private:
    struct Window {
        Psn unacknowledged;
        Psn next;
        QpWatch* watch = nullptr;
        ShownLevel shown;
    };
    [[nodiscard]] std::uint32_t outstanding(QpNum qp) const;

    const std::uint32_t most_;
    std::vector<Window> windows_;
    std::uint64_t taken_back_ = 0;
};

}  // namespace ndsim
