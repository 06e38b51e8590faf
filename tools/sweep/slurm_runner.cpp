// SPDX-License-Identifier: Apache-2.0
#include "tools/sweep/slurm_runner.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "tools/cli/failure.hpp"
#include "tools/cli/interrupt.hpp"

namespace ndsim::sweep {

using Json = nlohmann::ordered_json;

namespace {

constexpr int kAttempts = 3;

void write_script(const SlurmJob& job) {
    const std::string path = job.folder + "/slurm.sh";
    std::ofstream file(path);
    file << batch_script(job);
    if (!file.flush()) {
        throw cli::OutputError(path + ": cannot be written");
    }
}

}  // namespace

// The journal of a task that still writes has whole lines, except perhaps the last one.
void SlurmRunner::gather() {
    for (std::size_t task = 1; task <= job_.tasks; ++task) {
        const std::string folder = task_folder(job_, task);
        if (!std::filesystem::exists(folder + "/points.ndjson")) {
            continue;
        }
        const Journal theirs(folder, Journal::Access::read);
        for (std::size_t point = task - 1; point < plan_.points(); point += job_.tasks) {
            const std::string& key = plan_.keys[point];
            if (theirs.has(key) && !journal_.has(key)) {
                journal_.add(key, theirs.text_of(key));
            }
        }
    }
}

std::set<std::size_t> SlurmRunner::unfinished_tasks() const {
    std::set<std::size_t> tasks;
    for (std::size_t point = 0; point < plan_.points(); ++point) {
        if (!journal_.has(plan_.keys[point])) {
            tasks.insert(task_of(point));
        }
    }
    return tasks;
}

PointsDone SlurmRunner::done() const {
    PointsDone done{0, plan_.points(), 0};
    for (const std::string& key : plan_.keys) {
        done.done += journal_.has(key) ? 1 : 0;
    }
    return done;
}

bool SlurmRunner::run(const std::function<void(const PointsDone&)>& on_wait) {
    write_script(job_);
    gather();
    for (int attempt = 0; attempt < kAttempts && !unfinished_tasks().empty(); ++attempt) {
        const bool ended = run_tasks(
            job_, unfinished_tasks(),
            [&] {
                gather();
                on_wait(done());
            },
            [] { return cli::interrupted(); });
        gather();
        if (!ended) {
            return false;
        }
    }
    return true;
}

std::string SlurmRunner::text_of(const std::string& key) const {
    if (journal_.has(key)) {
        return journal_.text_of(key);
    }
    std::size_t point = 0;
    while (plan_.keys[point] != key) {
        ++point;
    }
    return Json{
        {"exit", static_cast<int>(cli::ExitCode::internal_error)},
        {"outcome", "failed"},
        {"why", fmt::format("its task ended without a result, {} times; see slurm-{}.log", kAttempts, task_of(point))}}
        .dump();
}

}  // namespace ndsim::sweep
