// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "scenarios/format/scenario.hpp"
#include "scenarios/result/limit_shares.hpp"

namespace ndsim {

// The time that software of a core works, or spins on a lock, and the parameter that sets the main part of it.
struct CoreWork {
    std::uint64_t time = 0;
    std::string_view parameter;  // of the host, or "think_time" of the generator
    bool is_of_lock = false;     // the core spins on a shared queue's lock for longer than it does anything else
};

// The work of the core `core` of a host. `traffic` is its generator; null: a program, which polls whenever it has
// nothing else to do.
[[nodiscard]] CoreWork core_work(const LimitShares& shares, const Host& host, const std::string& core,
                                 const Traffic* traffic);

}  // namespace ndsim
