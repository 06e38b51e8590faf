// SPDX-License-Identifier: Apache-2.0
#include "scenarios/result/core_work.hpp"

#include <algorithm>
#include <array>

namespace ndsim {

CoreWork core_work(const LimitShares& shares, const Host& host, const std::string& core, const Traffic* traffic) {
    const std::uint64_t pushes = shares.value_of(core + ".push");  // a part of store
    const std::uint64_t builds = shares.value_of(core + ".build");
    const std::uint64_t stores = shares.value_of(core + ".store") - pushes;
    // A sender thinks, and a receiver posts its receives late.
    const bool thinks = traffic != nullptr && traffic->from.host == host.name;
    const std::array<CoreWork, 7> parts{
        {{builds, "cpu.wqe_build"},
         {stores, "cpu.mmio_uc"},
         {pushes, "cpu.mmio_wc64"},
         {traffic == nullptr ? 0 : shares.value_of(core + ".poll"), "cpu.poll_cq"},
         {shares.value_of(core + ".preempted"), "cpu.preempt_time"},
         {traffic == nullptr ? 0 : shares.value_of(core + ".other"), thinks ? "think_time" : "cpu.repost_jitter"},
         // Others hold the lock while they build and store as this core does.
         {shares.value_of(core + ".lock"), builds > stores ? "cpu.wqe_build" : "cpu.mmio_uc", true}}};
    CoreWork sum = *std::ranges::max_element(parts, {}, &CoreWork::time);
    sum.time = 0;
    for (const CoreWork& part : parts) {
        sum.time += part.time;
    }
    return sum;
}

}  // namespace ndsim
