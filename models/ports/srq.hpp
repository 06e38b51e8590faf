// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <systemc>

#include "sim/base/ids.hpp"

namespace ndsim {

class SrqWatch;

// A shared receive queue is created with these.
struct SrqAttributes {
    SrqNum srq{};
    Address ring{};
    std::uint32_t entries = 0;        // of the ring: a power of two, so that absolute indices may wrap
    std::uint32_t stride = 0;         // units of one receive WQE
    std::uint32_t limit = 0;          // an event when fewer receives are left, once this many have been there; 0: none
    SrqWatch* watch = nullptr;        // counts its receives, if there is one
    std::optional<Address> record{};  // the doorbell record, if software keeps one
};

// A change of a shared receive queue.
struct ModifySrq {
    SrqNum srq{};
    std::uint32_t producer = 0;  // receives posted before, which count even if their doorbell is still on its way
    Address ring{};              // holds every unread receive at its place
    std::uint32_t entries = 0;   // 0: the ring stays
    std::uint32_t limit = 0;     // arms the event, which comes at once if fewer are left; 0: unchanged
};

// A unit's part in the life of shared receive queues.
class SrqLifecycle : public virtual sc_core::sc_interface {
public:
    virtual void create_srq(const SrqAttributes& attributes) = 0;
    virtual void modify_srq(const ModifySrq& change) = 0;
    virtual void destroy_srq(SrqNum srq) = 0;
};

// Hears that fewer receives are left than the limit, which is then disarmed.
class SrqLimitPort : public virtual sc_core::sc_interface {
public:
    virtual void srq_limit_reached(SrqNum srq) = 0;
};

}  // namespace ndsim
