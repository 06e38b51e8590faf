// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>

#include "sim/base/units.hpp"

namespace ndsim {

// The only bridge between ndsim's time and sc_time. SystemC's default resolution is one picosecond.
[[nodiscard]] inline Picoseconds from_sc(const sc_core::sc_time& time) {
    return Picoseconds{static_cast<std::int64_t>(time.value())};
}
[[nodiscard]] inline sc_core::sc_time to_sc(Picoseconds time) {
    return sc_core::sc_time::from_value(static_cast<sc_dt::uint64>(time.count()));
}
[[nodiscard]] inline Picoseconds kernel_now() {
    return from_sc(sc_core::sc_time_stamp());
}

}  // namespace ndsim
