// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "tools/cli/output.hpp"
#include "tools/inspect/comparison.hpp"

namespace ndsim::inspect {

// Where two runs part, in words: the event; rows of a heading, what the first run has and what the second has; and
// where the ledgers of the two requests part, which may be empty.
struct PartingWords {
    std::string event;
    std::vector<std::vector<std::string>> rows;
    std::string ledger;
};
[[nodiscard]] PartingWords parting_words(const RecordedRun& first, const RecordedRun& second, const Parting& parting);
// Why there is no such event.
[[nodiscard]] std::string no_parting_words(const RecordedRun& first, const RecordedRun& second,
                                           const Comparison& comparison);
[[nodiscard]] std::string parting_text(const RecordedRun& first, const RecordedRun& second,
                                       const Comparison& comparison, const cli::Paint& paint);
[[nodiscard]] nlohmann::ordered_json parting_json(const Parting& parting);

}  // namespace ndsim::inspect
