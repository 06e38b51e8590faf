// SPDX-License-Identifier: Apache-2.0

#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

// Messages without bytes: no time, no count and no status is another.

namespace ndsim::test::payload_test {

ChildResult run_with(const std::string& members, const std::string& payload) {
    return run_text(R"({"payload": ")" + payload + R"(",
        "hosts": {"A": {"buffers": {"tx": {"size": "64 KiB"}}, "qps": {"q0": {}}},
                  "B": {"buffers": {"rx": {"size": "64 KiB"}}, "qps": {"q0": {}}}},)" +
                    members + "}");
}

void check_alike(const std::string& members) {
    const ChildResult with = run_with(members, "bytes");
    const ChildResult without = run_with(members, "timing");
    CAPTURE(with.why, without.why);
    REQUIRE(with.ended);
    REQUIRE(without.ended);
    CHECK(with.outcome == RunOutcome::finished);
    CHECK(with.outcome == without.outcome);
    CHECK(with.unmet == without.unmet);
    CHECK(with.metrics == without.metrics);
    CHECK(with.metric("l0_A_to_B.packets") > 0);
}

TEST_CASE("payload: without bytes every operation takes the same time") {
    const std::string operation = GENERATE("send", "write", "read");
    const std::string size = GENERATE("1 B", "64 B", "5000 B", "1 MiB");
    check_alike(R"("traffic": {"t": {"from": "A", "to": "B", "operation": ")" + operation + R"(", "size": ")" + size +
                R"(", "count": 50, "window": 8}})");
}

TEST_CASE("payload: without bytes packets are lost, doubled, damaged and sent again at the same times") {
    check_alike(R"("traffic": {"t": {"from": "A", "to": "B", "size": "20 KiB", "count": 100, "window": 8}},
        "faults": [{"drop": "A", "rate": "1 %"}, {"duplicate": "A", "rate": "1 %"}, {"corrupt": "A", "rate": "1 %"}])");
}

TEST_CASE("payload: without bytes inline data, and a Read behind a Write, are what they were") {
    check_alike(R"("programs": {
        "A": [{"post": "send", "buffer": "tx", "size": "32 B", "flags": ["inline"], "as": "s"},
              {"post": "write", "buffer": "tx", "size": "6000 B", "to": "B.rx"},
              {"post": "read", "buffer": "tx", "size": "6000 B", "from": "B.rx", "as": "r"},
              {"poll": "q0.send", "count": 3}],
        "B": [{"post": "receive", "buffer": "rx", "as": "got"}, {"poll": "q0.receive"}]},
        "expect": [{"completion": "A.s", "status": "success"}, {"completion": "A.r", "status": "success"},
                   {"completion": "B.got", "status": "success", "bytes": 32}])");
}

}  // namespace ndsim::test::payload_test
