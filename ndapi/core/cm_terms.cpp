// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/cm_terms.hpp"

#include <algorithm>

#include "ndapi/core/cm_router.hpp"

namespace ndsim::core {

namespace {

// The first PSN of a side's requests. Any value will do; this one is the same in every run and differs between QPs.
std::uint32_t first_psn(QpNum qp) {
    return (raw(qp) * 0x1000U) & Psn::kMask;
}

// An empty shared queue holds the sender off as long as it is empty: other queue pairs may have emptied it.
constexpr std::uint32_t kAnyRnrRetries = 7;

}  // namespace

void CmTerms::begin(std::uint32_t id, Endpoint local, Endpoint peer, ReadLimits limits) {
    id_ = id;
    peer_id_ = 0;
    local_ = local;
    peer_ = peer;
    limits_ = limits;
}

void CmTerms::limit(ReadLimits limits) {
    limits_ = {std::min(limits_.inbound, limits.inbound), std::min(limits_.outbound, limits.outbound)};
}

CmMessage CmTerms::message(CmKind kind, const Qp* qp, std::span<const std::byte> data) const {
    CmMessage message;
    message.kind = kind;
    message.local_id = id_;
    message.remote_id = peer_id_;
    message.source_ip = local_.ip;
    message.destination_ip = peer_.ip;
    message.source_port = local_.port;
    message.destination_port = peer_.port;
    if (qp != nullptr) {
        message.qp = qp->number();
        message.psn = first_psn(qp->number());
    }
    const QueueParams& queues = driver_.params().nic.queues;
    message.mtu = queues.mtu;
    const Overflow overflow = effective(queues.overflow, driver_.profile());
    const bool shares = qp != nullptr && qp->shares_receives();
    const std::uint32_t retries = overflow == Overflow::terminate ? 0 : queues.rnr_retry;
    message.rnr_retry = static_cast<std::uint8_t>(waits_for_receives_ || shares ? kAnyRnrRetries : retries);
    message.credits = uses_credits(qp);
    message.inbound_reads = limits_.inbound;
    message.outbound_reads = limits_.outbound;
    message.private_length = static_cast<std::uint8_t>(data.size());
    std::copy(data.begin(), data.end(), message.private_data.begin());
    return message;
}

bool CmTerms::uses_credits(const Qp* qp) const {
    const Overflow overflow = effective(driver_.params().nic.queues.overflow, driver_.profile());
    return overflow == Overflow::credit && !waits_for_receives_ && !(qp != nullptr && qp->shares_receives());
}

void CmTerms::take(const CmMessage& message, std::uint32_t data_size) {
    peer_id_ = message.local_id;
    take_private_data(message, data_size);
    limit({message.outbound_reads, message.inbound_reads});
}

void CmTerms::take_private_data(const CmMessage& message, std::uint32_t data_size) {
    peer_data_.assign(message.private_data.begin(), message.private_data.begin() + data_size);
    peer_data_sent_ = message.private_length;
}

QpConnection CmTerms::connection(const Qp& qp, const CmMessage& theirs) const {
    QpConnection connection;
    connection.peer = theirs.qp;
    connection.peer_host = *driver_.connections().neighbour(peer_.ip);
    connection.mtu = std::min(theirs.mtu, driver_.params().nic.queues.mtu);
    connection.first_psn = Psn{first_psn(qp.number())};
    connection.expected_psn = Psn{theirs.psn};
    connection.outbound_reads = limits_.outbound;
    connection.inbound_reads = limits_.inbound;
    connection.rnr_retry = theirs.rnr_retry;
    connection.credits = theirs.credits;
    connection.gives_credits = uses_credits(&qp);
    return connection;
}

}  // namespace ndsim::core
