// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <spdlog/logger.h>

#include <functional>
#include <memory>
#include <string>

#include "sim/base/units.hpp"

namespace ndsim {

// A logger whose lines begin with the simulated time: "[   97.675 us] A.driver: QP 0x11 has failed". It writes to the
// sinks of `parent` at its level, and logs what a waveform cannot show: decisions, and their reasons.
[[nodiscard]] std::shared_ptr<spdlog::logger> make_log(const spdlog::logger& parent, const std::string& name,
                                                       std::function<Picoseconds()> now);

}  // namespace ndsim
