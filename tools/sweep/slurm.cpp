// SPDX-License-Identifier: Apache-2.0
#include "tools/sweep/slurm.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <cstdio>
#include <thread>

#include "sim/base/text.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/output.hpp"

namespace ndsim::sweep {

namespace {

constexpr auto kPeriod = std::chrono::milliseconds{500};  // a controller serves many users

// A command's output, and whether it succeeded.
struct Said {
    std::string text;
    bool succeeded = false;
};

Said run(const std::string& command) {
    std::FILE* const pipe = ::popen((command + " 2>&1").c_str(), "re");
    if (pipe == nullptr) {
        return {};
    }
    Said said;
    std::array<char, 4096> piece{};
    for (std::size_t got = 0; (got = std::fread(piece.data(), 1, piece.size(), pipe)) > 0;) {
        said.text.append(piece.data(), got);
    }
    said.succeeded = ::pclose(pipe) == 0;
    return said;
}

std::string submit(const SlurmJob& job, const std::set<std::size_t>& tasks) {
    std::string command = "sbatch --parsable";
    for (const std::string& option : job.options) {
        command += " " + cli::shell_word(option);
    }
    command += fmt::format(" --array={} {}", fmt::join(tasks, ","), cli::shell_word(job.folder + "/slurm.sh"));
    const Said said = run(command);
    const std::string number = said.text.substr(0, said.text.find_first_of(";\n"));  // NUMBER or NUMBER;CLUSTER
    const bool is_number =
        !number.empty() && std::ranges::all_of(number, [](unsigned char c) { return std::isdigit(c); });
    if (!said.succeeded || !is_number) {
        throw cli::OutputError("sbatch: " + (said.text.empty() ? "is not there" : said.text));
    }
    return number;
}

// Slurm forgets an ended job after a while: then squeue fails.
bool is_at_work(const std::string& number) {
    const Said said = run("squeue --noheader --format=%T --jobs=" + number);
    return said.succeeded ? !said.text.empty() : said.text.find("Invalid job id") == std::string::npos;
}

// As #SBATCH takes a file name: in quotes, with a % that stands for itself.
std::string sbatch_name(std::string_view name) {
    std::string quoted = "\"";
    for (const char each : name) {
        if (each == '"' || each == '\\') {
            quoted += '\\';
        }
        quoted += each == '%' ? "%%" : std::string(1, each);
    }
    return quoted;
}

}  // namespace

std::string task_folder(const SlurmJob& job, std::size_t task) {
    return fmt::format("{}/shard-{}", job.folder, task);
}

std::string batch_script(const SlurmJob& job) {
    std::vector<std::string> words;
    std::ranges::transform(job.command, std::back_inserter(words), cli::shell_word);
    return fmt::format(
        "#!/bin/sh\n"
        "#SBATCH --job-name=ndsim-sweep\n"
        "#SBATCH --output={}/slurm-%a.log\"\n"
        "exec {} --shard \"$SLURM_ARRAY_TASK_ID/{}\" --out {}/shard-\"$SLURM_ARRAY_TASK_ID\" --quiet\n",
        sbatch_name(job.folder), join(words, " "), job.tasks, cli::shell_word(job.folder));
}

bool run_tasks(const SlurmJob& job, const std::set<std::size_t>& tasks, const std::function<void()>& on_wait,
               const std::function<bool()>& stop) {
    const std::string number = submit(job, tasks);
    while (is_at_work(number)) {
        on_wait();
        if (stop()) {
            run("scancel " + number);
            return false;
        }
        std::this_thread::sleep_for(kPeriod);
    }
    return true;
}

}  // namespace ndsim::sweep
