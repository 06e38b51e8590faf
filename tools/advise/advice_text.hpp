// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "tools/advise/advice.hpp"
#include "tools/cli/output.hpp"

namespace ndsim::advise {

// Advice in words and tables.
[[nodiscard]] std::string advice_text(const Question& question, const Scenario& scenario, const Advice& advice,
                                      const cli::Paint& paint);
// Why no depths are known to be enough, in one sentence.
[[nodiscard]] std::string why_not(const Advice& advice);

[[nodiscard]] nlohmann::ordered_json advice_json(const Question& question, const Scenario& scenario,
                                                 const Advice& advice);

}  // namespace ndsim::advise
