// SPDX-License-Identifier: Apache-2.0
#include "models/transport/psn_windows.hpp"

#include <algorithm>

#include "models/parts/qp_watch.hpp"
#include "sim/base/slots.hpp"

namespace ndsim {

void PsnWindows::create(QpNum qp, QpWatch* watch) {
    const std::uint32_t index = qp_index(qp);
    grown(windows_, index) = {};
    windows_[index].watch = watch;
}

void PsnWindows::connect(QpNum qp, Psn first) {
    Window& window = windows_[qp_index(qp)];
    window.unacknowledged = first;
    window.next = first;
}

std::uint32_t PsnWindows::outstanding(QpNum qp) const {
    return static_cast<std::uint32_t>(std::max(0, next(qp).ahead_of(unacknowledged(qp))));
}

void PsnWindows::sent(QpNum qp, Psn next, Picoseconds at) {
    windows_[qp_index(qp)].next = next;
    show(qp, at);
}

bool PsnWindows::acknowledge(QpNum qp, Psn up_to) {
    Window& window = windows_[qp_index(qp)];
    window.unacknowledged = up_to;
    const bool passes = up_to.ahead_of(window.next) > 0;
    if (passes) {
        window.next = up_to;
    }
    return passes;
}

void PsnWindows::go_back(QpNum qp, Picoseconds at) {
    windows_[qp_index(qp)].next = unacknowledged(qp);
    show(qp, at);
}

void PsnWindows::show(QpNum qp, Picoseconds at) {
    Window& window = windows_[qp_index(qp)];
    if (window.watch != nullptr) {
        window.shown.show(window.watch->psn_window, std::min(outstanding(qp), most_), at);
    }
}

}  // namespace ndsim
