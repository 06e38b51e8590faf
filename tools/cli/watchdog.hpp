// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <thread>

#include "scenarios/run/run.hpp"

namespace ndsim::cli {

// Watchdog: watches programs from its own thread. The simulation waits for the program whose turn it is, so a program
// that loops without a call stops everything, limits and Ctrl-C included. It is named after some seconds, and ended
// with the process soon after Ctrl-C. A program that crashes is named at once.
class Watchdog {
public:
    // `folder` has the run's outputs.
    Watchdog(LookAtTurn look, std::string folder);
    Watchdog(const Watchdog&) = delete;
    Watchdog& operator=(const Watchdog&) = delete;
    ~Watchdog();

private:
    void watch(const std::stop_token& stop) const;
    void tell_of_crash(int signal) const;

    const LookAtTurn look_;
    const std::string folder_;
    std::jthread thread_;
};

}  // namespace ndsim::cli
