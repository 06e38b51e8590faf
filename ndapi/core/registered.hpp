// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/ports/protection.hpp"
#include "models/proto/cqe.hpp"
#include "ndapi/core/completion.hpp"
#include "sim/base/units.hpp"

namespace ndsim::core {

// Objects as the driver's shared parts see them: what the NIC's events and completions lead to.

// A completion queue.
class RegisteredCq {
public:
    [[nodiscard]] virtual std::uint32_t depth() const = 0;
    // The NIC's interrupt; and its report that the queue has overrun.
    virtual void interrupted() = 0;
    virtual void failed() = 0;
    [[nodiscard]] virtual bool has_failed() const = 0;
    // Entries that no poll has taken and that report a failure. Those behind a resize that no poll has reached are in
    // another ring, and have their own notification.
    [[nodiscard]] virtual std::vector<Cqe> unpolled_failures() const = 0;
    // A core's write of its consumer index reaches memory.
    virtual void store_consumer_index(std::uint32_t consumer) = 0;

protected:
    ~RegisteredCq() = default;
};

// A queue pair.
class RegisteredQp {
public:
    [[nodiscard]] virtual QpNum number() const = 0;
    // Its completion queues, which may be gone once it is closed.
    [[nodiscard]] virtual CqNum send_cq() const = 0;
    [[nodiscard]] virtual CqNum receive_cq() const = 0;
    // The number of requests whose doorbell has not been rung.
    [[nodiscard]] virtual std::uint32_t deferred() const = 0;
    // The NIC reports that it has failed.
    virtual void failed(WcStatus why) = 0;
    // Takes one of its CQEs: finds its request, and frees slots.
    [[nodiscard]] virtual Completion complete(const Cqe& cqe) = 0;
    // Without silent requests, the oldest of the slots that a poll returns would have been free this much earlier.
    virtual void slots_held(Picoseconds span) = 0;

protected:
    ~RegisteredQp() = default;
};

// A shared receive queue.
class RegisteredSrq {
public:
    // The NIC reports that fewer receives are left than the threshold.
    virtual void limit_reached() = 0;

protected:
    ~RegisteredSrq() = default;
};

// A memory region of the program.
class RegisteredMr {
public:
    // Changes with each registration.
    [[nodiscard]] virtual MrKey key() const = 0;
    // The simulated address of a byte of the program's; a byte outside the region is outside of it there, too.
    [[nodiscard]] virtual Address address_of(const std::byte* data) const = 0;

protected:
    ~RegisteredMr() = default;
};

// A memory window.
class RegisteredMw {
public:
    // The key of the last posted Bind.
    [[nodiscard]] virtual MrKey key() const = 0;
    // The Bind has failed, or its key has been invalidated.
    virtual void unbind(MrKey key) = 0;
    // The window stays bound, unless its key has died in another way.
    virtual void invalidation_failed() = 0;

protected:
    ~RegisteredMw() = default;
};

}  // namespace ndsim::core
