// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/failure.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <new>
#include <nlohmann/json.hpp>
#include <systemc>

#include "sim/files/vcd_file.hpp"
#include "tools/cli/output.hpp"

namespace ndsim::cli {

namespace {

std::string internal(std::string_view what) {
    return fmt::format(
        "internal error: {}\n"
        "This is a bug in ndsim, not in the scenario. Please report it, together with the scenario and the command "
        "line.",
        what);
}

std::string text_of(const sc_core::sc_report& report) {
    const std::string_view kind = report.get_msg_type();
    if (kind == sc_core::SC_ID_SIMULATION_UNCAUGHT_EXCEPTION_) {
        return report.get_msg();  // the exception's message
    }
    return fmt::format("SystemC: {}: {}", kind, report.get_msg());
}

}  // namespace

Failure failure_of(const std::exception& error) {
    if (const auto* const wrong = dynamic_cast<const ConfigError*>(&error)) {
        return {ExitCode::scenario_invalid, wrong->what(), {wrong->problems().begin(), wrong->problems().end()}};
    }
    if (dynamic_cast<const UsageError*>(&error) != nullptr) {
        return {ExitCode::usage, error.what()};
    }
    if (dynamic_cast<const Interrupted*>(&error) != nullptr) {
        return {ExitCode::interrupted, error.what()};
    }
    if (dynamic_cast<const OutputError*>(&error) != nullptr || dynamic_cast<const WaveError*>(&error) != nullptr) {
        return {ExitCode::output_unwritten, error.what()};
    }
    if (const auto* const report = dynamic_cast<const sc_core::sc_report*>(&error)) {
        return {ExitCode::internal_error, internal(text_of(*report))};
    }
    if (dynamic_cast<const BrokenRun*>(&error) != nullptr) {
        return {ExitCode::internal_error, error.what()};
    }
    if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) {
        return {ExitCode::internal_error, "not enough memory"};
    }
    return {ExitCode::internal_error, internal(error.what())};
}

void tell(const Failure& failure, bool json) {
    if (json) {
        nlohmann::ordered_json said;
        if (failure.problems.empty()) {
            said["error"] = failure.message;
        } else {
            for (const Problem& problem : failure.problems) {
                said["problems"].push_back({{"file", problem.file},
                                            {"line", problem.line},
                                            {"column", problem.column},
                                            {"path", problem.path},
                                            {"message", problem.message},
                                            {"hint", problem.hint}});
            }
        }
        print_envelope(failure.exit, said);
        return;
    }
    std::fflush(stdout);
    if (failure.problems.empty()) {
        fmt::print(stderr, "ndsim: {}\n", failure.message);
        return;
    }
    for (const Problem& problem : failure.problems) {
        fmt::print(stderr, "{}\n", problem.text());
    }
    const std::size_t count = failure.problems.size();
    fmt::print(stderr, "ndsim: {} problem{}; nothing was run\n", count, count == 1 ? "" : "s");
}

}  // namespace ndsim::cli
