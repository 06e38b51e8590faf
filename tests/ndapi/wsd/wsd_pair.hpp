// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "tests/ndapi/wsd/wsd_party.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

// Two hosts, each with a program that drives a provider of Winsock Direct.
namespace ndsim::test {

using WsdProgram = std::function<void(WsdParty& party)>;

struct WsdSide {
    WsdProgram program = [](WsdParty&) {};
    wsd::Options options{};
};

// Runs two programs to their ends, which must come, and so must that of the run.
inline ChildResult run_wsd(const WsdSide& a, const WsdSide& b, const std::vector<std::string>& overrides = {},
                           const std::string& scenario = R"({"hosts": {"A": {}, "B": {}}})") {
    const auto as_host_program = [](const WsdSide& side) {
        return [side](HostContext& host) {
            host.run_program([&](ProgramHost& os) {
                WsdParty party(host, os, side.options);
                side.program(party);
                return 0;
            });
        };
    };
    RunOptions options;
    options.programs = {{"A", as_host_program(a)}, {"B", as_host_program(b)}};
    const ChildResult run = run_text(scenario, overrides, options);
    INFO(run.why);
    CHECK(run.ended);
    CHECK(run.outcome == RunOutcome::finished);
    return run;
}

// A program between start and end; nobody goes before 20 ms.
inline WsdSide living(const WsdProgram& program, const wsd::Options& options = {}) {
    return {[program](WsdParty& party) {
                party.start();
                program(party);
                party.until(20'000);
                party.end();
            },
            options};
}

inline bool is_signalled(WsdParty& party) {
    return party.os.wait(&party.event, 1, false, 0) == WAIT_OBJECT_0;
}

// Two parties that are connected; B is passive. A's program begins at 3 ms, and nobody goes before 20 ms.
inline ChildResult run_wsd_pair(const WsdSide& a, const WsdSide& b, const std::vector<std::string>& overrides = {},
                                const std::string& scenario = R"({"hosts": {"A": {}, "B": {}}})") {
    const auto life = [](const WsdProgram& program, bool active) {
        return [program, active](WsdParty& party) {
            party.start();
            active ? party.be_active("B") : party.be_passive();
            party.until(active ? 3000 : 0);
            program(party);
            party.until(20'000);
            party.end();
        };
    };
    return run_wsd({life(a.program, true), a.options}, {life(b.program, false), b.options}, overrides, scenario);
}

}  // namespace ndsim::test
