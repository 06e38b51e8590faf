// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "scenarios/run/run.hpp"
#include "tools/cli/alike.hpp"
#include "tools/cli/loaded.hpp"
#include "tools/cli/output.hpp"

namespace ndsim::cli {

// The figures of generators: a row for each, alike ones in one, and below the sums of those that share a host.
[[nodiscard]] std::string traffic_text(const Loaded& loaded, const RunResult& result, const Paint& paint);
// The same of DMA generators.
[[nodiscard]] std::string dma_text(const Loaded& loaded, const RunResult& result, const Paint& paint);

// The figure of a metric, or a dash.
[[nodiscard]] std::string shown(const Metrics& metrics, const std::string& name);
// Half the 95 % interval of a figure, or `none` without one.
[[nodiscard]] std::string interval_text(const Metrics& metrics, const std::string& name, std::string_view none);
// The widest interval of theirs.
[[nodiscard]] std::string interval_text(const Metrics& metrics, const Alike& alike, std::string_view figure,
                                        std::string_view none);

}  // namespace ndsim::cli
