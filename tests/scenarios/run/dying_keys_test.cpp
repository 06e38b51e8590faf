// SPDX-License-Identifier: Apache-2.0

#include "tests/support/catch.hpp"
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

// The NIC takes 50 us for a registration. B flushes 5 us after its post, and A writes long after that.
TEST_CASE("keys: a registration that was flushed opens nothing afterwards", "[K147][K148]") {
    const ChildResult run = run_text(R"({
        "hosts": {"A": {"buffers": {"tx": {"size": "64 B"}}, "qps": {"q0": {}, "q1": {}}},
                  "B": {"nic": {"key_update": "50 us"}, "buffers": {"rx": {"size": "4 KiB"}},
                        "memory": {"f": {"kind": "fast_register"}}, "qps": {"q0": {}, "q1": {}}}},
        "programs": {
            "A": [{"sleep": "150 us"}, {"post": "write", "qp": "q1", "buffer": "tx", "to": "B.f", "as": "w"},
                  {"poll": "q1.send"}],
            "B": [{"post": "fast_register", "memory": "f", "buffer": "rx", "allow": ["remote_write"], "as": "f"},
                  {"sleep": "5 us"}, {"flush": "q0"}, {"poll": "q0.send"}]},
        "expect": [{"completion": "B.f", "status": "cancelled"},
                   {"completion": "A.w", "status": "remote_resources"}]})");
    CHECK(run.outcome == RunOutcome::finished);
    CHECK(run.unmet == "");
}

// A's Read of 1 MiB takes 84 us at 100 Gb/s, so it is without an answer when B finds that the Send names no window.
TEST_CASE("keys: a bad token fails the oldest request without an answer as the peer's refusal, whatever it is",
          "[K107][K113]") {
    const ChildResult run = run_text(R"({
        "hosts": {"A": {"buffers": {"b": {"size": "1 MiB"}}}, "B": {"buffers": {"b": {"size": "1 MiB"}}}},
        "programs": {
            "A": [{"sleep": "20 us"}, {"post": "read", "buffer": "b", "from": "B.b", "as": "r"},
                  {"post": "send_and_invalidate", "buffer": "b", "size": "64 B", "invalidates": "B.b", "as": "s"},
                  {"poll": "q0.send", "count": 2}],
            "B": [{"post": "receive", "buffer": "b"}, {"poll": "q0.receive"}]},
        "expect": [{"completion": "A.r", "status": "remote_resources"}, {"completion": "A.s", "status": "cancelled"}]})");
    CHECK(run.outcome == RunOutcome::finished);
    CHECK(run.unmet == "");
}

}  // namespace ndsim::test::dying_keys_test
