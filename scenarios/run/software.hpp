// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <spdlog/logger.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/generators/program_runner.hpp"
#include "scenarios/run/generators.hpp"

namespace ndsim {

struct RunOptions;

// Software: all software of a scenario's hosts. Each host's main core sets the host up; when the last one is ready,
// programs and generators begin together.
class Software {
public:
    Software(World& world, const Scenario& scenario, const RunOptions& options, Recorder& recorder);

    // Called once when every generator is warm, then whenever one has measured its whole window, and, unless generators
    // drain, once when all of them have, and the programs have ended.
    void on_warm(std::function<void()> callback) { on_warm_ = std::move(callback); }
    void on_measured(std::function<void()> callback) { on_measured_ = std::move(callback); }
    void on_enough(std::function<void()> callback) { on_enough_ = std::move(callback); }
    void set_log(std::shared_ptr<spdlog::logger> log) { log_ = std::move(log); }

    // When the programs and generators began; 0 before that.
    [[nodiscard]] Picoseconds started() const { return started_; }
    [[nodiscard]] const std::vector<std::unique_ptr<HostSide>>& sides() const { return sides_; }
    // The program of a host; null if it has none, or one in C++.
    [[nodiscard]] const ProgramRunner* program(std::size_t host) const { return programs_[host].get(); }
    [[nodiscard]] bool finished() const;
    // Whether the run ended before its generators had drained.
    [[nodiscard]] bool cut_short() const { return cut_short_; }
    // Those that have not finished, and their current actions; of many the first ones. Never empty.
    [[nodiscard]] std::string who_waits() const;
    // Logs what programs have left undone.
    void warn_at_end() const;
    [[nodiscard]] Picoseconds next_begins() const { return generators_->next_begins(); }
    [[nodiscard]] std::uint64_t messages() const { return generators_->messages(); }
    // The contents of a scenario's buffer by name, "B.rx"; empty if there is none.
    [[nodiscard]] std::span<const std::byte> memory(const std::string& name) const;
    void report(Metrics& metrics) const;

private:
    void make_host(const Host& host, const RunOptions& options);
    void main_program(std::size_t host);
    void set_up(HostSide& side);
    void begin_work(Core& core);
    // Tells the recorder which queue pairs generators use, if there are programs, too.
    void note_generators();
    [[nodiscard]] bool programs_ended() const;
    void look_for_enough();
    [[nodiscard]] std::string where(std::size_t host) const;
    void add_refused(const HostSide& side, std::vector<std::string>& waiting) const;
    [[nodiscard]] HostSide* side_of(std::string_view host) const;

    World& world_;
    const Scenario& scenario_;
    Recorder& recorder_;
    std::vector<std::unique_ptr<HostSide>> sides_;
    std::vector<HostProgram> own_;                          // by host; may be empty
    std::vector<std::unique_ptr<ProgramRunner>> programs_;  // by host; may be empty
    std::vector<bool> mains_done_;
    std::optional<Generators> generators_;  // made when all hosts have their interfaces
    std::function<void()> on_warm_;
    std::function<void()> on_measured_;
    std::function<void()> on_enough_;
    std::shared_ptr<spdlog::logger> log_;
    std::size_t sides_ready_ = 0;
    bool cut_short_ = false;
    Picoseconds started_{};
};

}  // namespace ndsim
