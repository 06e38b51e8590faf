// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "models/proto/ledger.hpp"
#include "tools/cli/output.hpp"
#include "tools/inspect/account_words.hpp"
#include "tools/inspect/recorded_run.hpp"
#include "tools/inspect/request_choice.hpp"

namespace ndsim::inspect {

// The life of one request, from what its run's folder holds.
struct Story {
    std::string folder;
    Choice chosen;
    std::string qp;    // as the scenario calls it, A.q0; empty if it does not
    std::string peer;  // the queue pair at the other end; empty if nobody knows
    Places places;
    std::vector<Stay> stays;
    const MeanLedger* mean = nullptr;  // of its kind, in the run
};

// The run outlives the story.
[[nodiscard]] Story story_of(const RecordedRun& run, Choice chosen);
// "the send A.7 on A.q0 (0x11), called A.s1"
[[nodiscard]] std::string request_words(const Completion& row, const std::string& qp);

// In words, with a bar for each account on lines of `width` columns.
[[nodiscard]] std::string story_text(const Story& story, std::size_t width, const cli::Paint& paint);
[[nodiscard]] nlohmann::ordered_json story_json(const Story& story);

}  // namespace ndsim::inspect
