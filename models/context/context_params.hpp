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
              "contexts of queue pairs that the NIC holds", Mark::seen,
              bound_counted_by("nic.context.misses", "no context was missing"));
        field("qp_context_bytes", qp_context_bytes, between(64_B, 4096_B), "bytes read for a context that it lacks",
              Mark::estimate, counted_by("nic.context.misses", "no context was missing"));
        field("qp_context_fetches", qp_context_fetches, between(1U, 4096U), "contexts that are fetched at once",
              Mark::estimate);
    }
};

}  // namespace ndsim
