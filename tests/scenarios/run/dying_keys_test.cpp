// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "tests/support/child.hpp"

// Keys that die while the NIC uses their memory.
namespace ndsim::test::dying_keys_test {

// B has a receive in a fast-register region, which another of its queue pairs invalidates while the message arrives:
// 64 KiB take 53 us at 10 Gb/s, and the Invalidate follows the first byte.
TEST_CASE("keys: a receive whose region is invalidated during its message fails", "[K133][K106][R30][X27]") {
    const ChildResult run = run_text(R"({
        "hosts": {"A": {"buffers": {"tx": {"size": "64 KiB", "fill": "random"}}, "qps": {"q0": {}, "q1": {}}},
                  "B": {"buffers": {"rx": {"size": "64 KiB"}}, "memory": {"f": {"kind": "fast_register"}},
                        "qps": {"q0": {}, "q1": {}}}},
        "links": {"l0": {"rate": "10 Gbps"}},
        "programs": {
            "A": [{"sleep": "50 us"}, {"post": "send", "qp": "q0", "buffer": "tx", "as": "s"}, {"poll": "q0.send"}],
            "B": [{"post": "fast_register", "qp": "q1", "memory": "f", "buffer": "rx", "allow": ["local_write"]},
                  {"poll": "q1.send"},
                  {"post": "receive", "qp": "q0", "sgl": [{"buffer": "f", "size": "64 KiB"}], "as": "r"},
                  {"sleep": "80 us"},
                  {"post": "invalidate", "qp": "q1", "memory": "f", "as": "i"}, {"poll": "q1.send"},
                  {"poll": "q0.receive"}]},
        "expect": [{"completion": "B.i", "status": "success"},
                   {"completion": "B.r", "status": "access_violation"},
                   {"completion": "A.s", "status": "remote_resources"},
                   {"order": ["B.i", "B.r"]}]})");
    CHECK(run.outcome == RunOutcome::finished);
    CHECK(run.unmet.empty());
}

// With one lane of PCIe the data of the Read waits for the link. The second queue pair then takes a copy of the memory.
TEST_CASE("keys: after the completion of a flushed Read its memory stays as it is", "[K147][K148][K155]") {
    const ChildResult run = run_text(R"({
        "hosts": {"A": {"pcie": {"width": 1}, "buffers": {"rx": {"size": "1 MiB"}}, "qps": {"q0": {}, "q1": {}}},
                  "B": {"buffers": {"tx": {"size": "1 MiB", "fill": "random"}, "copy": {"size": "1 MiB"}},
                        "qps": {"q0": {}, "q1": {}}}},
        "programs": {
            "A": [{"sleep": "50 us"}, {"post": "read", "buffer": "rx", "from": "B.tx", "as": "rd"}, {"sleep": "60 us"},
                  {"flush": "q0"}, {"poll": "q0.send"},
                  {"post": "write", "qp": "q1", "buffer": "rx", "to": "B.copy"}, {"poll": "q1.send"}],
            "B": []},
        "expect": [{"completion": "A.rd", "status": "cancelled"}, {"memory": "B.copy", "equals": "A.rx"}]})");
    CHECK(run.outcome == RunOutcome::finished);
    CHECK(run.unmet.empty());
}

}  // namespace ndsim::test::dying_keys_test
