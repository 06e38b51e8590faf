// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <type_traits>
#include <utility>

#include "ndapi/ndk/host_program.h"
#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

// Runs of C++ programs that use NDKPI. They run in a child process; what they find wrong comes back as the reason why
// the run broke off.
namespace ndsim::test {

// What a program does: with its host, or with a party that is made on the host.
class NdkProgram {
public:
    template <class Program>
    requires(!std::is_same_v<Program, NdkProgram>) NdkProgram(Program program)
        : does(on_host(std::function(std::move(program)))) {}

    const HostProgram does;

private:
    static HostProgram on_host(HostProgram program) { return program; }
    template <class Party>
    static HostProgram on_host(std::function<void(Party&)> program) {
        return [program = std::move(program)](HostContext& host) {
            Party party(host);
            program(party);
        };
    }
};

// The program of a host that does nothing.
inline void nothing(HostContext&) {}

inline ChildResult run_pair(const NdkProgram& a, const NdkProgram& b, const std::vector<std::string>& overrides = {}) {
    RunOptions options;
    options.programs = {{"A", a.does}, {"B", b.does}};
    const ChildResult run = run_text(R"({"hosts": {"A": {}, "B": {}}})", overrides, options);
    INFO(run.why);
    CHECK(run.ended);
    CHECK(run.outcome == RunOutcome::finished);
    return run;
}

inline ChildResult run_on_a(const NdkProgram& program, const std::vector<std::string>& overrides = {}) {
    return run_pair(program, nothing, overrides);
}

}  // namespace ndsim::test
