// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>

#include "ndapi/core/posting.hpp"
#include "scenarios/format/scenario.hpp"
#include "scenarios/hosts/ndk_face.hpp"

namespace ndsim {

// ReceivePoster: how a generator's receiver posts. A queue pair's own receive queue takes several receives with one
// doorbell. A shared queue rings for each, and takes them from one core at a time: the others spin on its lock.
class ReceivePoster {
public:
    explicit ReceivePoster(Core& core) : core_(core) {}

    void open(NdkFace& face, const QueuePair& qp);
    // False if the queue is full. A core that finds a shared queue full is woken when it has room.
    [[nodiscard]] bool post(CompletionInbox::Context& context, const core::LocalPiece& piece);
    // When a full shared queue has room, if that is known.
    [[nodiscard]] std::optional<Picoseconds> room_at() const;
    // Rings for what has been posted.
    void ring();
    [[nodiscard]] bool is_shared() const { return shared_ != nullptr; }
    // Has the callback called when the NIC has learned of receives of the queue pair, with the number of all so far.
    void hear_of_receives(std::function<void(std::uint32_t)> callback) const;

private:
    Core& core_;
    NDK_QP* qp_ = nullptr;
    SharedSrq* shared_ = nullptr;
};

}  // namespace ndsim
