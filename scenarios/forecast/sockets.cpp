// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "scenarios/forecast/follower.hpp"

// Sockets of Winsock Direct. A receive takes bytes until it is full or the stream has ended. Waits of sends are left
// out: here sends never wait, so programs get as far as they can.
namespace ndsim::forecast {

Follower::Step Follower::post_to_socket(Software& software, const PostOp& post) {
    Qp& qp = qps_[software.qps.at(post.qp)];
    Qp& peer = qps_[*qp.peer];
    if (qp.link != Link::up) {
        refuse_post(software, post, {STATUS_CONNECTION_INVALID, name_of(qp) + " is not connected"});
        return Step::done;
    }
    std::uint64_t length = 0;
    for (const Piece& piece : post.pieces) {
        length += piece.size.count;
    }
    if (post.kind == PostKind::send) {
        findings_.leave_out(*software.now.op, "what a send through a socket waits for", Doubt::slower);
        if (peer.link == Link::over) {
            findings_.leave_out(*software.now.op, "what a send to a socket that is closed returns", Doubt::unsure);
        }
        qp.bytes_sent += length;
        return Step::done;
    }
    if (peer.bytes_sent - qp.bytes_taken < length && !peer.left) {
        return Step::blocked;
    }
    qp.bytes_taken += std::min(length, peer.bytes_sent - qp.bytes_taken);
    return Step::done;
}

}  // namespace ndsim::forecast
