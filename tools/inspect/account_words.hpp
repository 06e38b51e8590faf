// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "models/ledger/ledger.hpp"

namespace ndsim::inspect {

// The places of a request, for the sentences about its accounts.
struct Places {
    std::string host;   // that posted it
    std::string peer;   // host at the other end; "the peer" if unknown
    std::string queue;  // to which it was posted
};

// The work or the wait of a request of this kind in an account, and its unit or queue.
[[nodiscard]] std::string account_words(Account account, std::string_view operation, const Places& places);

}  // namespace ndsim::inspect
