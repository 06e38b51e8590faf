// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "tools/sweep/journal.hpp"
#include "tools/sweep/plan.hpp"
#include "tools/sweep/point_runner.hpp"
#include "tools/sweep/slurm.hpp"

namespace ndsim::sweep {

// SlurmRunner: runs a whole plan as tasks of a Slurm cluster and collects their results in the journal. Tasks that
// ended before finishing their points (a node failed, a time limit) are submitted again, with their results so far.
class SlurmRunner {
public:
    SlurmRunner(SlurmJob job, const Plan& plan, Journal& journal)
        : job_(std::move(job)), plan_(plan), journal_(journal) {}

    // False after Ctrl-C; the tasks are then cancelled, and finished points are kept.
    [[nodiscard]] bool run(const std::function<void(const PointsDone&)>& on_wait);
    // The result of a point of the plan; an unfinished one says so.
    [[nodiscard]] std::string text_of(const std::string& key) const;
    [[nodiscard]] PointsDone done() const;

private:
    void gather();
    [[nodiscard]] std::set<std::size_t> unfinished_tasks() const;
    [[nodiscard]] std::size_t task_of(std::size_t point) const { return point % job_.tasks + 1; }

    SlurmJob job_;
    const Plan& plan_;
    Journal& journal_;
};

}  // namespace ndsim::sweep
