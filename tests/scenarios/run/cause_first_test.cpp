// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

// The NAK that tells which request is to blame comes before the word that the connection ends, however late the NAK is.
namespace ndsim::test::cause_first_test {

// B's NAK for the Send waits until the Write before it is in memory: 256 KiB take 80 us through four lanes of PCIe 3.
TEST_CASE("cause: a NAK that waits for slow PCIe", "[K102][X25][X31]") {
    const ChildResult run = run_text(R"({
        "hosts": {"A": {"buffers": {"tx": {"size": "256 KiB"}}},
                  "B": {"pcie": {"width": 4}, "buffers": {"rx": {"size": "256 KiB"}, "short": {"size": "1 KiB"}}}},
        "programs": {
            "A": [{"sleep": "20 us"}, {"post": "write", "buffer": "tx", "to": "B.rx", "as": "w"},
                  {"post": "send", "buffer": "tx", "size": "2 KiB", "as": "long"}, {"poll": "q0.send", "count": 2}],
            "B": [{"post": "receive", "buffer": "short", "as": "r"}, {"poll": "q0.receive"}]},
        "expect": [{"completion": "A.w", "status": "success"}, {"completion": "A.long", "status": "remote_resources"},
                   {"completion": "B.r", "status": "buffer_overflow"}]})");
    CHECK(run.outcome == RunOutcome::finished);
    CHECK(run.unmet == "");
}

// The responses that left B's memory before its window died take most of 840 us at 10 Gb/s; the NAK is behind them.
TEST_CASE("cause: a NAK behind the responses of a Read", "[K139][X26][X31]") {
    for (const auto& [profile, status] :
         {std::pair("documented", "remote_resources"), {"infiniband", "access_violation"}}) {
        const ChildResult run = run_text(fmt::format(R"({{
            "profile": "{}", "links": {{"l0": {{"rate": "10 Gbps"}}}},
            "hosts": {{"A": {{"buffers": {{"sink": {{"size": "1 MiB"}}}}}},
                       "B": {{"buffers": {{"data": {{"size": "1 MiB"}}}}, "memory": {{"w": {{}}}}}}}},
            "programs": {{
                "A": [{{"sleep": "20 us"}}, {{"post": "read", "buffer": "sink", "from": "B.w", "as": "x"}},
                      {{"poll": "q0.send"}}],
                "B": [{{"post": "bind", "memory": "w", "buffer": "data", "allow": ["remote_read"]}}, {{"poll": "q0.send"}},
                      {{"sleep": "100 us"}}, {{"post": "invalidate", "memory": "w"}}, {{"poll": "q0.send"}}]}},
            "expect": [{{"completion": "A.x", "status": "{}"}}]}})",
                                                     profile, status));
        CHECK(run.outcome == RunOutcome::finished);
        CHECK(run.unmet == "");
    }
}

}  // namespace ndsim::test::cause_first_test
