// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>

#include "ndapi/ndk/host_program.h"
#include "scenarios/format/scenario.hpp"

// The C++ programs of a run, by the hosts that run them.
namespace ndsim {

[[nodiscard]] std::set<std::string> hosts_of(const std::map<std::string, HostProgram>& programs);

// Throws std::invalid_argument if a C++ program is for an unknown host, or for one that a generator uses: the host sets
// up a generator's queues, but a C++ program does its own set-up.
void refuse_clashes(const Scenario& scenario, const std::map<std::string, HostProgram>& programs);

// A program without effect for each host that may run a C++ program: any host without other work.
[[nodiscard]] std::map<std::string, HostProgram> possible_programs(const Scenario& scenario);

}  // namespace ndsim
