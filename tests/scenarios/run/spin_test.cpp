// SPDX-License-Identifier: Apache-2.0

#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

namespace ndsim::test::spin_test {

ChildResult run_spins(const std::string& a, const std::string& b, const std::vector<std::string>& overrides = {}) {
    return run_text(R"({
        "hosts": {"A": {"buffers": {"tx": {"size": "8 KiB"}}}, "B": {"buffers": {"rx": {"size": "8 KiB"}}}},
        "programs": {"A": [)" +
                        a + R"(], "B": [)" + b + "]}}",
                    overrides);
}

TEST_CASE("spin: it ends with the write of its last byte, not with the first packet") {
    // 8 KiB are two packets; the second one is 4 KiB / 12.5 B/ns = 328 ns longer on the wire.
    const std::string write =
        R"({"sleep": "50 us"}, {"post": "write", "buffer": "tx", "to": "B.rx"}, {"poll": "q0.send"})";
    const ChildResult whole = run_spins(write, R"({"time": "t", "do": [{"spin": "rx"}]})");
    const ChildResult part = run_spins(write, R"({"time": "t", "do": [{"spin": "rx", "size": "8 B"}]})");
    CHECK(whole.metric("programs.B.t.max") - part.metric("programs.B.t.max") > 300'000);
}

TEST_CASE("spin: each takes one write, and those that have come already count") {
    const std::string write = R"({"post": "write", "buffer": "tx", "size": "8 B", "to": "B.rx"})";
    const ChildResult run = run_spins(write + "," + write + R"(, {"poll": "q0.send", "count": 2})",
                                      R"({"sleep": "100 us"}, {"time": "t", "do": [{"spin": "rx", "size": "8 B"},
                                         {"spin": "rx", "size": "8 B"}]})");
    CHECK(run.outcome == RunOutcome::finished);
    // Both are there: two returns of 60 ns each.
    CHECK(run.metric("programs.B.t.max") == 120'000);
}

TEST_CASE("spin: on what nobody writes is a stall that names it") {
    const ChildResult run = run_spins("", R"({"spin": "rx", "offset": "64 B", "size": "8 B"})");
    CHECK(run.outcome == RunOutcome::stalled);
    CHECK_THAT(run.why, Catch::Matchers::ContainsSubstring("spins on byte 71 of rx"));
}

TEST_CASE("spin: without DDIO the core sees a write when it has come from DRAM", "[formula]") {
    const std::string write = R"({"sleep": "50 us"}, {"post": "write", "buffer": "tx", "size": "8 B", "to": "B.rx"},
                                 {"poll": "q0.send"})";
    const std::string spin = R"({"time": "t", "do": [{"spin": "rx", "size": "8 B"}]})";
    const ChildResult with = run_spins(write, spin);
    const ChildResult without = run_spins(write, spin, {"hosts.B.root.ddio=false"});
    CHECK(without.metric("programs.B.t.max") - with.metric("programs.B.t.max") == 80'000);
}

}  // namespace ndsim::test::spin_test
