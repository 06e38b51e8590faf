// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "tests/reference/pcie/analytic.hpp"
#include "tests/reference/pcie/transfer.hpp"

namespace ndsim::reference::pcie {

using Sizes = std::vector<std::uint32_t>;
using Model = std::function<std::vector<Times>(const Setup&, const std::vector<Transfer>&)>;

[[nodiscard]] std::vector<Times> run_slow(const Setup& setup, const std::vector<Transfer>& transfers);

// A link with more tags and credits than any burst needs.
[[nodiscard]] Setup unlimited(std::uint32_t generation, std::uint32_t width, Bytes mps, Bytes mrrs);

// Every size from 1 to 4096; or small and odd ones, and those about each multiple of 128.
[[nodiscard]] Sizes all_sizes();
[[nodiscard]] Sizes telling_sizes();

// Transfers in a burst: at least 4 KiB on the link.
[[nodiscard]] constexpr std::uint64_t burst(const PcieParams& pcie, Traffic traffic, std::uint64_t size) {
    return 8 + 4096 / link_bytes(pcie, traffic, size);
}

// For each size, how long one burst more of aligned transfers takes that are all there at once: a double burst less a
// single one, so that no latency is in it. Of both kinds, writes end last on the link, so their end is taken.
[[nodiscard]] std::vector<Picoseconds> burst_times(const Model& model, const Setup& setup, Traffic traffic,
                                                   const Sizes& sizes);

// Checks them against the formulae: each within 0.5 %; and for neighbouring sizes, whether the larger brings less.
void check_formula(const Model& model, const Setup& setup, Traffic traffic, const Sizes& sizes);

}  // namespace ndsim::reference::pcie
