// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <list>
#include <vector>

#include "ndapi/wsd/registrations.hpp"

namespace ndsim::wsd {

// An overlapped operation that the NIC has to end.
struct Operation {
    OVERLAPPED* overlapped = nullptr;  // none: the switch considers it done
    OperationKind kind{};
    DWORD bytes = 0;
    std::vector<Registration*> uses;
    bool upcall = false;   // an upcall reports its end
    ULONG_PTR before = 0;  // the old value of Internal
};

// Operations: the operations of one socket, and how the switch learns their ends: by an upcall, or by polling the
// overlapped structure if the low bit of its event is set. Each ends once. After the upcall the provider does not touch
// the structure.
class Operations {
public:
    Operations(Setting& setting, SOCKET handle) : setting_(setting), handle_(handle) {}

    // From now on the structure looks pending.
    [[nodiscard]] Operation& begin(OVERLAPPED* overlapped, OperationKind kind, DWORD bytes,
                                   std::vector<Registration*> uses);
    // The operation has not been started after all.
    void take_back(Operation& operation);
    void end(Operation& operation, int error, DWORD bytes);
    void end_all(int error);
    // An operation that ended within its call.
    void done_at_once(OVERLAPPED& overlapped, DWORD bytes);

    // Not ended, or not yet reported, on whatever socket.
    [[nodiscard]] bool is_pending(const OVERLAPPED& overlapped) const {
        return setting_.structures.is_pending(overlapped);
    }
    // Whether the last operation with this structure was one of this socket.
    [[nodiscard]] bool knows(const OVERLAPPED& overlapped) const { return setting_.structures.is_of(overlapped, this); }
    [[nodiscard]] std::size_t receives() const;
    [[nodiscard]] std::size_t initiated() const { return under_way_.size() - receives(); }
    // Whether an end must be reported to a waiter that does not poll.
    [[nodiscard]] bool needs_interrupts() const;
    // Blocks until this operation has ended.
    void wait(const OVERLAPPED& overlapped);
    // Calls `then` when all have ended, and the last upcall has been made.
    void when_all_told(std::function<void()> then);

private:
    class Awaited;

    [[nodiscard]] Operation take(Operation& operation);
    void told(const OVERLAPPED& overlapped);
    void settle();

    Setting& setting_;
    const SOCKET handle_;  // the switch's
    std::list<Operation> under_way_;
    std::vector<Awaited*> awaited_;
    std::size_t upcalls_ = 0;  // to come
    std::function<void()> when_all_told_;
};

}  // namespace ndsim::wsd
