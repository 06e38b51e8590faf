// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tools/cli/failure.hpp"
#include "tools/cli/interrupt.hpp"
#include "tools/sweep/journal.hpp"
#include "tools/sweep/point.hpp"

namespace ndsim::sweep {

// Ctrl-C came before all points of a search had run.
class Interrupted : public cli::Interrupted {
public:
    Interrupted() : cli::Interrupted("interrupted; the same command continues from here") {}
};

// The progress of a runner.
struct PointsDone {
    std::size_t done = 0;  // found in the journal, or run
    std::size_t of = 0;
    std::size_t failed = 0;  // exit code other than 0
};

// PointRunner: runs points of a scenario in child processes, unless the journal has their results. `trim` removes parts
// of a result that are not kept.
class PointRunner {
public:
    using Trim = std::function<void(nlohmann::ordered_json&)>;

    PointRunner(
        cli::ScenarioArguments scenario, Journal& journal, unsigned at_once, Trim trim = [](nlohmann::ordered_json&) {})
        : scenario_(std::move(scenario)), journal_(journal), at_once_(at_once), trim_(std::move(trim)) {}

    // False if `stop` ended it (by default Ctrl-C); points finished until then are in the journal.
    [[nodiscard]] bool run(const std::vector<Point>& points, const std::function<void(const PointsDone&)>& on_wait,
                           const std::function<bool()>& stop = cli::interrupted);
    [[nodiscard]] const PointsDone& done() const { return done_; }
    // The result of a point that was run, or is in the journal.
    [[nodiscard]] std::string text_of(const std::string& key) const;
    [[nodiscard]] nlohmann::ordered_json result_of(const std::string& key) const {
        return nlohmann::ordered_json::parse(text_of(key));
    }

private:
    const cli::ScenarioArguments scenario_;
    Journal& journal_;
    unsigned at_once_;
    Trim trim_;
    PointsDone done_;
    std::map<std::string, std::string> accidents_;  // of this attempt; the next one tries again
};

}  // namespace ndsim::sweep
