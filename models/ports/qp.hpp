// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <systemc>

#include "models/proto/psn.hpp"
#include "models/proto/wc_status.hpp"
#include "sim/base/ids.hpp"

namespace ndsim {

// Queue-pair numbers count from here; units keep their part of a QP's state in an array by qp_index(). Each place of
// the arrays has several numbers in turn, so that a late packet for a queue pair that is gone does not name the next
// one in its place.
inline constexpr std::uint32_t kFirstQp = 0x11;
inline constexpr std::uint32_t kQpPlaces = 1U << 20U;
inline constexpr std::uint32_t kNumbersOfPlace = 15;  // as many as fit 24 bits
[[nodiscard]] constexpr std::uint32_t qp_index(QpNum qp) {
    return (raw(qp) - kFirstQp) % kQpPlaces;
}
[[nodiscard]] constexpr QpNum qp_number(std::uint32_t index, std::uint32_t life) {
    return QpNum{kFirstQp + index + life % kNumbersOfPlace * kQpPlaces};
}

class QpWatch;

// What a queue pair is created with.
struct QpAttributes {
    QpNum qp{};
    PdNum pd{};
    CqNum send_cq{};
    CqNum receive_cq{};
    Address sq_ring{};
    std::uint32_t sq_units = 0;  // size of the ring
    std::optional<SrqNum> srq;   // where its receives come from, if it has no ring of its own for them
    Address rq_ring{};
    std::uint32_t rq_entries = 0;
    std::uint32_t rq_stride = 0;    // units of one receive WQE
    std::optional<Address> head;    // where the NIC writes how many requests have succeeded, if software wants to know
    std::optional<Address> record;  // the doorbell record, if software keeps one
    bool invalidate_waits = false;  // an Invalidate starts when everything before it is complete [X52]
    QpWatch* watch = nullptr;       // counts its requests, if anybody wants to know
};

// What it learns when it is connected.
struct QpConnection {
    QpNum peer{};
    HostId peer_host{};
    std::uint32_t mtu = 0;
    Psn first_psn;                     // of our first request
    Psn expected_psn;                  // of the peer's first
    std::uint32_t rnr_retry = 0;       // RNR NAKs without progress that a request survives; 7: any number
    std::uint32_t outbound_reads = 0;  // Reads that may be outstanding
    std::uint32_t inbound_reads = 0;   // that the peer may have outstanding
    bool credits = false;              // the peer says how many receives it has
    bool gives_credits = false;        // and so do we
};

// A unit's part in the life of queue pairs. Every unit that keeps state for them implements this.
class QpLifecycle : public virtual sc_core::sc_interface {
public:
    virtual void create_qp(const QpAttributes& attributes) = 0;
    virtual void connect_qp(QpNum qp, const QpConnection& connection) = 0;
    // The QP is in the error state: what is outstanding, and whatever is posted from now on, is flushed.
    virtual void fail_qp(QpNum qp) = 0;
    // The peer has told why it ends the connection: the oldest request ends so; fail_qp() follows.
    virtual void fail_oldest(QpNum, WcStatus) {}
    // Of a queue pair that has failed: software has requests and receives up to here for which it has rung no doorbell.
    virtual void flush_deferred(QpNum, std::uint32_t /*producer*/, std::uint32_t /*entries*/,
                                std::uint32_t /*receives*/) {}
    // Of a queue pair that has failed: whether the unit has nothing of it under way any more, neither a request nor a
    // DMA read.
    [[nodiscard]] virtual bool is_quiet(QpNum) const { return true; }
    virtual void destroy_qp(QpNum qp) = 0;
};

// Where a unit reports that a queue pair has failed; every unit hears fail_qp() before this returns.
class QpFaultPort : public virtual sc_core::sc_interface {
public:
    virtual void qp_failed(QpNum qp, WcStatus why) = 0;
};

}  // namespace ndsim
