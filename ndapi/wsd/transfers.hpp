// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "ndapi/wsd/buffers.hpp"
#include "ndapi/wsd/life.hpp"
#include "ndapi/wsd/link.hpp"
#include "ndapi/wsd/operations.hpp"

namespace ndsim::wsd {

// The arguments of a data call, except its flags.
struct Transfer {
    OperationKind kind{};
    const Buffers& buffers;
    OVERLAPPED* overlapped = nullptr;
    RemoteRange remote{};
    std::optional<DWORD> done_bytes;  // answer: already done
};

// Transfers: the data of a socket. They check a send, receive, read or write in the order of wsd.md 3.4, post it to the
// socket's link, and end its operation when it has completed. A failed one fails the connection.
class Transfers {
public:
    Transfers(Setting& setting, SOCKET handle, Life& life, Registrations& registrations)
        : setting_(setting), life_(life), registrations_(registrations), operations_(setting, handle) {}

    // The connection, or the attempt at one, from now on.
    void use(Link& link) { link_ = &link; }

    // Codes of Winsock, 0 for success. may_start() checks flags and structure; start() checks the rest, and posts.
    [[nodiscard]] int may_start(DWORD flags, const OVERLAPPED* overlapped) const;
    [[nodiscard]] int start(Transfer& transfer);
    // The error of the operation, WSA_IO_INCOMPLETE, or why there is no answer.
    [[nodiscard]] int result(const OVERLAPPED& overlapped, bool wait);

    // For the link.
    void completed(const core::Completion& completion);
    [[nodiscard]] bool needs_interrupts() const;

    // The closed socket's connection is quiet: ends the operations that the NIC has not ended.
    void abort() { operations_.end_all(WSA_OPERATION_ABORTED); }
    // Calls `then` when all have ended, and the last upcall has been made.
    void when_all_told(std::function<void()> then) { operations_.when_all_told(std::move(then)); }

    // For tests: states that no switch can cause (W20, W21).
    void shut_down_sends() { sends_shut_down_ = true; }
    void become_synchronous() { overlapped_ = false; }

private:
    [[nodiscard]] int may_transfer(OperationKind kind) const;
    [[nodiscard]] int fits(const Transfer& transfer) const;
    [[nodiscard]] bool find_registrations(const Transfer& transfer, std::vector<Registration*>& uses);
    [[nodiscard]] bool has_slot(OperationKind kind) const;
    [[nodiscard]] int post(Transfer& transfer, const std::vector<Registration*>& uses);
    [[nodiscard]] NTSTATUS post(const Transfer& transfer, const std::vector<Registration*>& uses, Operation& operation,
                                bool inlined);
    [[nodiscard]] bool is_inline(const Transfer& transfer) const;
    [[nodiscard]] int error_of(const core::Completion& completion) const;

    Setting& setting_;
    Life& life_;
    Registrations& registrations_;
    Operations operations_;
    Link* link_ = nullptr;
    bool overlapped_ = true;
    bool sends_shut_down_ = false;
    bool fence_next_send_ = false;  // it follows a read (W79)
};

}  // namespace ndsim::wsd
