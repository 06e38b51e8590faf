// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace ndsim::sweep {

// A sweep's shards as the tasks of a Slurm job array. All nodes must see the folder.
struct SlurmJob {
    std::string folder;
    std::vector<std::string> command;  // of one task, without its shard and folder
    std::size_t tasks = 1;
    std::vector<std::string> options;  // for sbatch
};

// The batch script that each task runs.
[[nodiscard]] std::string batch_script(const SlurmJob& job);
// The folder of a task, counted from 1.
[[nodiscard]] std::string task_folder(const SlurmJob& job, std::size_t task);

// Submits these tasks and waits until Slurm no longer knows any of them, whatever their fate. False if `stop` returned
// true: the job is then cancelled. cli::OutputError with Slurm's message if it takes no jobs.
bool run_tasks(const SlurmJob& job, const std::set<std::size_t>& tasks, const std::function<void()>& on_wait,
               const std::function<bool()>& stop);

}  // namespace ndsim::sweep
