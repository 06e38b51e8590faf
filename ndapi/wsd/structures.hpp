// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unordered_map>

#include "ndapi/windows/abi/overlapped.h"

namespace ndsim::wsd {

// Structures: the overlapped structures of a provider's operations: which socket's operations used each one last, and
// whether it is pending. A structure belongs to one operation at a time, whatever the socket (W40).
class Structures {
public:
    void begin(const OVERLAPPED& overlapped, const void* user) { uses_[&overlapped] = {user, true}; }
    // The operation has ended and is reported, or has not begun after all.
    void end(const OVERLAPPED& overlapped, const void* user) { uses_[&overlapped] = {user, false}; }
    [[nodiscard]] bool is_pending(const OVERLAPPED& overlapped) const {
        const auto found = uses_.find(&overlapped);
        return found != uses_.end() && found->second.pending;
    }
    [[nodiscard]] bool is_of(const OVERLAPPED& overlapped, const void* user) const {
        const auto found = uses_.find(&overlapped);
        return found != uses_.end() && found->second.user == user;
    }

private:
    struct Use {
        const void* user = nullptr;
        bool pending = false;
    };

    std::unordered_map<const OVERLAPPED*, Use> uses_;  // never iterated
};

}  // namespace ndsim::wsd
