// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "models/ledger/ledger.hpp"
#include "tools/cli/output.hpp"
#include "tools/inspect/account_words.hpp"
#include "tools/inspect/recorded_run.hpp"
#include "tools/inspect/request_choice.hpp"

namespace ndsim::inspect {

// The life of one request, from the files in its run's folder.
struct Story {
    std::string folder;
    Choice chosen;
    std::string qp;    // the scenario's name, A.q0; empty if there is none
    std::string peer;  // the queue pair at the other end; empty if unknown
    Places places;
    std::vector<Stay> stays;
    const MeanLedger* mean = nullptr;  // of its kind, in the run
};

// The run must outlive the story.
[[nodiscard]] Story story_of(const RecordedRun& run, Choice chosen);
// "the send A.7 on A.q0 (0x11), called A.s1"
[[nodiscard]] std::string request_words(const Completion& row, const std::string& qp);

// The story in words, with a bar for each account on lines of `width` columns.
[[nodiscard]] std::string story_text(const Story& story, std::size_t width, const cli::Paint& paint);
[[nodiscard]] nlohmann::ordered_json story_json(const Story& story);

}  // namespace ndsim::inspect
