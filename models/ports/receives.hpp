// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>

#include "models/proto/wqe.hpp"
#include "sim/base/ids.hpp"

namespace ndsim {

// The outcome of asking for a receive.
enum class ReceiveTake : std::uint8_t { taken, under_way, none_posted };

// The receive queues, as the responder takes receives from them.
class ReceiveQueuePort : public virtual sc_core::sc_interface {
public:
    // Takes the oldest receive of the QP, or of the queue that it shares. under_way: posted, but still being fetched;
    // receive_ready() follows.
    virtual ReceiveTake take(QpNum qp, Wqe& into) = 0;
    // Receives of the QP that are posted and not taken.
    [[nodiscard]] virtual std::uint32_t posted(QpNum qp) const = 0;
};

// Hears that a receive has been fetched, or that there is none.
class ReceiveReadyPort : public virtual sc_core::sc_interface {
public:
    virtual void receive_ready(QpNum qp) = 0;
};

}  // namespace ndsim
