// SPDX-License-Identifier: Apache-2.0
#include "scenarios/result/core_work.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace ndsim {

namespace {

CoreWork sum_of(std::span<const CoreWork> parts) {
    CoreWork sum{0, std::ranges::max_element(parts, {}, &CoreWork::time)->parameter};
    for (const CoreWork& part : parts) {
        sum.time += part.time;
    }
    return sum;
}

}  // namespace

CoreWork core_work(const LimitShares& shares, const Host& host, const std::string& core, const Traffic* traffic) {
    const std::uint64_t pushes = shares.value_of(core + ".push");  // a part of store
    // A sender thinks, and a receiver posts its receives late.
    const bool thinks = traffic != nullptr && traffic->from.host == host.name;
    return sum_of(std::array<CoreWork, 6>{
        {{shares.value_of(core + ".build"), "cpu.wqe_build"},
         {shares.value_of(core + ".store") - pushes, "cpu.mmio_uc"},
         {pushes, "cpu.mmio_wc64"},
         {traffic == nullptr ? 0 : shares.value_of(core + ".poll"), "cpu.poll_cq"},
         {shares.value_of(core + ".preempted"), "cpu.preempt_time"},
         {traffic == nullptr ? 0 : shares.value_of(core + ".other"), thinks ? "think_time" : "cpu.repost_jitter"}}});
}

CoreWork lock_work(const LimitShares& shares, const Host& host, const SharedReceives& receives) {
    CoreWork builds{0, "cpu.wqe_build"};
    CoreWork stores{0, "cpu.mmio_uc"};
    for (const Traffic* const traffic : receives.generators()) {
        const std::string core = host.name + ".cpu_" + traffic->name;
        builds.time += shares.value_of(core + ".build");
        stores.time += shares.value_of(core + ".store");
    }
    return sum_of(std::array<CoreWork, 2>{builds, stores});
}

}  // namespace ndsim
