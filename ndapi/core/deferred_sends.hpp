// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>

#include "models/host/host_memory.hpp"
#include "sim/base/ids.hpp"
#include "sim/base/units.hpp"

namespace ndsim::core {

class Driver;

// SendRing: the ring of a send queue, and how far software has filled it.
struct SendRing {
    // The end of a part of the requests, as a doorbell says it.
    struct End {
        std::uint32_t units = 0;
        std::uint32_t requests = 0;
    };
    [[nodiscard]] End end() const { return {units, posted}; }

    const std::uint32_t capacity;  // in units: a power of two, so that absolute indices may wrap
    HostMemory::Region memory;
    std::uint32_t units = 0;      // written so far
    std::uint32_t posted = 0;     // requests so far
    std::uint32_t reclaimed = 0;  // slots
};

// DeferredSends: the posted sends of which the NIC does not know yet: those with NDK's flag DEFER, until one without it
// follows, and all while the queue pair is flushed. They end with a doorbell, which pushes the WQE of a lone request.
class DeferredSends {
public:
    // `record`: of the queue pair's doorbells, if the driver keeps records.
    DeferredSends(Driver& driver, QpNum qp, const SendRing& ring, const HostMemory::Region& record)
        : driver_(driver), qp_(qp), ring_(ring), record_(record) {}

    // A request was posted. Rings for it and for those before it, unless it is deferred.
    void posted(bool deferred);
    // Rings for deferred requests.
    void ring_for_all();
    [[nodiscard]] std::uint32_t count() const { return ring_.posted - rung_.requests; }

    // The NIC is told of all requests up to `told` in another way. Until resume(), it is not told of anything else: not
    // of deferred requests [K46], nor of later ones [K150].
    void suspend(const SendRing::End& told);
    // Undoes one suspend(). If it was the last, the NIC is told of the posts since then. `then` is called in any case,
    // perhaps later.
    void resume(const std::function<void()>& then);

private:
    [[nodiscard]] bool is_rung_for(bool deferred) const;
    void ring();
    void ring_held(const std::function<void()>& then);

    Driver& driver_;
    const QpNum qp_;
    const SendRing& ring_;
    const HostMemory::Region& record_;
    SendRing::End rung_;
    int suspended_ = 0;                      // times
    std::optional<Picoseconds> held_until_;  // by a suspend(): the time of the last post
};

}  // namespace ndsim::core
