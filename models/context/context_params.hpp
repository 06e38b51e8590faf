// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/base/units.hpp"
#include "sim/config/field.hpp"

namespace ndsim {

// The cache of queue-pair contexts. Defaults are preset B's.
struct ContextParams {
    std::uint32_t qp_context_entries = 400;
    Bytes qp_context_bytes{256};
    std::uint32_t qp_context_fetches = 16;

    template <class Field>
    void fields(Field&& field) {
        field("qp_context_entries", qp_context_entries, between(1U, 1U << 24U),
              "queue-pair contexts that the NIC caches", Mark::seen,
              bound_counted_by("nic.context.misses", "no context was missing"));
        field("qp_context_bytes", qp_context_bytes, between(64_B, 4096_B), "bytes read to fetch a missing context",
              Mark::estimate, counted_by("nic.context.misses", "no context was missing"));
        field("qp_context_fetches", qp_context_fetches, between(1U, 4096U), "contexts fetched at the same time",
              Mark::estimate);
    }
};

}  // namespace ndsim
