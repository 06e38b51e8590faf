// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "models/ports/qp_watch.hpp"
#include "models/transport/responder.hpp"

// What the responder tells of itself: what it does or waits for, and which Reads it has not answered.
namespace ndsim {

namespace {

enum ResponderState : std::size_t { kAtRest, kPlacing, kReceiveWqe, kParked };
constexpr std::array kResponderStates{
    EngineState{EngineState::kIdle, ""}, EngineState{EngineState::kBusy, "time with payload on its way to PCIe"},
    EngineState{"receive_wqe", "time with all requests held up by a receive WQE on its way"},
    EngineState{"rq_park", "time with only requests that were set aside"}};

}  // namespace

std::span<const EngineState> Responder::states() {
    return kResponderStates;
}

void Responder::note() {
    const bool placing = writes_.size() > free_writes_.size();
    if (blocked_) {
        times_.enter(kReceiveWqe, now());
        return;
    }
    if (placing || issued_until_ > now()) {
        times_.enter(kPlacing, now());
    }
    if (!placing) {
        times_.enter(parked_.empty() ? kAtRest : kParked, std::max(now(), issued_until_));
    }
}

// The watch counts those that are answered for the first time.
void Responder::show_reads(Receiver& receiver) {
    if (receiver.watch == nullptr) {
        return;
    }
    const auto reads = static_cast<std::uint32_t>(receiver.ack.new_reads());
    if (reads > receiver.watched_reads) {
        receiver.watch->inbound_reads.take(reads - receiver.watched_reads, now());
    } else if (reads < receiver.watched_reads) {
        receiver.watch->inbound_reads.give(receiver.watched_reads - reads, now());
    }
    receiver.watched_reads = reads;
}

}  // namespace ndsim
