// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include "sim/base/units.hpp"
#include "sim/config/field.hpp"

namespace ndsim {

// How the NIC learns of receives of a queue pair: by a store for each, or list, or from a record in host memory that it
// reads when it needs more.
enum class RqDoorbell : std::uint8_t { store, record };
inline constexpr std::array<std::string_view, 2> kRqDoorbellNames{"store", "record"};

// The work-queue engine and the receive queues. Defaults are preset B's.
struct WqeParams {
    std::uint32_t wqe_fetch_batch = 8;
    std::uint32_t wqe_cache = 2048;
    std::uint32_t rq_prefetch = 16;
    std::uint32_t rq_fetch_batch = 8;
    RqDoorbell rq_doorbell = RqDoorbell::store;
    std::uint32_t sq_in_flight = 128;
    Frequency per_qp_rate{6'000'000};
    Frequency global_rate{150'000'000};

    template <class Field>
    void fields(Field&& field) {
        const auto rates = between(Frequency{1'000}, Frequency{10'000'000'000});
        field("wqe_fetch_batch", wqe_fetch_batch, between(1U, 32U), "64-byte units of send WQE read at once",
              Mark::estimate, counted_by("nic.wqe.fetches", "no WQE was fetched"));
        field("wqe_cache", wqe_cache, between(16U, 1U << 20U), "64-byte units of fetched send WQEs that the NIC holds",
              Mark::estimate);
        field("rq_prefetch", rq_prefetch, between(1U, 1024U), "receive WQEs fetched ahead, for each receive queue",
              Mark::estimate, counted_by("nic.rq.fetches", "no receive was fetched"));
        field("rq_fetch_batch", rq_fetch_batch, between(1U, 32U),
              "64-byte units of receive WQE read at once, one entry at least", Mark::estimate,
              counted_by("nic.rq.fetches", "no receive was fetched"));
        field("rq_doorbell", rq_doorbell, kRqDoorbellNames,
              "how the NIC learns of a queue pair's new receives: from stores, or from a record that it reads when "
              "needed",
              Mark::estimate, counted_by("nic.rq.taken", "no receive was used"));
        field("sq_in_flight", sq_in_flight, between(1U, 65536U), "requests started whose last packet is not yet built",
              Mark::estimate);
        field("per_qp_rate", per_qp_rate, rates, "rate at which one queue pair starts messages", Mark::memory,
              bound_counted_by("nic.wqe.paced", "no request waited for it"));
        field("global_rate", global_rate, rates, "rate at which the NIC starts messages", Mark::seen,
              bound_counted_by("nic.wqe.nic_rate", "no request waited for it"));
    }
};

}  // namespace ndsim
