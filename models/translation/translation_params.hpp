// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/base/units.hpp"
#include "sim/config/field.hpp"

namespace ndsim {

// The cache of memory translations. Defaults are preset B's.
struct TranslationParams {
    std::uint32_t mtt_entries = 2048;
    Bytes mtt_page{4096};
    Bytes mtt_bytes{64};
    std::uint32_t mtt_fetches = 16;

    template <class Field>
    void fields(Field&& field) {
        field("mtt_entries", mtt_entries, between(1U, 1U << 24U), "page translations that the NIC caches",
              Mark::estimate, bound_counted_by("nic.translation.misses", "no translation was missing"));
        field("mtt_page", mtt_page, powers_of_two(4096_B, Bytes{1U << 30U}),
              "bytes of memory that one translation covers", Mark::estimate,
              bound_counted_by("nic.translation.misses", "no translation was missing"));
        field("mtt_bytes", mtt_bytes, between(8_B, 4096_B), "bytes read to fetch a missing translation", Mark::estimate,
              counted_by("nic.translation.misses", "no translation was missing"));
        field("mtt_fetches", mtt_fetches, between(1U, 4096U), "translations fetched at the same time", Mark::estimate);
    }
};

}  // namespace ndsim
