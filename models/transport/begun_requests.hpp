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
struct BegunRequest {
    WqeHeader wqe;
    Psn first;
    Psn end;                              // behind its last packet, of a Read behind its last response
    std::uint32_t place = 0;              // of its WQE in the send queue, in units, absolute
    std::uint32_t read = 0;               // slot of ReadResponses
    bool reading = false;                 // that slot is open
    bool done = false;                    // a local operation, or a Read whose data is on its way to memory
    WcStatus failed = WcStatus::success;  // how it ends, if it cannot succeed any more

    [[nodiscard]] bool has_succeeded(Psn unacknowledged) const;
};

// BegunRequests: those of one queue pair, in the order of its send queue. It shows the queue pair's watch when one
// begins and ends, and when a Read does.
class BegunRequests {
public:
    BegunRequests() = default;
    explicit BegunRequests(QpWatch* watch) : watch_(watch) {}

    [[nodiscard]] bool empty() const { return requests_.empty(); }
    [[nodiscard]] std::size_t size() const { return requests_.size(); }
    [[nodiscard]] BegunRequest& oldest() { return requests_.front(); }
    [[nodiscard]] BegunRequest& operator[](std::size_t i) { return requests_[i]; }
    // The request of a WQE, if it has begun.
    [[nodiscard]] BegunRequest* find(const WqeHeader& wqe);
    // The oldest one with packets that are not acknowledged or not answered.
    [[nodiscard]] BegunRequest* oldest_open();
    // The oldest Read whose data has not all come.
    [[nodiscard]] BegunRequest* oldest_read();
    // Where in the send queue the WQE stands of the first request that does not end before `psn`; none: of the oldest.
    [[nodiscard]] std::uint32_t place_from(std::optional<Psn> psn) const;

    BegunRequest& begin(const WqeHeader& wqe, Psn first, Psn end, Picoseconds at);
    // The newest request is a Read, into this slot.
    void begin_read(std::uint32_t slot, Picoseconds at);
    void end_oldest_read(Picoseconds at);
    BegunRequest take_oldest(Picoseconds at);
    // One that never begun leaves the send queue.
    void pass_by(Picoseconds at) const;

private:
    Ring<BegunRequest> requests_;
    Ring<std::uint32_t> open_reads_;  // WQE numbers of Reads whose data has not all come
    std::uint32_t next_place_ = 0;
    QpWatch* watch_ = nullptr;
};

}  // namespace ndsim
