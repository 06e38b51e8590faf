// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

#include "ndapi/ndspi/ndspi.h"
#include "scenarios/format/load.hpp"
#include "scenarios/run/run.hpp"
#include "tests/ndapi/ndk/ndk_calls.hpp"
#include "tests/support/catch.hpp"

// Two hosts, each with a program that uses NDSPI in blocking style. What programs expect in vain ends the run and fails
// the test.
namespace ndsim::test {

using Codes = std::vector<HRESULT>;

// A reference to an interface, released at the end.
template <class Interface>
class Ref {
public:
    Ref() = default;
    Ref(const Ref&) = delete;
    Ref& operator=(const Ref&) = delete;
    ~Ref() { reset(); }
    void reset() {
        if (object_ != nullptr) {
            std::exchange(object_, nullptr)->Release();
        }
    }
    // For calls of version 2, and for those of version 1.
    [[nodiscard]] void** out() { return reinterpret_cast<void**>(&object_); }
    [[nodiscard]] Interface** put() { return &object_; }
    [[nodiscard]] Interface* get() const { return object_; }
    Interface* operator->() const { return object_; }
    Interface& operator*() const { return *object_; }

private:
    Interface* object_ = nullptr;
};

// What a program does: with its host and its host's system, or with a party that is made from both.
class NdProgram {
public:
    template <class Program>
    requires(!std::is_same_v<Program, NdProgram>) NdProgram(Program program)
        : does_(on_host(std::function(std::move(program)))) {}

    void operator()(HostContext& host, ProgramHost& os) const { does_(host, os); }

private:
    using OnHost = std::function<void(HostContext& host, ProgramHost& os)>;

    static OnHost on_host(OnHost program) { return program; }
    template <class Party>
    static OnHost on_host(std::function<void(Party&)> program) {
        return [program = std::move(program)](HostContext& host, ProgramHost& os) {
            Party party(host, os);
            program(party);
        };
    }

    OnHost does_;
};

// The program of a host that does nothing.
inline void idle(HostContext&, ProgramHost&) {}

// Sleeps until the run is so old, or a little older: sleeps are whole milliseconds.
inline void until_ms(ProgramHost& os, std::uint64_t milliseconds) {
    const std::uint64_t now = os.nanoseconds();
    const std::uint64_t then = milliseconds * 1'000'000;
    os.sleep(now < then ? static_cast<DWORD>((then - now + 999'999) / 1'000'000) : 0);
}

// Runs what two hosts do to its end, which must come. It runs in this process, so that what programs note in a test's
// variables can be checked afterwards; SystemC allows one such run in a test.
inline RunResult run_hosts(const HostProgram& a, const HostProgram& b, const std::vector<std::string>& overrides = {},
                           const std::string& scenario = R"({"hosts": {"A": {}, "B": {}}})") {
    RunOptions options;
    options.programs = {{"A", a}, {"B", b}};
    RunResult run;
    try {
        run = run_scenario(load_scenario("test.json", scenario, overrides), options);
    } catch (const std::exception& error) {
        FAIL(error.what());
    }
    INFO(run.why);
    CHECK(run.outcome == RunOutcome::finished);
    return run;
}

// The same with a program on each.
inline RunResult run_programs(const NdProgram& a, const NdProgram& b, const std::vector<std::string>& overrides = {},
                              const std::string& scenario = R"({"hosts": {"A": {}, "B": {}}})") {
    const auto as_host_program = [](const NdProgram& program) {
        return [program](HostContext& host) {
            host.run_program([&](ProgramHost& os) {
                program(host, os);
                return 0;
            });
        };
    };
    return run_hosts(as_host_program(a), as_host_program(b), overrides, scenario);
}

}  // namespace ndsim::test
