// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "ndapi/core/send_queue.hpp"
#include "ndapi/core/serial_calls.hpp"

namespace ndsim::core {

class Mw;
class Pd;
class Qp;
struct Binding;
struct FastRegistration;

// Initiator: what a consumer posts to the send queue of a queue pair. A post that is wrong is refused, and the deferred
// ones before it are rung for [K39]; the others become WQEs.
class Initiator {
public:
    Initiator(Qp& qp, Pd& pd, const QpLimits& limits, SendQueue& sends);

    // The consumer must not post on two cores at a time [K27].
    void report_overlaps() { calls_.report_overlaps(); }

    [[nodiscard]] NTSTATUS send(void* context, std::span<const LocalPiece> pieces, const RequestOptions& options) {
        return initiate({WqeOpcode::send, OperationKind::send}, context, pieces, options);
    }
    // A Send that also invalidates a key of the peer.
    [[nodiscard]] NTSTATUS send_and_invalidate(void* context, std::span<const LocalPiece> pieces, MrKey key,
                                               const RequestOptions& options) {
        return initiate({WqeOpcode::send_and_invalidate, OperationKind::send, {}, key}, context, pieces, options);
    }
    // Reads the peer's memory. After success it invalidates `key` here, unless that is 0.
    [[nodiscard]] NTSTATUS read(void* context, std::span<const LocalPiece> pieces, const RemoteRange& remote, MrKey key,
                                const RequestOptions& options) {
        return initiate({WqeOpcode::read, OperationKind::read, remote, key}, context, pieces, options);
    }
    // Writes the peer's memory; it uses no receive, and the peer's software is not told [K143].
    [[nodiscard]] NTSTATUS write(void* context, std::span<const LocalPiece> pieces, const RemoteRange& remote,
                                 const RequestOptions& options) {
        return initiate({WqeOpcode::write, OperationKind::write, remote}, context, pieces, options);
    }
    // Requests that change a key of this NIC, in the order of the queue.
    [[nodiscard]] NTSTATUS bind(void* context, const Binding& what, const RequestOptions& options);
    [[nodiscard]] NTSTATUS fast_register(void* context, const FastRegistration& what, const RequestOptions& options);
    [[nodiscard]] NTSTATUS invalidate(void* context, const Pd& pd, MrKey key, const RequestOptions& options);
    [[nodiscard]] NTSTATUS invalidate(void* context, Mw& mw, const RequestOptions& options);
    // Refuses a post to the send queue that is wrong in itself.
    [[nodiscard]] NTSTATUS refuse(NTSTATUS status);

private:
    // The parts of an initiator request.
    struct Initiation {
        WqeOpcode opcode{};
        OperationKind kind{};
        RemoteRange remote{};
        MrKey key{};  // to be invalidated
    };

    [[nodiscard]] NTSTATUS initiate(const Initiation& what, void* context, std::span<const LocalPiece> pieces,
                                    const RequestOptions& options);
    [[nodiscard]] NTSTATUS why_not(const Initiation& what, std::span<const LocalPiece> pieces,
                                   const RequestOptions& options);
    template <class Make>
    [[nodiscard]] NTSTATUS change_key(OperationKind kind, bool same_pd, NTSTATUS error, void* context,
                                      const RequestOptions& options, Make make);
    [[nodiscard]] NTSTATUS refuse_here(NTSTATUS status);
    void post(WqeEntry& entry, const SendQueue::Request& request, const RequestOptions& options);

    Qp& qp_;
    Driver& driver_;
    Pd& pd_;
    const QpLimits& limits_;
    SendQueue& sends_;
    SerialCalls calls_;
};

}  // namespace ndsim::core
