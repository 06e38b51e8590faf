// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/failure.hpp"

#include <cerrno>
#include <functional>
#include <systemc>

#include "sim/base/invariant_error.hpp"
#include "sim/files/vcd_file.hpp"
#include "tests/support/catch.hpp"

namespace ndsim::cli::failure_test {

using namespace std::chrono_literals;
using Catch::Matchers::ContainsSubstring;

// Does something in a process of the simulation.
class Doer final : public sc_core::sc_module {
public:
    Doer(const sc_core::sc_module_name& name, std::function<void()> what) : sc_module(name), what_(std::move(what)) {
        SC_HAS_PROCESS(Doer);
        SC_METHOD(act);
    }

private:
    void act() { what_(); }

    std::function<void()> what_;
};

Failure failure_in_simulation(std::function<void()> what) {
    Doer doer("doer", std::move(what));
    try {
        sc_core::sc_start();
    } catch (const std::exception& error) {
        return failure_of(error);
    }
    return {};
}

TEST_CASE("command: a broken invariant that comes through SystemC keeps its unit and time", "[throws]") {
    const Failure failure =
        failure_in_simulation([] { throw InvariantError("A.nic.wqe", 1234ns, "a slot was given back twice"); });
    CHECK(failure.exit == ExitCode::internal_error);
    CHECK_THAT(failure.message,
               ContainsSubstring("internal error: A.nic.wqe at 1234000 ps: a slot was given back twice\n"));
    CHECK_THAT(failure.message, ContainsSubstring("Please report it"));
}

TEST_CASE("command: an error of SystemC's own is a mistake of ours", "[throws]") {
    const Failure failure = failure_in_simulation([] { SC_REPORT_ERROR("a kind", "a text"); });
    CHECK(failure.exit == ExitCode::internal_error);
    CHECK_THAT(failure.message, ContainsSubstring("internal error: SystemC: a kind: a text"));
}

TEST_CASE("command: a run of a process of its own has told of its defect already") {
    const Failure failure = failure_of(BrokenRun("a run has broken off: sq: 1 wanted, 0 there"));
    CHECK(failure.exit == ExitCode::internal_error);
    CHECK(failure.message == "a run has broken off: sq: 1 wanted, 0 there");
}

TEST_CASE("command: every kind of failure has its exit code") {
    CHECK(failure_of(InvariantError("payloads", Picoseconds{5}, "lost")).exit == ExitCode::internal_error);
    CHECK(failure_of(std::runtime_error("set-up failed")).exit == ExitCode::internal_error);
    CHECK(failure_of(WaveError("out/waves.vcd", ENOSPC)).exit == ExitCode::output_unwritten);
    CHECK(failure_of(WaveError("out/waves.vcd", ENOSPC)).message == "out/waves.vcd: No space left on device");
    CHECK(failure_of(OutputError("stdout: closed")).exit == ExitCode::output_unwritten);

    Problems problems("a.json");
    problems.add({3, 4}, "hosts", "is missing");
    const Failure invalid = failure_of(ConfigError(problems));
    CHECK(invalid.exit == ExitCode::scenario_invalid);
    REQUIRE(invalid.problems.size() == 1);
    CHECK(invalid.problems[0].text() == "a.json:3:4: hosts: is missing");
}

}  // namespace ndsim::cli::failure_test
