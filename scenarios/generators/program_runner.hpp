// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "scenarios/hosts/host_side.hpp"
#include "scenarios/measure/metrics.hpp"
#include "scenarios/record/call_log.hpp"
#include "scenarios/record/recorder.hpp"

namespace ndsim {

// ProgramRunner: executes a host's list of operations on its main core, in blocking style.
class ProgramRunner {
public:
    // Without a log, calls are not written down.
    ProgramRunner(HostSide& side, const Program& program, Recorder& recorder, CallLog* log);

    void run();
    [[nodiscard]] bool finished() const { return finished_; }
    // The current operation, for the message when it can never go on.
    [[nodiscard]] std::string where() const;
    [[nodiscard]] const Program& program() const { return program_; }
    // The current operation; null before the first one.
    [[nodiscard]] const Op* at() const { return at_; }
    // What it waits for; empty while it runs.
    [[nodiscard]] std::string awaited() const;
    // Completions that the current poll still needs.
    [[nodiscard]] std::uint32_t left() const { return left_; }
    void report(Metrics& metrics) const;

private:
    void run_list(const std::vector<Op>& ops);
    void count_round();
    void note(NTSTATUS status, Picoseconds begun, std::uint32_t request = 0);
    // Logs a status that no completion repeats: the current operation's, on a queue, by its label if it has one.
    void got(NTSTATUS status, Picoseconds begun, std::string_view operation, const std::string& queue,
             const std::string& label = {}, std::optional<std::uint32_t> bytes = {});
    void run(const PostOp& op);
    void run(const PollOp& op);
    void run(const ArmOp& op);
    void run(const WaitOp& op);
    void run(const SpinOp& op);
    void run(const ModerateOp& op);
    void run(const ResizeOp& op);
    void run(const ConnectionOp& op);
    [[nodiscard]] NTSTATUS carry_out(const ConnectionOp& op);
    void run(const ModifySrqOp& op);
    void run(const SleepOp& op);
    void run(const RepeatOp& op);

    HostSide& side_;
    const Program& program_;
    Recorder& recorder_;
    CallLog* const log_;
    const Op* at_ = nullptr;
    std::string awaited_;  // what a blocking operation waits for, if that says more than the core
    std::uint32_t left_ = 0;
    bool finished_ = false;
    Picoseconds last_round_{};
    std::uint64_t rounds_without_time_ = 0;
    // It would repeat for ever, and no limit of simulated time would stop it; or the log admits no more.
    bool is_stuck_ = false;
    std::uint64_t refused_ = 0;  // posts, changes, steps of a connection
    std::map<std::string, Histogram> timers_;
};

}  // namespace ndsim
