// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <unordered_set>
#include <vector>

#include "ndapi/wsd/registrations.hpp"

namespace ndsim::wsd {

// An overlapped operation that the NIC has to end.
struct Operation {
    OVERLAPPED* overlapped = nullptr;  // none: the switch takes it for done
    OperationKind kind{};
    DWORD bytes = 0;
    std::vector<Registration*> uses;
    bool upcall = false;   // is how its end is told
    ULONG_PTR before = 0;  // what Internal was
};

// Operations: those of one socket, and how the switch gets to know their ends: by an upcall, or by looking into the
// overlapped structure if the low bit of its event is set. Each ends once. After its upcall the provider leaves the
// structure alone.
class Operations {
public:
    Operations(Setting& setting, SOCKET handle) : setting_(setting), handle_(handle) {}

    // The structure looks pending from now on.
    [[nodiscard]] Operation& begin(OVERLAPPED* overlapped, OperationKind kind, DWORD bytes,
                                   std::vector<Registration*> uses);
    // It has not been started after all.
    void take_back(Operation& operation);
    void end(Operation& operation, int error, DWORD bytes);
    void end_all(int error);
    // An operation that was done within its call.
    void done_at_once(OVERLAPPED& overlapped, DWORD bytes);

    // Not ended, or not yet told.
    [[nodiscard]] bool is_pending(const OVERLAPPED& overlapped) const { return pending_.contains(&overlapped); }
    // Whether there has been an operation with this structure.
    [[nodiscard]] bool knows(const OVERLAPPED& overlapped) const { return known_.contains(&overlapped); }
    [[nodiscard]] std::size_t receives() const;
    [[nodiscard]] std::size_t initiated() const { return under_way_.size() - receives(); }
    // Whether somebody has to be told who does not look.
    [[nodiscard]] bool needs_interrupts() const;
    // Blocks until this operation has ended.
    void wait(const OVERLAPPED& overlapped);
    // Calls when all have ended, and the last upcall has been made.
    void when_all_told(std::function<void()> then);

private:
    class Awaited;

    [[nodiscard]] Operation take(Operation& operation);
    void told(const OVERLAPPED& overlapped);
    void settle();

    Setting& setting_;
    const SOCKET handle_;  // the switch's
    std::list<Operation> under_way_;
    std::unordered_set<const OVERLAPPED*> pending_;  // neither is ever iterated
    std::unordered_set<const OVERLAPPED*> known_;
    std::vector<Awaited*> awaited_;
    std::size_t upcalls_ = 0;  // to come
    std::function<void()> when_all_told_;
};

}  // namespace ndsim::wsd
