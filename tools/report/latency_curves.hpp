// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "tools/inspect/recorded_run.hpp"

namespace ndsim::report {

// A run among others, and its name in legends; the only run needs none.
struct NamedRun {
    const inspect::RecordedRun& run;
    std::string name{};
};

// The distribution of latencies: the share of requests of a kind that took no longer than each time, one curve for each
// kind and run. HTML.
[[nodiscard]] std::string latency_chapter(std::span<const NamedRun> runs);

}  // namespace ndsim::report
