// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/parts/pcie_params.hpp"
#include "sim/kernel/pool.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// PostedCredits: the credits of the root complex for the NIC's posted writes, for their headers and for their data. A
// write leaves once both are there; they come back once the root complex has drained the write.
class PostedCredits {
public:
    static constexpr PoolFacts kHeadersPool{"posted_headers", "credits for posted headers in use", PoolUnit::credits,
                                            "pcie.posted_headers", WhenFull::limit};
    static constexpr PoolFacts kDataPool{"posted_data", "credits for posted data in use", PoolUnit::credits,
                                         "pcie.posted_data", WhenFull::limit};

    PostedCredits(Unit& owner, const PcieParams& params);

    // When a write of `tlps` TLPs with `bytes` of data has its credits.
    struct Ready {
        Picoseconds at{};
        bool data_last = false;  // it waits for data credits last, not for header credits
    };
    [[nodiscard]] Ready ready(std::uint32_t tlps, std::uint32_t bytes, Picoseconds now);
    // Takes the credits of such a write at `at`; they are free again at `back`.
    void book(Picoseconds at, std::uint32_t tlps, std::uint32_t bytes, Picoseconds back);
    // When the last write has its credits.
    [[nodiscard]] Picoseconds booked_until() const { return booked_until_; }

private:
    Pool headers_;
    Pool data_;
    Picoseconds booked_until_{};
};

}  // namespace ndsim
