// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <systemc>

#include "models/proto/psn.hpp"
#include "models/proto/wc_status.hpp"
#include "sim/base/ids.hpp"

namespace ndsim {

// Queue-pair numbers start here; units keep their part of a QP's state in an array by qp_index(). Each place of the
// arrays has several numbers in turn, so that a late packet for a destroyed queue pair does not name the next one in
// its place.
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

// A queue pair is created with these.
struct QpAttributes {
    QpNum qp{};
    PdNum pd{};
    CqNum send_cq{};
    CqNum receive_cq{};
    Address sq_ring{};
    std::uint32_t sq_units = 0;  // size of the ring
    std::optional<SrqNum> srq;   // source of its receives, if it has no receive ring of its own
    Address rq_ring{};
    std::uint32_t rq_entries = 0;
    std::uint32_t rq_stride = 0;    // units of one receive WQE
    std::optional<Address> head;    // the NIC writes the number of succeeded requests here, if software wants it
    std::optional<Address> record;  // the doorbell record, if software keeps one
    bool invalidate_waits = false;  // an Invalidate starts when everything before it is complete [X52]
    QpWatch* watch = nullptr;       // counts its requests, if there is one; other queue pairs may have the same
    // Called when the NIC has learned of receives, with the number of all so far; may be empty.
    const std::function<void(std::uint32_t)>* on_receives = nullptr;
};

// A queue pair learns these when it is connected.
struct QpConnection {
    QpNum peer{};
    HostId peer_host{};
    std::uint32_t mtu = 0;
    Psn first_psn;                     // of our first request
    Psn expected_psn;                  // of the peer's first
    std::uint32_t rnr_retry = 0;       // RNR NAKs without progress that a request survives; 7: any number
    std::uint32_t outbound_reads = 0;  // Reads that the QP may have outstanding
    std::uint32_t inbound_reads = 0;   // that the peer may have outstanding
    bool credits = false;              // the peer tells how many receives it has
    bool gives_credits = false;        // and this QP tells its own
};

// A unit's part in the life of queue pairs, as far as it keeps state for them.
class QpLifecycle : public virtual sc_core::sc_interface {
public:
    virtual void create_qp(const QpAttributes&) {}
    virtual void connect_qp(QpNum, const QpConnection&) {}
    // The QP is in the error state: everything outstanding, and everything posted from now on, is flushed.
    virtual void fail_qp(QpNum) {}
    // The peer has told why it ends the connection: the oldest request ends with this status; fail_qp() follows.
    virtual void fail_oldest(QpNum, WcStatus) {}
    // The queue pair has failed. Software has rung no doorbell for its requests and receives up to here.
    virtual void flush_deferred(QpNum, std::uint32_t /*producer*/, std::uint32_t /*entries*/,
                                std::uint32_t /*receives*/) {}
    // The queue pair has failed: whether the unit has nothing of it under way any more, neither a request nor a DMA
    // read.
    [[nodiscard]] virtual bool is_quiet(QpNum) const { return true; }
    // The queue pair has failed: whether its peer has been told why, as far as this unit tells it.
    [[nodiscard]] virtual bool has_told_peer(QpNum) const { return true; }
    virtual void destroy_qp(QpNum) {}
};

// Units report here that a queue pair has failed; every unit hears fail_qp() before this returns.
class QpFaultPort : public virtual sc_core::sc_interface {
public:
    virtual void qp_failed(QpNum qp, WcStatus why) = 0;
};

}  // namespace ndsim
