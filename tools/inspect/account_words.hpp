// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "models/proto/ledger.hpp"

namespace ndsim::inspect {

// Where a request is, for the sentences about its accounts.
struct Places {
    std::string host;   // that posted it
    std::string peer;   // host at the other end; "the peer" if nobody knows which
    std::string queue;  // to which it was posted
};

// What a request of this kind did or waited for in an account, and on which unit or queue.
[[nodiscard]] std::string account_words(Account account, std::string_view operation, const Places& places);

}  // namespace ndsim::inspect
