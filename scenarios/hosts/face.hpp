// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "ndapi/ndk/host_program.h"
#include "scenarios/hosts/host_buffer.hpp"

namespace ndsim {

class HostSide;

// A post that a face has made: its status, and the request's number if it has one. Where calls block until all is done,
// it has already ended.
struct Posted {
    NTSTATUS status = STATUS_SUCCESS;
    std::uint32_t request = 0;
    bool ended = false;
    std::uint32_t bytes = 0;  // if it has ended
};

// Face: the programming interface through which a scenario's host uses its NIC. Its objects have the names of the
// scenario. Calls run on the host's main core and block until they are done; their status tells why one has failed. The
// checks of a scenario refuse features that an interface lacks; here they are not supported.
class Face {
public:
    Face() = default;
    Face(const Face&) = delete;
    Face& operator=(const Face&) = delete;
    virtual ~Face() = default;

    // --- set-up
    virtual NTSTATUS open() = 0;
    // Sets the buffer's region if it has one.
    virtual NTSTATUS add_buffer(const std::string& name, HostBuffer& buffer) = 0;
    // A window, or a fast-register region; `open` is the peers' name for it before anything is opened.
    virtual NTSTATUS add_memory(const MemoryObject&, RemoteRange&) { return STATUS_NOT_SUPPORTED; }
    virtual NTSTATUS add_cq(const std::string& name, std::uint32_t depth) = 0;
    virtual NTSTATUS add_srq(const SharedReceiveQueue&) { return STATUS_NOT_SUPPORTED; }
    virtual NTSTATUS add_qp(const QueuePair& qp) = 0;
    // Closes a queue pair of which a connection was given up before it was there: it serves no other (K154, K187).
    virtual void drop_qp(const QueuePair&) {}

    // --- connections
    virtual NTSTATUS connect(const QueuePair& qp, const sockaddr_in& peer) = 0;
    // Call once; the port is in network byte order.
    virtual NTSTATUS listen(const QueuePair& qp, USHORT port) = 0;
    virtual NTSTATUS accept(const QueuePair& qp) = 0;
    virtual NTSTATUS reject(const QueuePair&) { return STATUS_NOT_SUPPORTED; }
    // No further peer will connect.
    virtual void stop_listening(const QueuePair& qp) = 0;
    virtual NTSTATUS disconnect(const QueuePair& qp) = 0;
    virtual void wait_for_disconnect(const QueuePair& qp) = 0;
    virtual void flush(const QueuePair& qp) = 0;

    // --- requests
    virtual Posted post(const PostOp& op) = 0;
    // Waits for a completion, and takes as many as there are, up to `most`.
    virtual std::uint32_t poll(const std::string& cq, std::uint32_t most) = 0;
    // The windows whose invalidation by the peer was among what polls have taken since the last call: NDSPI 1 has a
    // result for that (R34).
    [[nodiscard]] virtual std::vector<std::string> take_invalidations() { return {}; }
    virtual void arm(const std::string& cq, ArmFor wish) = 0;
    // Takes one notification.
    virtual void wait_for_cq(const std::string& cq) = 0;
    virtual void wait_for_srq(const std::string& srq) = 0;
    virtual NTSTATUS moderate(const std::string&, const InterruptModeration&) { return STATUS_NOT_SUPPORTED; }
    virtual NTSTATUS resize(const std::string&, std::uint32_t) { return STATUS_NOT_SUPPORTED; }
    virtual NTSTATUS modify_srq(const std::string&, std::uint32_t, std::uint32_t) { return STATUS_NOT_SUPPORTED; }

    // The NIC's number of a queue pair, if it is one.
    [[nodiscard]] virtual std::optional<QpNum> number_of(const std::string& qp) const = 0;
    // Notifications that reported the failure of a completion queue.
    [[nodiscard]] virtual std::uint64_t cq_failures() const = 0;
};

// Throws std::runtime_error if a step of set-up has failed: `doing` is "connecting q0".
void require(NTSTATUS status, const std::string& doing);

}  // namespace ndsim
