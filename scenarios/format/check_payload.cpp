// SPDX-License-Identifier: Apache-2.0
#include "scenarios/format/checks.hpp"
#include "scenarios/format/program.hpp"

namespace ndsim::format {

namespace {

constexpr const char* kHint = "remove \"payload\": \"timing\", which only makes runs faster";

void check_steps(const std::vector<Op>& steps, Checker& check) {
    for_each_op(steps, [&check](const Op& op) {
        if (std::holds_alternative<SpinOp>(op.what)) {
            check.wrong(op.path + ".spin", "would never end: messages carry no bytes, so no byte changes", kHint);
        }
    });
}

}  // namespace

void check_payload(const Scenario& scenario, Checker& check) {
    if (scenario.payload == PayloadMode::bytes) {
        return;
    }
    for (const Host& host : scenario.hosts) {
        if (host.api == Api::wsd) {
            check.wrong("hosts." + host.name + ".api",
                        "sockets need the bytes of their messages, and messages carry none", kHint);
        }
        if (host.program) {
            check_steps(host.program->ops, check);
        }
    }
    for (const Expectation& expectation : scenario.expect) {
        if (std::holds_alternative<MemoryExpectation>(expectation.what)) {
            check.wrong(expectation.path + ".memory", "nothing arrives there: messages carry no bytes", kHint);
        }
    }
}

}  // namespace ndsim::format
