// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "models/proto/psn.hpp"
#include "models/proto/wc_status.hpp"
#include "models/proto/wqe.hpp"
#include "sim/base/ring.hpp"
#include "sim/base/units.hpp"

namespace ndsim {

class QpWatch;

// A request that has begun and is not yet complete.
struct OutstandingRequest {
    WqeHeader wqe;
    Psn first;
    Psn end;                              // behind its last packet; of a Read: behind its last response
    std::uint32_t place = 0;              // of its WQE in the send queue, in units, absolute
    std::uint32_t read = 0;               // slot of ReadResponses
    bool reading = false;                 // that slot is open
    bool done = false;                    // a local operation, or a Read whose data is on its way to memory
    bool rewound = false;                 // is to be begun again
    WcStatus failed = WcStatus::success;  // how it will end, if it can no longer succeed

    [[nodiscard]] bool has_succeeded(Psn unacknowledged) const;
};

// OutstandingRequests: the requests of one queue pair that have begun, in send-queue order. It tells the queue pair's
// watch when a request, or a Read, begins and ends.
class OutstandingRequests {
public:
    OutstandingRequests() = default;
    explicit OutstandingRequests(QpWatch* watch) : watch_(watch) {}

    [[nodiscard]] bool empty() const { return requests_.empty(); }
    [[nodiscard]] std::size_t size() const { return requests_.size(); }
    [[nodiscard]] OutstandingRequest& oldest() { return requests_.front(); }
    [[nodiscard]] OutstandingRequest& operator[](std::size_t i) { return requests_[i]; }
    [[nodiscard]] const OutstandingRequest& operator[](std::size_t i) const { return requests_[i]; }
    // The request of a WQE, if it has begun.
    [[nodiscard]] OutstandingRequest* find(const WqeHeader& wqe);
    // The oldest request with unacknowledged or unanswered packets.
    [[nodiscard]] OutstandingRequest* oldest_open();
    // The oldest Read with data still to come.
    [[nodiscard]] OutstandingRequest* oldest_read();
    // The requests that do not end before `psn` are to be begun again; without `psn`, all of them. Returns the place of
    // the first of them in the send queue.
    [[nodiscard]] std::uint32_t rewind(std::optional<Psn> psn);

    OutstandingRequest& begin(const WqeHeader& wqe, Psn first, Psn end, Picoseconds at);
    // The newest request is a Read into this slot.
    void begin_read(std::uint32_t slot, Picoseconds at);
    void end_oldest_read(Picoseconds at);
    OutstandingRequest take_oldest(Picoseconds at);
    // A request that never began leaves the send queue.
    void pass_by(Picoseconds at) const;

private:
    Ring<OutstandingRequest> requests_;
    Ring<std::uint32_t> open_reads_;  // WQE numbers of Reads with data still to come
    std::uint32_t next_place_ = 0;
    QpWatch* watch_ = nullptr;
};

}  // namespace ndsim
