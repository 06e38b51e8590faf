// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "sim/kernel/lane.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim::test {

using Log = std::vector<std::pair<std::string, Picoseconds>>;

// Writes down what it does and when; a number above zero it does again after 10 ns, one lower.
class Worker : public Unit {
public:
    Worker(const sc_core::sc_module_name& name, Timeline& timeline, std::uint32_t rank, Log& log)
        : Unit(name, timeline), lane(*this, timeline, rank), log_(log) {}

    void work(int& left) {
        log_.emplace_back(name(), now());
        if (left > 0) {
            lane.push(now() + std::chrono::nanoseconds{10}, left - 1);
        }
    }

    Lane<int, &Worker::work> lane;

private:
    Log& log_;
};

}  // namespace ndsim::test
