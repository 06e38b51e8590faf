// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "models/ledger/ledger.hpp"
#include "ndapi/core/driver.hpp"
#include "sim/files/trace_stream.hpp"

namespace ndsim {

// TraceRequests: the requests in timeline.json, each a slice from its post to the poll that returned it, which contains
// the accounts of its ledger, each recorded when the ledger keeps it for sure: for a request that is sent again, at its
// end. The slice of a Receive begins when its message does: thousands may be posted and wait.
class TraceRequests final : public core::RequestObserver, public LedgerWatch {
public:
    TraceRequests(TraceStream& stream, std::vector<std::string> hosts);

    // Sets the track for the requests of a queue.
    void add_queue(const Unit& watch, bool of_receives, std::uint32_t track);
    void posted(HostId host, const core::Posted& request) override;
    void charges(const Ledger& ledger) override;
    void taken(const Ledger& ledger, Picoseconds at) override;
    void retired(HostId host, const core::Retired& request) override;
    // The run has ended: open requests end here.
    void close(Picoseconds end, Ledgers& ledgers);

private:
    // A request that has not ended.
    struct Request {
        std::uint32_t track = 0;
        Picoseconds begun{};
        Picoseconds recorded{};    // its accounts until then are recorded
        Picoseconds until{};       // end of its last slice
        std::uint64_t number = 0;  // of its next slice
        bool shown = false;
        bool waits = false;     // a Receive without a message
        bool names_qp = false;  // when it is posted
        std::string text;       // of its slice
    };

    [[nodiscard]] static std::string ending(const Request& request, const core::Retired& retired);
    void record(std::uint64_t owner, Request& request, const Ledger& ledger);
    void show(std::uint64_t owner, Request& request, Picoseconds at);
    [[nodiscard]] Picoseconds earliest() const;

    TraceStream& stream_;
    const std::vector<std::string> hosts_;
    std::unordered_map<const Unit*, std::uint32_t> sends_;  // tracks, by watch
    std::unordered_map<const Unit*, std::uint32_t> receives_;
    std::unordered_map<std::uint64_t, Request> requests_;  // by owner
};

}  // namespace ndsim
